"""A whole table in virtual time: devices, wires, disk, people and the real controller on one clock, from one seed."""
