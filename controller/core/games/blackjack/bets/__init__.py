"""Bets of a round; a module has the acts, rules, guards, effects and rows of one kind of bet."""
