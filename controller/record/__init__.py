"""Reads a journal for people: its entries in words, the story of a round, an evening in figures, a check.

This code only reads, and is no part of the controller's loop. The command line uses it, and the controller runs it as a
process of its own (`python -m controller.record`) for a signed-in person.
"""
