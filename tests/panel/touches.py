"""The touches of an opening, a round with hands and a jam, one by one: `test_touches_of_a_day.py` counts them.

The page `TOUCHES.md` is made from this table (`make pages`).
"""

from enum import IntEnum
from typing import Final, NamedTuple


class Way(IntEnum):
    """How a chief supervisor's word gets its credential."""

    PIN = 0  # all people at the table's screen, each by his PIN
    BADGE = 1  # all at the table's screen, the supervisor by badge and key; the dealer by PIN
    TABLET = 2  # the supervisor at a tablet of his own, where he alone is signed in; the dealer at the table's screen


class Touched(NamedTuple):
    """A button, whose touch it is, at which page, and why. `touches`: the touches by `Way`, with the keys of the pad
    that the touch asks for; 0 where that way has no such button.
    """

    button: str
    who: str
    page: str
    why: str
    touches: tuple[int, int, int]


DIGITS: Final = 6
"""The digits of a PIN in this count, the fewest that a PIN has."""

_PIN: Final = DIGITS + 1  # with its OK
_NUMBER: Final = 2 + 1  # a staff number, with its OK
_FIRST: Final = 1 + _NUMBER + _PIN
_EACH: Final = 1 + _PIN

OPENING: Final = (
    Touched("open-session", "dealer", "closed", "opens; number and PIN", (_FIRST, _FIRST, _FIRST)),
    Touched("number-deck-set", "chief", "opened, at the tablet", "opens the form; number and PIN", (0, 0, _FIRST)),
    Touched("d-deck_set-1", "chief", "form of the number", "the label's number, one digit", (1, 1, 1)),
    Touched("do", "chief", "form of the number", "decides the number", (_EACH, 1, 1)),
    Touched("confirm-display", "dealer", "opened", "pt.bj.53a: the cards lie face up", (1, 1, 1)),
    Touched("confirm-mixing", "dealer", "displayed", "pt.bj.53b: mixed by hand; held", (1, 1, 1)),
    Touched("watch-loading", "chief", "mixed, at the tablet", "pt.bj.54d: attests that he watches", (0, 0, 1)),
    Touched("begin-loading", "dealer", "mixed", "pt.bj.53c: begins", (0, 0, 1)),
    Touched("open-packet", "chief", "loading, at the tablet", "pt.bj.54b: attests packet 1", (0, 0, 1)),
    Touched("begin-watched", "both", "mixed", "pt.bj.53c, 54b, 54d: begins, watches, packet 1", (_EACH, 1, 0)),
    Touched("next-packet", "chief", "loading", "pt.bj.54b: attests packet 1 in and packet 2", (_EACH, 1, 1)),
    Touched("last-packet", "chief", "loading", "pt.bj.54b, 54c: attests packet 2 in, ends", (_EACH, 1, 1)),
    Touched("seat-3", "dealer", "bets", "the bet's seat", (1, 1, 1)),
    Touched("chip-1000", "dealer", "bets", "the bet's chip", (1, 1, 1)),
)
"""From the closed table to the first bet, with two packets."""

JAM: Final = (
    Touched(
        "take-charge", "chief", "the hold", "pt.bj.51d: he comes, before hands are in the machine", (_EACH, 1, _EACH)
    ),
    Touched("jammed-rack", "chief", "the hold", "where the card lies, and the cause is gone", (1, 1, 1)),
    Touched("play-on", "chief", "the hold", "pt.bj.51d: attests the end", (_EACH, 1, 1)),
)
"""From the alert until play goes on."""

ROUND: Final = (
    Touched("same-bets", "dealer", "bets", "lays the last round's bets for all to see", (1, 1, 1)),
    Touched("bets-laid", "dealer", "bets", "closes the bets", (1, 1, 1)),
    Touched("stand-2", "dealer", "the hand's turn", "the player's decision", (1, 1, 1)),
    Touched("stand-3", "dealer", "the hand's turn", "the player's decision", (1, 1, 1)),
    Touched("stand-4", "dealer", "the hand's turn", "the player's decision", (1, 1, 1)),
    Touched("turn-hole-card", "dealer", "the bank's turn", "turns the bank's card", (1, 1, 1)),
    Touched("settled-collected", "dealer", "pay", "paid and collected", (1, 1, 1)),
    Touched("begin-putting-back", "dealer", "complaints?", "nobody complains; the feed opens", (1, 1, 1)),
)
"""A round of three seats that stand, with the bets of the round before; each card that the bank draws is one more."""


def total(steps: tuple[Touched, ...], way: Way) -> int:
    return sum(one.touches[way] for one in steps)


def pins(steps: tuple[Touched, ...], way: Way) -> int:
    """The number of PINs among the touches."""
    return sum(one.touches[way] > 1 for one in steps)
