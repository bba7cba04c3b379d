"""Custody: the record of the place of each card at a table, from the opening to the closing."""
