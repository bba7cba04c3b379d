"""A table's backup: everything that a new computer needs, encrypted to a key of the casino."""
