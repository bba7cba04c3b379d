"""The kernel between devices, people and journal, without input or output.

One rule decides when an output may leave: an output that permits something waits for its entry on the disk
(settling.py).
"""
