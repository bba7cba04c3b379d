"""The settings that a scenario's head may have, and the form of each value. table.py checks the bounds of the law."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from controller.config.model import Tracks
from controller.config.profile import TYPES
from controller.core.choices import Delivery
from controller.core.hand_rules import Rate
from controller.core.linked_rules import BetsWhenAway, SignShows
from controller.scenario.thing import Thing, one_of, pattern

YES: Final = ("yes", "true")
_WHOLE: Final = pattern(r"-?[0-9]{1,7}")
_MONEY: Final = pattern(r"[0-9]{1,9}(\.[0-9]{2})?")
_OF_A_STAKE: Final = pattern(r"[0-9]{1,4}:[0-9]{1,2}")
_ORDER: Final = pattern(r"[0-9]{1,2}(-[0-9]{1,2}){2,60}")
_YES_OR_NO: Final = one_of(("yes", "no", "true", "false"))


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a scenario, which describes its table: profile, settings, and the jackpot's prizes."""

    profile: str
    settings: tuple[tuple[str, str], ...] = ()
    prizes: tuple[str, ...] = ()

    def but(self, name: str, text: str) -> "Head":
        """Returns the head with the setting `name` added, or changed to `text`."""
        others = tuple(one for one in self.settings if one[0] != name)
        return Head(self.profile, (*others, (name, text)), self.prizes)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a setting's value. `shown`: the description of this form in messages."""

    thing: Thing
    shown: str


_NUMBER: Final = Form(_WHOLE, "NUMBER")
_AMOUNT: Final = Form(_MONEY, "AMOUNT")
_FLAG: Final = Form(_YES_OR_NO, "yes, no")
_RATE: Final = Form(_OF_A_STAKE, "3:2")
_TRACKS: Final = Form(one_of(Tracks), ", ".join(Tracks))
_AMOUNTS: Final = ("minimum_bet", "maximum_bet", "smallest_chip")
_JACKPOT_AMOUNTS: Final = (
    *("jackpot_bet", "jackpot_start", "jackpot_reset"),
    *("jackpot_limit", "jackpot_pay_by_hand_from"),
)
_SIGNED: Final = Form(pattern(r"-?[0-9]{1,9}(\.[0-9]{2})?"), "AMOUNT")
_FORMS: Final = {
    "decks": _NUMBER,
    "seats": _NUMBER,
    "tracks": _TRACKS,
    "delivery": Form(one_of(Delivery), ", ".join(Delivery)),
    "reader": _FLAG,
    "wheel": _FLAG,
    "value_display": _FLAG,
    "jackpot_display": _FLAG,
    "jackpot_slots": _FLAG,
    "chip_values": Form(pattern(r"[0-9]{1,9}(\.[0-9]{2})?(,[0-9]{1,9}(\.[0-9]{2})?){0,11}"), "AMOUNT,AMOUNT"),
    "number_order": Form(_ORDER, "0-32-15-..."),
    **dict.fromkeys(_AMOUNTS, _AMOUNT),
    **dict.fromkeys(_JACKPOT_AMOUNTS, _SIGNED),
    "jackpot": Form(one_of(("manual", "automatic", "no")), "manual, automatic, no"),
    "jackpot_approved": _FLAG,
    "linked": Form(pattern(r"no|[a-z0-9-]{3,40}"), "no, COMBINATION"),
    "linked_away_after": _NUMBER,
    "linked_bets_when_away": Form(one_of(BetsWhenAway), ", ".join(BetsWhenAway)),
    "linked_sign": Form(one_of(SignShows), ", ".join(SignShows)),
    **dict.fromkeys(
        ("jackpot_rate", "jackpot_reserve_rate"), Form(pattern(r"-?[0-9]{1,3}(\.[0-9]{1,6})?"), "PER-CENT")
    ),
}
SETTINGS: Final = tuple(name for name in _FORMS if name not in TYPES)
"""The settings besides the parameters of the profile."""


def form_of(name: str) -> Form:
    """Returns the form that the value of the setting or parameter `name` must have. Raises KeyError for an unknown
    name.
    """
    if name in _FORMS:
        return _FORMS[name]
    kind = TYPES[name]
    if issubclass(kind, StrEnum):
        words = one_of(one.value for one in kind)
        return Form(words, ", ".join(words.words))
    if kind is Rate:
        return _RATE
    return _FLAG if kind is bool else _NUMBER
