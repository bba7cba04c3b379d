"""The jackpot at a table of blackjack: chips, collection and prizes; the pool itself is in core/house."""
