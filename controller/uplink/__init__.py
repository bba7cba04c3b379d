"""The uplink sends a table's durable entries to the floor. WIRE.md describes its protocol."""
