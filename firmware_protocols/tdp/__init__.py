"""The Table Device Protocol: its message tables and both ends of a link. PROTOCOL.md defines the protocol."""
