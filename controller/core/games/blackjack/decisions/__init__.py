"""Players' decisions about a hand: one module for each, with its act, rule, guards, effect and row."""
