"""Oracles: programs that check a table as an observer does who knows the law and has never seen the controller's code.

Each takes plain data: an exported journal, the figures of the profile, lists of physical cards, or streams of outputs.
Oracles share no code with the checked program. They return their findings as violations (violation.py) and never raise
them.
"""
