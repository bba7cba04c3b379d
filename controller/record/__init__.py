"""A journal for people: its entries in words, the story of a round, an evening in figures, a check.

Read-only, and no part of the controller's loop. The command line uses it, and the controller runs it as a process of
its own (`python -m controller.record`) for a signed-in person.
"""
