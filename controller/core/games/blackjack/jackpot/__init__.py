"""The jackpot at a table of blackjack: chips, collection, prizes; the pool itself is house's."""
