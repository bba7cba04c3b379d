"""Tests of the scripted people, and of whole simulated tables."""
