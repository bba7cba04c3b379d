"""The meaning of the bytes on each wire. Pure: no I/O, no clock, no logging."""
