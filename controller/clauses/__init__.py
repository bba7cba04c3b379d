"""The register of the laws' clauses: the demand of each clause, the program's rules for it, and the tests of these
rules.
"""
