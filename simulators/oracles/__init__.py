"""Oracles: what a law-abiding observer, who has never seen the controller's code, says of a table.

Each takes plain data: an exported journal, the figures of the profile, listings of physical cards, streams of
outputs. They share no code with what they check. What they find are violations (violation.py), never exceptions.
"""
