"""Turns a journal into records for people: the entries of a round in words, an evening in figures, a check's result.

The command line uses this package. For a signed-in person the controller runs it as a process of its own (`python -m
controller.record`). Neither changes the journal. The modules for retention, decommissioning and the keys shared with
devices do change files.
"""
