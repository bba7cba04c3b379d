"""What an act, a guard, a decision and a machine are. Nothing here knows a table."""
