"""Checks that a device keeps PROTOCOL.md: what is said to it, what it must answer, and which section asks for it."""
