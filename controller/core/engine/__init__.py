"""The base classes of acts, facts and decisions, and the state machine for steps; independent of any game."""
