"""Device kinds in the shell: their drivers, and their reports as facts."""
