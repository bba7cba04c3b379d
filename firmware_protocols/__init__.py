"""What the bytes mean. Pure: no I/O, no clock, no logging."""
