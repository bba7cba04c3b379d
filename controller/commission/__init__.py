"""`sabot commission`: leads a technician from new hardware to the first closed table and writes the configuration.

`draft` keeps the answers so far. `course` asks the questions and checks the answers. This package has only the order of
the checks; the checks themselves are in the configuration, the doctor and the device tests.
"""
