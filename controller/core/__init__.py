"""The table itself: one event with its time in, one decision out. Pure and deterministic.

Values are structs of msgspec, which makes and copies them in C. A few rows of tables are frozen dataclasses, since they
have fields made from others.
"""
