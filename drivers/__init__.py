"""Drivers open ports, identify devices, report the devices' events, bring devices into the wished state, and reconnect.

A driver knows nothing of a game's procedure.
"""
