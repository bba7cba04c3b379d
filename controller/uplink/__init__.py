"""The uplink: carries a table's durable entries to the floor. WIRE.md describes its protocol."""
