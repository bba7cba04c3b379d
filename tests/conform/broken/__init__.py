"""Firmwares that break one duty each: simulated devices with one small override."""
