"""The game of blackjack: its bets, deal, decisions, settlement, jackpot and corrections."""
