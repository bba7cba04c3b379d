"""The device's end of the Table Device Protocol in portable C, and the program that runs it here (README.md)."""
