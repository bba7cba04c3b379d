"""The value of the rules of hands and money: rounds without a table, by the core's functions and a strategy."""
