"""A small witness: a program that signs the tree heads of logs. For each log it keeps the last signed head, and signs
only a head that continues it.
"""
