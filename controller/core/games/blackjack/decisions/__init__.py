"""Decisions about a hand while it is played: each act with its rule, guards, effect and row."""
