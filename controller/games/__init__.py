"""The part of each game outside the core: facts from device reports, its screen, and its part of the records."""
