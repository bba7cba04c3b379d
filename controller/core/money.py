"""Whether an amount can be paid as it is: nothing is rounded, and what cannot be paid is for people to decide."""

from enum import StrEnum, unique

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
