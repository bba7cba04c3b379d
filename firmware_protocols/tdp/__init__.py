"""The Table Device Protocol: PROTOCOL.md in words; schema, link and one table for each kind of device in code."""
