"""The uplink: a program that sends a table's durable entries to the floor. WIRE.md describes its protocol."""
