"""The journal: an append-only chain of records of our own format (FORMAT.md), recovery, checks, seals."""
