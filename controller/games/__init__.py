"""Each game outside the core: facts from its device reports, its screen, and its part of the records."""
