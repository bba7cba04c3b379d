"""Turns a journal into records for people: the entries of a round in words, an evening in figures, a check's result.

The command line uses this package, and the controller runs it as a process of its own (`python -m controller.record`)
for a signed-in person; neither changes the journal. Retention, decommissioning and the keys shared with devices, which
change files, are here, too.
"""
