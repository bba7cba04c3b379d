"""Simulated devices that speak on the wire: each is a physical model with a firmware that uses the real protocol."""
