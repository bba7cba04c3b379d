"""Independent books of a table: they share no code with what they check."""
