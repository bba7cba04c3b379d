"""The value of the rules of hands and money: the core's functions and a strategy play rounds without a table."""
