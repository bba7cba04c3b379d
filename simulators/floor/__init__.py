"""A whole floor on this computer: a private PostgreSQL, the floor's program, and tables that replay worlds' entries."""
