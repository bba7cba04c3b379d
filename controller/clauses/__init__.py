"""The register of clauses: what each asks for, the rows of the program that do it, the tests that show it."""
