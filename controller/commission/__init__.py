"""`sabot commission`: leads from new hardware to the first closed table and writes the configuration.

`draft` is the file with the answers so far; `course` asks the questions and checks the answers. The checks themselves
belong to configuration, doctor and device tests; this package has only their order.
"""
