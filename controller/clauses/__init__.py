"""The register of the laws' clauses: the demand of each clause, and the program's rules and tests for it."""
