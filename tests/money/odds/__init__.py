"""What the rules of hands and money are worth: rounds without a table, by the core's functions and a strategy."""
