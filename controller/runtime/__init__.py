"""The runtime of one table. The runtime passes the events of devices and people through the core into the journal,
without any input or output. Its central rule (settling.py): an output that permits something waits until the entry that
permits it is on the disk.
"""
