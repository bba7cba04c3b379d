"""An amount as text, for programs that know the protocol but not the core."""


def units(cents: int) -> str:
    """Currency units with two decimals, from cents of at least 0: 1250 becomes "12.50"."""
    return "{}.{:02}".format(*divmod(cents, 100))
