"""The journal, an append-only chain of records in the project's own format (FORMAT.md): writing, recovery, checks,
seals.
"""
