"""Drivers open ports, identify devices, report their events, bring them into the wished state, and reconnect.

They know nothing of a game's procedure.
"""
