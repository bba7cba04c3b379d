"""The jackpot at a blackjack table: chips, collection and prizes. The pool itself is in core/house."""
