"""Simulated devices at wire level: a physical model, and firmware that speaks the real protocol over it."""
