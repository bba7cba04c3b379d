"""Oracles: programs that check a table like an observer who knows the law and has never seen the controller's code.

Each takes plain data: an exported journal, the figures of the profile, lists of physical cards, or streams of outputs.
Oracles share no code with the checked program. Their findings are returned as violations (violation.py), never raised.
"""
