"""The journal: an append-only chain of records in a format of its own (FORMAT.md), recovery, checks, seals."""
