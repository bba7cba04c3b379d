"""`sabot commission`: from the box to the first closed table, in one guided run that writes the configuration.

`draft` is the file that comes about, `course` asks and checks. What is wrong with an answer, configuration, doctor and
device tests say; here is only the order.
"""
