"""Drivers open ports, identify devices, pass bytes on and reconnect. They know nothing of a game's procedure."""
