"""The values that may follow a scenario's word: their kinds, and the possible texts of each kind."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from controller.catalogue import Language, keys
from controller.clauses.register import names_of_rules, rule_names, texts
from controller.config.profile import TYPES
from controller.core.custody.state import DECK, parse_card
from controller.core.games.blackjack.money import Payment
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.table import ACT_RULES, ACTS, TABLE
from controller.core.games.roulette.cloth import Colour, Group
from controller.core.games.roulette.state import ChipColour
from controller.core.games.roulette.table import ROULETTE
from controller.core.words import (
    Closing,
    Device,
    DutyKind,
    HoldKind,
    HoldPhase,
    JamPlace,
    Outcome,
    RoundPhase,
    SessionPhase,
)
from controller.scenario.people import PEOPLE
from controller.scenario.settings import SETTINGS
from controller.scenario.thing import Thing, one_of, pattern


@unique
class Kind(StrEnum):
    """A kind of value in a scenario. The member's value is the kind's name in FORMAT.md."""

    NUMBER = "NUMBER"
    SECONDS = "SECONDS"
    SEAT = "SEAT"
    CARD = "CARD"
    CHANGE = "CHANGE"
    FACE = "FACE"
    PLACE = "PLACE"
    DEVICE = "DEVICE"
    SESSION = "SESSION"
    ROUND = "ROUND"
    HOLD = "HOLD"
    PHASE = "PHASE"
    DUTY = "DUTY"
    CLOSING = "CLOSING"
    ON_OFF = "ON-OFF"
    REPORT = "REPORT"
    OWED = "OWED"
    RULE = "RULE"
    CLAUSE = "CLAUSE"
    CITED = "RULE-OR-CLAUSE"
    GUARD = "GUARD"
    ACT = "ACT"
    PARAMETER = "PARAMETER"
    VALUE = "VALUE"
    FACT = "FACT"
    DETAIL = "DETAIL"
    DEVIATION = "DEVIATION"
    RECEIVER = "RECEIVER"
    BACK = "BACK"
    NOTICE = "NOTICE"
    OUTCOME = "OUTCOME"
    PERSON = "PERSON"
    HAND = "HAND"
    TURN = "TURN"
    AMOUNT = "AMOUNT"
    SIGNED = "SIGNED"
    SIDE_BET = "SIDE-BET"
    PAYMENT = "PAYMENT"
    WHEEL_NUMBER = "WHEEL-NUMBER"
    RESULT = "RESULT"
    BET = "BET"
    CHIP_COLOUR = "CHIP-COLOUR"
    COLOUR = "COLOUR"
    GROUP = "GROUP"
    TROUBLE = "TROUBLE"
    WAY = "WAY"
    COMBINATION = "COMBINATION"
    PAYS = "PAYS"
    LEVEL = "LEVEL"
    METER = "METER"
    COUNTER = "COUNTER"


def _values(kind: type[StrEnum]) -> Thing:
    return one_of(one.value for one in kind)


def _is_change(text: str) -> bool:
    found = re.fullmatch(r"(.{2,5})[+-][1-9][0-9]?", text)
    return found is not None and parse_card(found[1]) is not None


_GUARDS: Final = {guard.name for rule in (*ACT_RULES, *ROULETTE.acts) for guard in rule.all_guards()} | {"role_may"}
_NOTICES: Final = [key.removeprefix("notice.") for key in keys(Language.EN) if key.startswith("notice.")]
_MONEY: Final = r"[0-9]{1,11}(\.[0-9]{1,4})?"
_FACES: Final = ("hidden", "unread")
_CARDS: Final = (*DECK, "JOKER")
THINGS: Final[dict[Kind, Thing]] = {
    Kind.NUMBER: pattern(r"[0-9]{1,4}"),
    Kind.DEVIATION: pattern(r"[+-][0-9]{1,3}"),
    Kind.SECONDS: pattern(r"[0-9]{1,5}"),
    Kind.SEAT: pattern(r"[1-9]", tuple("123456789")),
    Kind.CARD: Thing(lambda text: parse_card(text) is not None, _CARDS),
    Kind.FACE: Thing(lambda text: text in _FACES or parse_card(text) is not None, (*_FACES, *_CARDS)),
    Kind.CHANGE: Thing(_is_change),
    Kind.PLACE: _values(JamPlace),
    Kind.DEVICE: one_of(one.value.replace("_", "-") for one in Device),
    Kind.SESSION: _values(SessionPhase),
    Kind.ROUND: _values(RoundPhase),
    Kind.HOLD: _values(HoldKind),
    Kind.PHASE: _values(HoldPhase),
    Kind.DUTY: _values(DutyKind),
    Kind.CLOSING: _values(Closing),
    Kind.ON_OFF: one_of(("on", "off")),
    Kind.REPORT: one_of(("final", "provisional")),
    Kind.OWED: pattern(r"nothing|burn|bank|hole|seat-[1-9]", ("nothing", "burn", "bank", "hole", "seat-1")),
    Kind.RULE: one_of(rule_names()),
    Kind.CLAUSE: one_of(texts()),
    Kind.CITED: one_of((*texts(), *names_of_rules())),
    Kind.GUARD: one_of(sorted(_GUARDS)),
    Kind.ACT: one_of({**ACTS, **ROULETTE.act_named}),
    Kind.PARAMETER: one_of((*SETTINGS, *TYPES)),
    Kind.VALUE: pattern(r"[a-z0-9._:,-]{1,160}"),
    Kind.NOTICE: one_of(_NOTICES),
    Kind.BACK: one_of(("1", "2")),
    Kind.RECEIVER: pattern(r"[1-9](/[1-9])?|bank", ("bank",)),
    Kind.HAND: pattern(r"[1-9](/[1-9])?"),
    Kind.TURN: pattern(r"[1-9](/[1-9])?|bank", ("bank",)),
    Kind.AMOUNT: pattern(_MONEY),
    Kind.SIGNED: pattern(rf"[+-]?{_MONEY}"),
    Kind.SIDE_BET: _values(SideBet),
    Kind.PAYMENT: _values(Payment),
    Kind.COMBINATION: pattern(r"[A-Za-z0-9-]{3,40}"),
    Kind.PAYS: pattern(r"rest|[0-9]{1,9}(\.[0-9]{2})?|[0-9]{1,3}(\.[0-9]{1,6})?%", ("rest",)),
    Kind.LEVEL: one_of(("reserve", "overflow")),
    Kind.COUNTER: one_of(("bets", "hits", "resets")),
    Kind.METER: one_of(("seeds", "contributions", "transfers", "paid", "by-hand")),
    Kind.OUTCOME: _values(Outcome),
    Kind.WHEEL_NUMBER: pattern(r"[0-9]{1,2}"),
    Kind.RESULT: pattern(r"[0-9]{1,2}|none", ("none",)),
    Kind.BET: pattern(r"[a-z]+(-[a-z]+)?(-[0-9]{1,2}){0,6}"),
    Kind.CHIP_COLOUR: _values(ChipColour),
    Kind.COLOUR: _values(Colour),
    Kind.GROUP: _values(Group),
    Kind.TROUBLE: pattern(r"[a-z]+(-[a-z]+)*"),
    Kind.WAY: one_of(("clockwise", "anticlockwise")),
    Kind.PERSON: one_of(PEOPLE),
    Kind.FACT: one_of(rule.name for rule in TABLE.facts if "source" in rule.fact.__struct_fields__),
    Kind.DETAIL: pattern(r"[a-z_]{1,20}=\S{1,80}"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """The values that follow a word of a scenario: between `least` and `most` values of one kind."""

    kind: Kind
    least: int = 1
    most: int = 1

    @property
    def shown(self) -> str:
        """Returns the slot in the notation of FORMAT.md: `[X]` for an optional value, `X...` for a value that may be
        repeated.
        """
        text = self.kind.value + ("..." if self.most > 1 else "")
        return text if self.least else f"[{text}]"


@dataclass(frozen=True, slots=True)
class Misfit:
    """The first word that does not fit its slot ("" if a word is missing), and the words that would fit."""

    word: str
    known: tuple[str, ...]
    joined: str = ""  # the word joined to the next one, in case the author forgot a hyphen


def misfit(slots: tuple[Slot, ...], words: Sequence[str]) -> Misfit | None:
    """Returns the first of `words` that does not fit the slots, or a missing word. None if the words fill all slots in
    order.
    """
    rest, known = list(words), tuple[str, ...]()
    for slot in slots:
        thing, taken = THINGS[slot.kind], 0
        while rest and taken < slot.most and thing.fits(rest[0]):
            rest.pop(0)
            taken, known = taken + 1, ()
        known += thing.words if taken < slot.most else ()
        if taken < slot.least:
            break
    else:
        if not rest:
            return None
    return Misfit(next(iter(rest), ""), known, "-".join(rest[:2]))
