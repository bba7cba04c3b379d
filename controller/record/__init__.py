"""A journal for people: its entries in words, the story of a round, an evening in figures, a check.

Read-only, and no part of the controller's loop: the command line reads a journal by it, and the controller starts
`python -m controller.record` for whoever is signed in and asks.
"""
