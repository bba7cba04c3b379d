"""Devices, people and worlds that speak the same wire formats. Production never imports this package."""
