"""Blackjack: bets, deal, turns, corrections."""
