"""A "world": a whole simulated table in virtual time, with devices, wires, disk, people and the real controller on one
clock, made from one seed.
"""
