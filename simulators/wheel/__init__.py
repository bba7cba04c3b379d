"""The simulation of a roulette table: its people, its faults, its worlds and its demo."""
