"""The floor: stores the entries of all tables of a room in PostgreSQL. controller/uplink/WIRE.md is its protocol."""
