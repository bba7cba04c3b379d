"""Summarises one session in figures, for the person who signs for the evening."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.core.house.state import Hold
from controller.core.words import HoldKind, SessionPhase
from controller.journal.codec import Plain
from controller.journal.round_count import COMPLAINS
from controller.record.filters import DECIDED
from controller.record.shown import Shown
from controller.staff.known import NOBODY_KNOWN, StaffKnown


@dataclass(slots=True)
class HoldTold:
    """The last state of a hold. `wall_ms`: the wall clock at the hold's beginning. `attended_ms`: the table time at
    which a person attended the hold; None if no person has. `ended_ms`: the table time at which the hold ended; None
    while it is open.
    """

    hold: Hold
    wall_ms: int
    attended_ms: int | None = None
    ended_ms: int | None = None


@dataclass(slots=True)
class SessionSummary:
    """The figures of one session. `session`: 0 if the journal has no entry. Times are by the wall clock.

    `ended_ms`: None while the session goes on. `has_cards`: False for a table without cards, such as a roulette table.
    `upheld`: True or False for each decided complaint. `people`: number and role of each person who acted, in order of
    appearance.
    """

    session: int
    deck_set: str = ""
    began_ms: int = 0
    ended_ms: int | None = None
    is_irregular: bool = False
    rounds: int = 0
    drawn: int = 0
    has_cards: bool = True
    voided: int = 0
    starts: int = 0
    entries: int = 0
    unsynced: int = 0  # entries that were made while the computer's clock was not synchronised
    wrong_pins: int = 0
    complaints: int = 0
    upheld: list[bool] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    holds: dict[int, HoldTold] = field(default_factory=dict)
    people: dict[tuple[int, str], None] = field(default_factory=dict)
    staff: StaffKnown = NOBODY_KNOWN  # the last known state of the staff in the journal

    @property
    def is_over(self) -> bool:
        return self.ended_ms is not None


def summary_of_session(entries: Iterable[Shown], session: int = 0) -> SessionSummary:
    """Returns the figures of one session from the journal's entries. `session`: 0 for the last session."""
    evening = SessionSummary(session)
    for one in entries:
        if not session and one.session > evening.session:
            evening = SessionSummary(one.session)
        if one.session == evening.session:
            _take(evening, one)
    return evening


def _take(evening: SessionSummary, one: Shown) -> None:
    evening.began_ms, evening.staff = evening.began_ms or one.entry.wall_ms, one.staff
    evening.entries, evening.unsynced = evening.entries + 1, evening.unsynced + (not one.entry.wall_synced)
    _take_kind(evening, one)
    if one.entry.refusal is not None:
        evening.refusals[one.entry.refusal.reason] += 1
    person, role = one.body.get("person"), one.body.get("role")
    if one.is_act and isinstance(person, int) and isinstance(role, str):
        evening.people[person, role] = None
    _take_counts(evening, one)
    _take_holds(evening, one)


def _take_kind(evening: SessionSummary, one: Shown) -> None:
    is_done = one.entry.refusal is None
    match one.entry.kind:
        case "controller-started":
            evening.starts += 1
        case "pin-refused":
            evening.wrong_pins += 1
        case "number-deck-set" if is_done:
            evening.deck_set = _text(one.body.get("deck_set"))
        case kind if kind in COMPLAINS and is_done:
            evening.complaints += 1
        case kind if kind in DECIDED and is_done:
            evening.upheld.append(one.body.get("upheld") is True)
        case "confirm-irregular-closing" if is_done:
            evening.is_irregular = True
        case _:
            pass


def _take_counts(evening: SessionSummary, one: Shown) -> None:
    before, after = one.before, one.after
    if before is None or after is None:
        return
    evening.has_cards = after.custody is not None
    was, now = before.house.tally, after.house.tally
    evening.rounds += _since(one, was.rounds, now.rounds)
    evening.drawn += _since(one, was.drawn, now.drawn)
    evening.voided += _since(one, was.voided, now.voided)
    if after.house.session is SessionPhase.CLOSED is not before.house.session:
        evening.ended_ms = one.entry.wall_ms


def _since(one: Shown, before: int, after: int) -> int:
    """Returns the change of a count from `before` to `after`. Returns 0 if a fact has lowered the count: counting then
    began anew.
    """
    return after - before if one.is_act else max(0, after - before)


def _take_holds(evening: SessionSummary, one: Shown) -> None:
    before, after = one.before, one.after
    if before is None or after is None or before.house.holds == after.house.holds:
        return
    stand = {int(hold.id): hold for hold in after.house.holds}
    for number, hold in stand.items():
        told = evening.holds.setdefault(number, HoldTold(hold, one.entry.wall_ms))
        told.hold = hold
        if told.attended_ms is None and hold.attended_by is not None:
            told.attended_ms = one.entry.table_ms
    for hold in before.house.holds:
        if int(hold.id) not in stand and int(hold.id) in evening.holds:
            evening.holds[int(hold.id)].ended_ms = one.entry.table_ms


def by_kind(evening: SessionSummary) -> dict[HoldKind, int]:
    """Returns the number of holds of each kind in the session `evening`."""
    return Counter(told.hold.kind for told in evening.holds.values())


def _text(value: Plain) -> str:
    return "" if value is None else str(value)
