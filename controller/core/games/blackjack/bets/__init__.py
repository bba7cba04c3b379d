"""Bets of a round: each act with its rules, guards, effect and row."""
