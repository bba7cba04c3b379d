"""What each kind of hold forbids and asks for, written down a second time; a row that says less is found.

Each state is made here by hand: most of these stand only for a moment at a table.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from controller.core import acts as a
from controller.core.cards import Card
from controller.core.decide import refused
from controller.core.events import ShufflerStatus
from controller.core.hold_table import forbids
from controller.core.state import Hold, Link, ReaderKnown, ShufflerKnown, State, initial_state
from controller.core.words import (
    Device,
    HoldId,
    HoldKind,
    HoldPhase,
    Permission,
    Person,
    Role,
    SessionPhase,
    TableMs,
)
from tests.core.table import SETUP

_EVERYTHING: Final = "draw feed unload bet put-back close"
_KINDS: Final = (
    # kind, forbids, to clear, to confirm
    (
        "jam",
        _EVERYTHING,
        "path_is_clear lid_is_closed jammed_cards_are_stated no_card_is_in_hand",
        "path_is_clear lid_is_closed device_runs_again recount_is_done no_card_is_in_hand counts_agree",
    ),
    (
        "lid",
        _EVERYTHING,
        "lid_is_closed no_card_is_in_hand",
        "lid_is_closed recount_is_done no_card_is_in_hand counts_agree",
    ),
    (
        "count",
        "draw unload bet close",
        "recount_is_done count_is_stated no_card_is_in_hand",
        "no_card_is_in_hand counts_agree",
    ),
    (
        "unexpected-card",
        _EVERYTHING,
        "no_card_is_pending count_is_stated no_card_is_in_hand",
        "no_card_is_in_hand counts_agree",
    ),
    ("unread-card", "draw bet put-back close", "", ""),
    ("damaged-card", "draw feed bet put-back close", "card_is_replaced", "card_is_replaced no_card_is_in_hand"),
    (
        "device-lost",
        _EVERYTHING,
        "device_is_connected",
        "device_is_connected no_card_is_in_hand counts_agree",
    ),
    ("complaint", "put-back close", "", ""),
    ("supervisor-absent", "feed unload", "", ""),
    (
        "journal-fault",
        _EVERYTHING,
        "journal_is_writing",
        "journal_is_writing no_card_is_in_hand counts_agree",
    ),
    ("ruling", _EVERYTHING, "", ""),
)
"""pt.bj.51c-e, 51a, 55b, 17a, 61, 54d; br.inc.1."""

_STATUS: Final = ShufflerStatus(312, 1, 311, 0, 0, True, False, False, False)


def in_play() -> State:
    """In play, one card burnt, everything connected and agreeing."""
    link = Link(connected=True)
    state = initial_state(SETUP)
    return replace(
        state,
        session=SessionPhase.IN_PLAY,
        book=replace(state.book, outside=0, inside=311, rack=1),
        shuffler=ShufflerKnown(link, 312, 1, _STATUS),
        reader=ReaderKnown(link=link),
    )


def _machine(state: State, status: ShufflerStatus) -> State:
    return replace(state, shuffler=replace(state.shuffler, status=status))


_SPOILT: Final[dict[str, Callable[[State], State]]] = {
    "path_is_clear": lambda s: _machine(s, replace(_STATUS, path_blocked=True)),
    "lid_is_closed": lambda s: _machine(s, replace(_STATUS, lid_open=True)),
    "jammed_cards_are_stated": lambda s: replace(s, book=replace(s.book, jammed_inside=1, inside=310)),
    "no_card_is_in_hand": lambda s: replace(s, book=replace(s.book, in_hand=1)),
    "no_card_is_pending": lambda s: replace(s, book=replace(s.book, pending=1)),
    "device_is_connected": lambda s: replace(
        s, shuffler=replace(s.shuffler, link=Link()), reader=replace(s.reader, link=Link())
    ),
    "device_runs_again": lambda s: _machine(s, replace(_STATUS, jammed=True)),
    "recount_is_done": lambda s: replace(s, recount_request=7),
    "count_is_stated": lambda s: replace(s, holds=tuple(replace(h, needs_count=True) for h in s.holds)),
    "counts_agree": lambda s: _machine(s, replace(_STATUS, inside=300)),
    "card_is_replaced": lambda s: replace(s, damaged=Card("4D")),
    "journal_is_writing": lambda s: replace(s, journal_failed=True),
}


def forbids_too_little(kind: str) -> list[str]:
    """What a hold of this kind should forbid and does not."""
    wanted = next(row[1] for row in _KINDS if row[0] == kind).split()
    return [one for one in wanted if not forbids(HoldKind(kind), None, Permission(one))]


def asks_too_little(kind: str) -> list[str]:
    """The evidence that a hold of this kind should ask for before it is cleared or confirmed, and does not."""
    row = next(row for row in _KINDS if row[0] == kind)
    less = [f"to_clear {one}" for one in row[2].split() if _refusal(kind, one, HoldPhase.ATTENDED) != one]
    return less + [f"to_confirm {one}" for one in row[3].split() if _refusal(kind, one, HoldPhase.CLEARED) != one]


def _refusal(kind: str, spoilt: str, phase: HoldPhase) -> str:
    device = Device.SHUFFLER if kind == "device-lost" else None
    asked = 7 if spoilt == "recount_is_done" else None
    hold = Hold(HoldId(1), HoldKind(kind), phase, TableMs(0), device, recount_request=asked)
    state = _SPOILT[spoilt](replace(in_play(), holds=(hold,)))
    make = a.ClearHold if phase is HoldPhase.ATTENDED else a.ConfirmHold
    refusal = refused(state, make(Person(21), Role.CHIEF_SUPERVISOR, HoldId(1)))
    return "" if refusal is None else refusal.guard


KINDS: Final = tuple(row[0] for row in _KINDS)
