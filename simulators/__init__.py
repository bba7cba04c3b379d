"""Simulated devices, people and worlds that speak the real wire formats. Production never imports this package."""
