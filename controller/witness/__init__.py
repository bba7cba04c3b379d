"""A small witness: it keeps the last tree head that it has signed of each log, and signs only a head that continues
it.
"""
