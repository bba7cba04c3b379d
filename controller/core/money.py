"""Amounts of money as text, and the flag of an amount that cannot be paid exactly. People decide on a flagged amount.
The program never rounds.
"""

from enum import StrEnum, unique
from fractions import Fraction

from controller.core.hand_rules import Rate
from controller.core.words import Cents


@unique
class Flag(StrEnum):
    """The reasons why a payment cannot be exact. People must decide on such a payment."""

    NO_CHIP = "no-chip"  # whole cents, but no chips of this table make them up
    NO_WHOLE_CENTS = "no-whole-cents"


def flag_of(stake: Cents, rate: Rate, smallest_chip: Cents) -> Flag | None:
    """The reason why `rate` of this stake cannot be paid exactly, or None."""
    whole, rest = divmod(stake * rate.pays, rate.of)
    if rest:
        return Flag.NO_WHOLE_CENTS
    return Flag.NO_CHIP if whole % smallest_chip else None


# --- an amount as text


def units(cents: int) -> str:
    """Cents as text: currency units with two decimals."""
    return f"{'-' if cents < 0 else ''}{abs(cents) // 100}.{abs(cents) % 100:02}"


def cents_of(text: str) -> Cents:
    """Converts a text of currency units, whole or with two decimals, to cents. The caller must check the form."""
    whole, _, decimals = text.partition(".")
    return Cents(int(whole + (decimals or "00")))


def in_units(cents: Fraction) -> str:
    """Cents as text in currency units, with sign and two decimals. Fractions of a cent show four decimals; further
    decimals are cut off.
    """
    value = abs(cents) / 100
    whole, rest = divmod(value.numerator, value.denominator)
    decimals = f"{Fraction(rest, value.denominator) * 10_000 // 1:04}"
    sign = "-" if cents < 0 else "+" if cents > 0 else ""
    return f"{sign}{whole}.{decimals.removesuffix('00')}"
