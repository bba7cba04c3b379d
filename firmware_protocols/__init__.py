"""The meaning of the bytes. Pure: no I/O, no clock, no logging."""
