"""The uplink: carries a table's durable entries to the floor. WIRE.md is the text to what it says there."""
