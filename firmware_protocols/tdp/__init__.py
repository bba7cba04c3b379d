"""The Table Device Protocol: in words in PROTOCOL.md, in code as message tables and two ends of a link."""
