"""The core: pure, deterministic functions that compute a table's next state from its state, an event and the time.

Values are msgspec structs, which are made and copied in C. A few rows of tables are frozen dataclasses, because some of
their fields are computed from others.
"""
