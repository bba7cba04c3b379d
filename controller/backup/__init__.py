"""A table's backup: one encrypted file with all that a replacement computer needs."""
