"""Tests of the world in virtual time: the same seed gives the same world, faults are met, and planted defects are
found.
"""
