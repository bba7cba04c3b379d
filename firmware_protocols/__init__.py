"""The encoding and decoding of the bytes on each wire. Pure: no input or output, no clock, no logging."""
