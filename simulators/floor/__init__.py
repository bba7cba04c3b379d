"""A whole casino floor on this computer: a private PostgreSQL, the floor's real program, and tables that replay the
entries of simulated worlds.
"""
