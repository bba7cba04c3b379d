"""The table itself: one event with its time in, one decision out. Pure and deterministic."""
