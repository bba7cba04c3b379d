"""Rules about presence: cards go in and out of the machine only while a chief supervisor watches (pt.bj.54d, 55a)."""

from functools import partial
from typing import Final

from simulators.oracles.export_entries import Entry
from simulators.oracles.machine import status_in
from simulators.oracles.rule import Rule, on
from simulators.oracles.seen import Seen
from simulators.oracles.violation import Finding

_CARD_EVENTS: Final = on("card-counted-in", "card-counted-out")
_LOADING_ACTS: Final = on("begin-loading", "open-packet", "complete-loading", "take-out-loading", "confirm-taken-out")
_UNLOADING_ACTS: Final = on("begin-unloading", "complete-unloading", "confirm-deck-check")
_REPORTS_COME_LATE: Final = ("journal-fault", "device-lost")
"""During one of these holds the entry of a card's event may be much later than the card's movement."""


def _chief_is_here(operation: str, seen: Seen, entry: Entry) -> Finding | None:
    is_here = seen.chiefs.are_here(operation, entry.table_ms, seen.figures.grace_ms)
    if is_here or operation not in seen.figures.supervised:
        return None
    absent_s = seen.chiefs.absent_ms(operation, entry.table_ms) // 1000
    since = "never signed in" if absent_s > 1 << 40 else f"absent for {absent_s} s"
    return Finding(f"{entry.kind} with chief supervisor {since}", f"a chief supervisor present for {operation}")


def _cards_are_watched(operation: str, steps: tuple[str, ...], seen: Seen, entry: Entry) -> Finding | None:
    """Returns a finding if a card moves during one of `steps` although the last chief supervisor who watched
    `operation` left more than `stop_ms` earlier.
    """
    is_due = seen.shown.session in steps and seen.shown.seq == entry.seq - 1
    if not is_due or operation not in seen.figures.supervised:
        return None
    absent_ms, status = seen.chiefs.absent_ms(operation, entry.table_ms), status_in(entry)
    has_moved = status is not None and seen.devices.shuffler.has_moved(status)
    if absent_ms <= seen.figures.stop_ms or not has_moved or seen.holds_for(*_REPORTS_COME_LATE):
        return None
    return Finding(f"a card moved {min(absent_ms, 1 << 31) // 1000} s after the chief supervisor's presence", "none")


PEOPLE_RULES: Final = (
    Rule("chief supervisor at loading", "pt.bj.54d", _LOADING_ACTS, partial(_chief_is_here, "loading")),
    Rule("chief supervisor at unloading", "pt.bj.55a", _UNLOADING_ACTS, partial(_chief_is_here, "unloading")),
    Rule(
        "loading is watched",
        "pt.bj.54d",
        _CARD_EVENTS,
        partial(_cards_are_watched, "loading", ("loading", "taking-out")),
    ),
    Rule("unloading is watched", "pt.bj.55a", _CARD_EVENTS, partial(_cards_are_watched, "unloading", ("unloading",))),
)
