"""Checks that a device keeps PROTOCOL.md: the bytes sent, the answers expected, and the section that asks for them."""
