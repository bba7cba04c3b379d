"""A table of roulette in simulation: its people, what goes wrong at it, its worlds and its demo."""
