"""The table itself: one event with its time in, one decision out. Pure and deterministic.

Values are structs of msgspec, which makes and copies them in C. A few rows of tables are frozen dataclasses: they keep
fields that are made from others.
"""
