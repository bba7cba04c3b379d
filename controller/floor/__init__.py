"""The floor: keeps the entries of all tables of a room on PostgreSQL. controller/uplink/WIRE.md says what it hears."""
