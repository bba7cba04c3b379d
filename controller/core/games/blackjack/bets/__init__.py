"""The bets of a round: one module for each kind of bet, with its acts, rules, guards, effects and rows."""
