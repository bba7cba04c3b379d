"""A "world": a whole simulated table in virtual time, made from one seed. Devices, wires, disk, people and the real
controller share one clock.
"""
