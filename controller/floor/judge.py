"""Judges a run (consecutive entries of one epoch) by comparing it with the entries of its table that the floor has.
Pure.

    the floor's line ends                      the run                              the judgement
    nowhere: there is none                     begins with 1, or names a gap        begins the table's first line
    at or after the run's last entry           has the same chain value there       doubled: nothing to do
    at or after the run's last entry           has another chain value there        forked
    just before the run's first entry          goes on from that entry              extends the line
    within the run                             has the same chain value there       its rest extends the line
    earlier, or nowhere                        names no gap                         go on from the floor's end
    earlier                                    names a gap (damage, retention)      extends the line, the gap is kept
    in an older epoch                          has a new epoch, follows an entry    begins a new line there
    in an older epoch                          has a new epoch, names a gap         begins a new line, the gap is kept
    in an older epoch                          has a new epoch, follows none here   go on from the last entry of both

A line is the history of a table in one epoch. Any other run is a fork: the table's key has signed two histories.
"""

from collections.abc import Callable
from enum import Enum, auto, unique
from typing import TypeAlias

from msgspec import Struct

from controller.floor.runs import Run
from controller.journal.format import ZERO
from controller.protocol.carried import FindingKind, Gap, Place

At: TypeAlias = Callable[[int], Place | None]
"""The place of an entry, by number, in the newest line or its ancestors; None if the floor lacks it."""

BEGINNING = Place(1, ZERO.hex(), 0)


@unique
class Verdict(Enum):
    DOUBLED = auto()
    GO_ON_FROM = auto()
    FORKED = auto()


class Extend(Struct, frozen=True):
    """The judgement that a run extends the table's newest line. `known`: the line's end before the run.

    `finding`: recorded when the run is stored; None if there is nothing to record.
    """

    run: Run
    known: Place
    finding: FindingKind | None = None


class Begin(Struct, frozen=True):
    """The judgement that a run begins a line, which is a table's history in one epoch.

    `parent`: the epoch of the line that the new one continues; None for the table's first line. `finding`: recorded
    when the run is stored; None if there is nothing to record.
    """

    run: Run
    parent: int | None
    finding: FindingKind | None = None


Judgement: TypeAlias = Verdict | Extend | Begin


def judged(run: Run, gap: Gap, newest: Place | None, at: At) -> Judgement:
    """Returns the judgement of a run by the table in this module. `newest`: the end of the table's newest line; None if
    the table has no line. `gap`: the gap that the table reports before the run. `at`: returns the end of the line at
    the entry with a given number.
    """
    if newest is None:
        return _first_line(run, gap)
    if run.epoch > newest.epoch:
        return _new_epoch(run, gap, newest, at)
    if run.last <= newest.seq:
        return Verdict.DOUBLED if _is(at(run.last), run.epoch, run.head) else Verdict.FORKED
    if run.epoch < newest.epoch:
        return Verdict.FORKED
    return _extended(run, gap, newest)


def _first_line(run: Run, gap: Gap) -> Judgement:
    if run.first == 1:
        return Begin(run, None)
    return Verdict.GO_ON_FROM if gap is Gap.NONE else Begin(run, None, FindingKind.BEGINS_LATER)


def _extended(run: Run, gap: Gap, newest: Place) -> Judgement:
    if run.first > newest.seq + 1:
        return Verdict.GO_ON_FROM if gap is Gap.NONE else Extend(run, newest, FindingKind.GAP)
    has = run.previous if run.first == newest.seq + 1 else run.rows[newest.seq - run.first].chain
    if has.hex() != newest.head:
        return Verdict.FORKED
    return Extend(run if run.first == newest.seq + 1 else run.behind(newest.seq), newest)


def _new_epoch(run: Run, gap: Gap, newest: Place, at: At) -> Judgement:
    before = BEGINNING if run.first == 1 else at(run.first - 1)
    if before is not None and before.head == run.previous.hex():
        return Begin(run, before.epoch, FindingKind.RESTORED if before.seq < newest.seq else None)
    if gap is not Gap.NONE:
        return Begin(run, newest.epoch, FindingKind.GAP)
    return Verdict.GO_ON_FROM


def first_differing(run: Run, at: At) -> int:
    """Returns the number of the first entry of a forked run whose chain value differs from the floor's. Uses a binary
    search: every later chain value differs, too.
    """
    same, differs = 0, len(run.rows) - 1
    while same < differs:
        middle = (same + differs) // 2
        row = run.rows[middle]
        place = at(row.seq)
        if place is not None and place.head == row.chain.hex():
            same = middle + 1
        else:
            differs = middle
    return run.rows[same].seq


def _is(place: Place | None, epoch: int, head: bytes) -> bool:
    return place is not None and (place.epoch, place.head) == (epoch, head.hex())
