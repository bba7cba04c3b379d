"""The Table Device Protocol (TDP): the message tables, and both ends of a link. PROTOCOL.md defines the protocol."""
