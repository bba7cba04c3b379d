"""Simulated devices, people and whole tables ("worlds"). The devices speak the real wire formats. Production code never
imports this package.
"""
