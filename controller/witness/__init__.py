"""A small witness. It keeps the last tree head that it has signed for each log, and signs only a head that continues
it.
"""
