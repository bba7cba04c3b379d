"""Devices as objects: open, identify, pump, reconnect. No procedure."""
