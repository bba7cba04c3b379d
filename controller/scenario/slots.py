"""What may stand after a word: kinds of things, each with the texts that fit it."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from controller.config.profile import TYPES
from controller.core.acts import ACTS
from controller.core.cards import parse_card
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


@unique
class Kind(StrEnum):
    """One kind of thing, by the name that FORMAT.md gives it."""

    NUMBER = "NUMBER"
    SECONDS = "SECONDS"
    SEAT = "SEAT"
    CARD = "CARD"
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
    CLAUSE = "CLAUSE"
    GUARD = "GUARD"
    ACT = "ACT"
    PARAMETER = "PARAMETER"
    VALUE = "VALUE"
    DETAIL = "DETAIL"
    DEVIATION = "DEVIATION"
    RECEIVER = "RECEIVER"
    BACK = "BACK"
    OUTCOME = "OUTCOME"
    PERSON = "PERSON"


def _one_of(words: Sequence[str]) -> Callable[[str], bool]:
    return lambda text: text in words


def _pattern(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(pattern)
    return lambda text: compiled.fullmatch(text) is not None


OWED: Final = ("nothing", "burn", "bank", "hole")
FITS: Final[dict[Kind, Callable[[str], bool]]] = {
    Kind.NUMBER: _pattern(r"[0-9]{1,4}"),
    Kind.DEVIATION: _pattern(r"[+-][0-9]{1,3}"),
    Kind.SECONDS: _pattern(r"[0-9]{1,5}"),
    Kind.SEAT: _pattern(r"[1-9]"),
    Kind.CARD: lambda text: parse_card(text) is not None,
    Kind.FACE: lambda text: text in {"hidden", "unread"} or parse_card(text) is not None,
    Kind.PLACE: _one_of([one.value for one in JamPlace]),
    Kind.DEVICE: _one_of([one.value.replace("_", "-") for one in Device]),
    Kind.SESSION: _one_of([one.value for one in SessionPhase]),
    Kind.ROUND: _one_of([one.value for one in RoundPhase]),
    Kind.HOLD: _one_of([one.value for one in HoldKind]),
    Kind.PHASE: _one_of([one.value for one in HoldPhase]),
    Kind.DUTY: _one_of([one.value for one in DutyKind]),
    Kind.CLOSING: _one_of([one.value for one in Closing]),
    Kind.ON_OFF: _one_of(["on", "off"]),
    Kind.REPORT: _one_of(["final", "provisional"]),
    Kind.OWED: lambda text: text in OWED or re.fullmatch(r"seat-[1-9]", text) is not None,
    Kind.CLAUSE: _pattern(r"(pt|mo|br|house)\.[a-z0-9.]{1,20}"),
    Kind.GUARD: _pattern(r"[a-z]+(_[a-z]+)+"),
    Kind.ACT: _one_of(tuple(ACTS)),
    Kind.PARAMETER: _one_of(("decks", "seats", "minimum_bet", "maximum_bet", "reader", *TYPES)),
    Kind.VALUE: _pattern(r"[a-z0-9.-]{1,40}"),
    Kind.BACK: _pattern(r"[12]"),
    Kind.RECEIVER: _pattern(r"[1-9]|bank"),
    Kind.OUTCOME: _one_of([one.value for one in Outcome]),
    Kind.PERSON: _one_of(tuple(PEOPLE)),
    Kind.DETAIL: _pattern(r"[a-z_]{1,20}=\S{1,80}"),
}


@dataclass(frozen=True, slots=True)
class Slot:
    """`least` to `most` things of one kind."""

    kind: Kind
    least: int = 1
    most: int = 1

    @property
    def shown(self) -> str:
        """As FORMAT.md writes it: `[X]` may be left out, `X...` may stand several times."""
        text = self.kind.value + ("..." if self.most > 1 else "")
        return text if self.least else f"[{text}]"


def fit(slots: tuple[Slot, ...], words: Sequence[str]) -> bool:
    """Whether these words are what the slots take, in order, none left over."""
    rest = list(words)
    for slot in slots:
        taken = 0
        while rest and taken < slot.most and FITS[slot.kind](rest[0]):
            rest.pop(0)
            taken += 1
        if taken < slot.least:
            return False
    return not rest
