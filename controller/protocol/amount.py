"""Writes amounts as text, for programs that know the protocol but not the core."""


def units(cents: int) -> str:
    """Returns an amount in cents as text in currency units: 1250 becomes "12.50", and -50 becomes "-0.50"."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"
