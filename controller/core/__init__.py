"""The core: the state of a table, and the decision on each event at its time. Pure and deterministic.

Values are structs of msgspec, which makes and copies them in C. A few rows of tables are frozen dataclasses, since they
have fields made from others.
"""
