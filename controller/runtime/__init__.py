"""The runtime of a table, which connects devices, people and journal to the core and does no input or output itself.

Its central rule (settling.py): an output that permits something waits until its entry is on the disk.
"""
