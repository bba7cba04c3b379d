"""The register of the laws' clauses: each with its demand, the program's rules behind it, and tests of these rules."""
