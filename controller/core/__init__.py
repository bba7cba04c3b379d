"""The table itself: one event with its time in, one decision out. Pure and deterministic.

Values that are made for each event are structs of msgspec, which makes and copies them in C. Rows of tables and
configured values are made once, and are frozen dataclasses.
"""
