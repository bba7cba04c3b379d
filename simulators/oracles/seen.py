"""An observer's knowledge of a table from its entries and statuses, without the ways of single cards."""

from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.figures import Figures
from simulators.oracles.machine import Devices
from simulators.oracles.people import Chiefs
from simulators.oracles.sightings import SeenHold, Sighting

CARDS_INSIDE: Final = frozenset(("loading", "taking-out", "loaded", "in-play", "closing", "unloading"))
"""Steps of a session in which cards of the deck set may be in the machine."""

BEFORE_LOADING: Final = frozenset(("opened", "displayed", "mixed"))
"""Steps with the cards on the table, and an empty machine (pt.bj.53)."""

FOREIGN: Final = "FOREIGN"

_PHASE_AFTER: Final = {"attend-hold": "attended", "clear-hold": "cleared"}

_REPLACES: Final = frozenset(("replace-card", "replace-deck"))
"""Acts that also clear the hold for the damaged card."""

_MOVES_CARDS: Final = frozenset(("state-cards-moved", "state-count", "state-whole-count"))


class Seen:
    """An observer's knowledge of a table from the entries and statuses so far."""

    def __init__(self, figures: Figures) -> None:
        self.figures = figures
        self.seq = 0
        self.boot = 0
        self.resumed_at: frozenset[int] = frozenset()  # the numbers after parts that were left out of the export
        self.last: Entry | None = None
        self.chiefs = Chiefs(figures.presence_timeout_ms, figures.supervisors)
        self.devices = Devices()
        self.shown = Sighting(0)
        self.standing: dict[int, SeenHold] = {}  # by number: holds that a status has shown, and that no entry has ended
        self.may_have_ended: dict[int, SeenHold] = {}  # holds that may have ended since the last sighting
        self.moved_seq = 0  # the last entry with a card's movement
        self.journal_fails = False
        self.is_irregular = False  # people have decided on an irregular closing
        self.damaged: str | None = None
        self.has_seen_foreign = False
        self.differing_since_ms: int | None = None
        self.too_many_since_ms: int | None = None

    def take(self, entry: Entry) -> None:
        """Updates the knowledge with the next entry."""
        self.seq, self.boot, self.last = entry.seq, entry.boot, entry
        if entry.refused:
            return
        self.devices.hear(entry)
        if entry.is_act:
            self.chiefs.confirm(entry.number("person"), entry.table_ms)
        if entry.source is not None or entry.kind in _MOVES_CARDS:
            self.moved_seq = entry.seq
        self.has_seen_foreign |= FOREIGN in (entry.text("card"), *entry.items("cards")) or entry.number("foreign") > 0
        self._take_hold_act(entry)
        self._take_table(entry)

    def _take_table(self, entry: Entry) -> None:
        person, at_ms = entry.number("person"), entry.table_ms
        match entry.kind:
            case "sign-in":
                self.chiefs.sign_in(person, entry.text("role"), entry.text("operation"), at_ms)
            case "sign-out" | "person-removed":
                self.chiefs.leave(at_ms, person=person)
            case "timer-fired" if entry.text("timer") == "presence":
                self.chiefs.lapse(at_ms)
            case "complete-loading":
                self.chiefs.leave(at_ms, operation="loading")
            case "controller-started":
                self._started(entry)
            case "journal-failed" | "journal-restored":
                self.journal_fails = entry.kind == "journal-failed"
            case "open-session" | "confirm-irregular-closing":
                self.is_irregular, self.damaged = entry.kind != "open-session", None
            case "report-damaged-card":
                self.damaged = entry.text("card")
            case "replace-card" | "replace-deck":
                self.damaged = None
            case _:
                pass

    def _take_hold_act(self, entry: Entry) -> None:
        number = entry.number("hold")
        if entry.kind in _PHASE_AFTER and number in self.standing:
            self.standing[number] = self.standing[number]._replace(phase=_PHASE_AFTER[entry.kind])
        if entry.kind in _REPLACES:
            held = [one for one in self.standing.values() if one.kind == "damaged-card"]
            self.standing |= {one.number: one._replace(phase="cleared") for one in held}
        for hold in [one for one in self.standing.values() if may_end(one, entry)]:
            self.may_have_ended[hold.number] = self.standing.pop(hold.number)

    def _started(self, entry: Entry) -> None:
        """Applies a start of the controller: every presence ends, and the journal works again.

        If the start found and closed a damage of the journal, holds may have ended by entries that the export lacks.
        """
        self.journal_fails = False
        self.chiefs.leave(entry.table_ms)
        if any(str(finding).startswith(("damage-sealed", "behind-mark")) for finding in entry.items("findings")):
            self.may_have_ended |= self.standing
            self.standing = {}

    def show(self, shown: Sighting) -> None:
        """Updates the knowledge with a recorded status."""
        self.shown = shown
        self.standing = {hold.number: hold for hold in shown.holds}
        self.may_have_ended = {}

    @property
    def cards_are_known(self) -> bool:
        """True if a status with counts was recorded since a card last moved."""
        return self.shown.counts is not None and self.shown.seq >= self.moved_seq

    def count(self, place: str) -> int:
        """Returns the number of cards in a place, according to the last status."""
        return (self.shown.counts or {}).get(place, 0)

    def holds_for(self, *kinds: str) -> bool:
        """True if a hold of one of these kinds is open."""
        return any(hold.kind in kinds for hold in self.standing.values())

    @property
    def needed(self) -> tuple[str, ...]:
        """The devices without which the table cannot be played."""
        shuffler = ("shuffler",) if self.figures.has_shuffler else ()
        return (*shuffler, "shoe") if self.figures.has_reader else shuffler

    def too_many_last(self, *, is_more: bool) -> bool:
        """True if the status has shown too many cards for longer than a difference may last. `is_more`: True if the
        status shows too many cards now.

        A start of the controller sets the time back to 0.
        """
        if not is_more or self.last is None:
            self.too_many_since_ms = None
            return False
        now_ms = self.last.table_ms
        if self.too_many_since_ms is None or self.last.kind == "controller-started":
            self.too_many_since_ms = now_ms
        return now_ms - self.too_many_since_ms > self.figures.difference_ms + self.figures.grace_ms

    def difference(self) -> str:
        """Returns the numbers of cards inside by status and by machine as text; "" if the two numbers agree or cannot
        be compared. They can be compared while the shuffler is connected, knows its number, and has no jammed card. The
        session must also be at a step of CARDS_INSIDE, and no irregular closing may be decided.
        """
        status = self.devices.shuffler.status
        is_compared = self.shown.session in CARDS_INSIDE and self.devices.links["shuffler"].connected
        if status is None or status.inside is None or not is_compared or self.count("jammed") or self.is_irregular:
            return ""
        inside = self.count("inside")
        return "" if inside == status.inside else f"{inside} cards inside by the status, {status.inside} by the machine"


_ANNULS: Final = frozenset(
    ("report-face-up-card", "report-misdealt", "report-hole-exposed", "report-extra-card", "move-card", "retract-card")
) | {"rename-card", "name-card", "make-ruling", "confirm-outage"}
"""Acts that annul or rename a card: it then counts for no combination (pt.bj.47)."""

_ENDS: Final[dict[str, frozenset[str]]] = {
    "unread-card": frozenset(
        ("name-card", "rename-card", "confirm-outage", "retract-card", "make-ruling", "report-misdealt")
    ),
    "damaged-card": frozenset(("correct-entry",)),  # the report is taken back
    "count": frozenset(("enter-grid",)),
    "supervisor-absent": frozenset(("sign-in",)),
    "complaint": frozenset(("decide-complaint",)),
    "ruling": frozenset(("make-ruling",)),
    "jackpot-owed": frozenset(("pay-jackpot", "pay-jackpot-by-hand")) | _ANNULS,
    "jackpot-doubted": frozenset(("state-jackpot",)),
    "linked-hit": frozenset(("pay-linked-prize", "release-linked-hit")),
}
"""Entries that end each kind of hold, besides its confirmation; no device's report is among them."""

_PUT_BACK: Final = frozenset(("end-putting-back", "card-counted-in"))
"""Entries after which the last card may be back: a ruling on leftover cards is then needless (mo.2.2.4)."""

_OUTLIVE_A_SESSION: Final = frozenset(
    ("jam", "lid", "device-lost", "journal-fault", "jackpot-owed", "jackpot-doubted", "linked-hit")
)
_CLOSE: Final = frozenset(("confirm-irregular-closing", "confirm-deck-check"))


def may_end(hold: SeenHold, entry: Entry) -> bool:
    """True if this entry may have ended this hold."""
    if entry.kind == "confirm-hold":
        return entry.number("hold") == hold.number
    if entry.kind in _CLOSE:
        return hold.kind not in _OUTLIVE_A_SESSION
    if hold.kind == "ruling" and hold.cause == "leftovers" and entry.kind in _PUT_BACK:
        return True
    return entry.kind in _ENDS.get(hold.kind, ())
