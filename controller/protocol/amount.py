"""An amount as text, for programs that know the protocol and not the core."""


def units(cents: int) -> str:
    """Cents as people write them: currency units with two decimals."""
    return "{}.{:02}".format(*divmod(cents, 100))
