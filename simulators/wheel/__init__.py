"""A table of roulette in simulation: its people, its faults, its worlds and its demo."""
