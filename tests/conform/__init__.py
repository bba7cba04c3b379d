"""The checks of our own wire protocol (the conformance kit), in virtual time, on good simulated devices and on each
kind of bad one.
"""
