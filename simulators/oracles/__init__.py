"""Oracles: checks of a table by an observer who knows the law and has never seen the controller's code.

Each takes plain data: an exported journal, the figures of the profile, listings of physical cards, streams of outputs.
They share no code with the checked program. Their findings are violations (violation.py), never exceptions.
"""
