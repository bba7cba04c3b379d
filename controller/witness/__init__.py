"""A small witness: a program that signs the tree heads of logs. It keeps the last head that it has signed for each log,
and signs only a head that continues it.
"""
