"""Drivers open ports, identify devices, report the devices' events, bring devices into the wished state, and reconnect.

They know nothing of a game's procedure.
"""
