"""Reads a journal for people: its entries in words, the story of a round, an evening in figures, a check.

The command line uses it, and the controller runs it as a process of its own (`python -m controller.record`) for a
signed-in person; neither changes the journal. Retention, decommissioning and the keys of device pairs, which change
files, are here, too.
"""
