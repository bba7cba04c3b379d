"""The device side of the Table Device Protocol in portable C, and the Python code that compiles it and runs it as a
child process (README.md).
"""
