"""The register of clauses: each with its demand, the rules of the program behind it, and the tests that show them."""
