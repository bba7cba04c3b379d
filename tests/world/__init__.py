"""Tests of the world in virtual time: the same from the same seed, faults met, planted defects found."""
