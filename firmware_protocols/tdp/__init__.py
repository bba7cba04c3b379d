"""The Table Device Protocol: its text is PROTOCOL.md, its code the message tables and both ends of a link."""
