"""The Angel Eye II-EX card-reading shoe (RS-232C): framing, telegrams, commands and numbering. PROTOCOL.md describes
them.
"""
