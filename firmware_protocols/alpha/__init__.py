"""The Alpha protocol of moving-message signs (Alpha, BetaBrite): what we write to one, and what it answers."""
