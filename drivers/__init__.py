"""Drivers: they open ports, identify devices, carry bytes and reconnect. They know nothing of a game's procedure."""
