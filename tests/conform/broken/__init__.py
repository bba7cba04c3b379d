"""Firmwares that break one duty each, made of the simulated devices: one small override."""
