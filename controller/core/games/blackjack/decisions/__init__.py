"""Decisions about a hand while it is played; a module has the act, rule, guards, effect and row of one decision."""
