"""The kernel between devices, people and journal, without input or output.

One rule decides when an output may leave.
"""
