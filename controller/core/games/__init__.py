"""The games: each knows the rooms beneath it, none knows another."""
