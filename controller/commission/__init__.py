"""`sabot commission`: leads a technician from new hardware to the first closed table and writes the configuration.

`draft` keeps the answers so far. `course` asks the questions and checks the answers. The package only has the order of
the checks. The checks themselves belong to the configuration, the doctor and the device tests.
"""
