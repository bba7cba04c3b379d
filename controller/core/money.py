"""Whether an amount can be paid as it is: nothing is rounded, and what cannot be paid is for people to decide."""

from enum import StrEnum, unique
from fractions import Fraction

from controller.core.hand_rules import Rate
from controller.core.words import Cents


@unique
class Flag(StrEnum):
    """Why people have to decide what is paid."""

    NO_CHIP = "no-chip"  # whole cents, but no chips of this table make them up
    NO_WHOLE_CENTS = "no-whole-cents"


def flag_of(stake: Cents, rate: Rate, smallest_chip: Cents) -> Flag | None:
    """What keeps so much of a stake from being paid exactly; None: nothing."""
    whole, rest = divmod(stake * rate.pays, rate.of)
    if rest:
        return Flag.NO_WHOLE_CENTS
    return Flag.NO_CHIP if whole % smallest_chip else None


def in_units(cents: Fraction) -> str:
    """An amount as people read it: its sign, currency units, two decimals; more where there is a part of a cent."""
    units = abs(cents) / 100
    whole, rest = divmod(units.numerator, units.denominator)
    decimals = f"{Fraction(rest, units.denominator) * 10_000 // 1:04}"
    sign = "-" if cents < 0 else "+" if cents > 0 else ""
    return f"{sign}{whole}.{decimals.removesuffix('00')}"


def units(cents: int) -> str:
    """An amount of cents in currency units."""
    return in_units(Fraction(cents)).lstrip("+")
