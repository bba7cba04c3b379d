"""What follows."""

FOLLOWS: dict[str, str] = {}
