"""A table's backup: one encrypted file with everything that a replacement computer needs."""
