"""The Alpha protocol of moving-message signs (Alpha, BetaBrite): the writes to a sign, and its answers."""
