"""A whole floor on this computer: a private PostgreSQL, the floor, and tables that replay the entries of worlds."""
