"""Tests of the scripted people, of the books that check a table, and of whole simulated tables."""
