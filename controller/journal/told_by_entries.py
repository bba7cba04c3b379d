"""Finds from a few entries the rounds that complaints concern, and if the entries come from a trial run (with simulated
devices).

The rest of the journal is not needed. FORMAT.md has the rules ("Session and round of an entry", "A start"). The
verifier in Go follows the same rules.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct, json

from controller.journal.entry import Entry
from controller.journal.round_count import OPENS, RoundCount

DECIDES: Final = frozenset({"decide-complaint", "decide-claim"})
"""The acts by which people decide the oldest complaint of the session that is not decided yet."""

ENDS_ALL: Final = "confirm-irregular-closing"
"""The act after which no complaint waits."""

_HEXADECIMAL: Final = re.compile(r"[0-9a-f]*")
_SAYS_SIMULATED: Final = frozenset({"controller-started", "device-connected"})


@dataclass(slots=True)
class Complaints:
    """The complaints among some entries. Each field is a mapping whose keys are numbers of entries.

    `about`: the number of the round that a complaint concerns. `repeats`: the number of the undecided complaint that a
    complaint repeats. `decided`: the number of the complaint that a decision decides; None if the entries do not show
    which.
    """

    about: dict[int, int] = field(default_factory=dict)
    repeats: dict[int, int] = field(default_factory=dict)
    decided: dict[int, int | None] = field(default_factory=dict)


def complaints_in(entries: Iterable[Entry]) -> Complaints:
    """Finds the complaints among `entries`. The field `about` of the result has only complaints whose round is known
    from `entries`.
    """
    count, found, waiting = RoundCount(), Complaints(), dict[tuple[object, ...], int]()
    for entry in entries:
        count.take(entry)
        if (about := count.complained_of(entry)) is not None:
            found.about[entry.seq] = about
            first = waiting.setdefault((*_by_whom(entry), about), entry.seq)
            if first != entry.seq:
                found.repeats[entry.seq] = first
        if entry.refusal is not None:
            continue
        if entry.kind in DECIDES:
            oldest = next(iter(waiting), None) if count.opened else None
            found.decided[entry.seq] = None if oldest is None else waiting.pop(oldest)
        elif entry.kind in (OPENS, ENDS_ALL):
            waiting.clear()
    return found


def _by_whom(entry: Entry) -> tuple[int, int]:
    """Returns the seat of a complaint and the player who complains there.

    The player is given by the bettor's number. Without a bettor, it is the sum of seat and player.
    """
    said = json.decode(entry.body, type=_Complaint)
    return said.seat, said.seat + said.player if said.bettor is None else said.bettor


def shows_a_try(entries: Iterable[Entry]) -> int | None:
    """Returns the number of the last entry that only a trial run writes. Returns None if the entries show no
    trial run.
    """
    return max((entry.seq for entry in entries if _is_of_a_try(entry)), default=None)


def _is_of_a_try(entry: Entry) -> bool:
    """True for the entry of a start or of a device that says that it is simulated. True also for a start with an
    invalid digest.
    """
    if entry.refusal is not None or entry.kind not in _SAYS_SIMULATED:
        return False
    said = json.decode(entry.body, type=_Start)
    digests = said.config_digest + said.rules_digest + said.seal_key
    return said.simulated or said.setup.simulated or _HEXADECIMAL.fullmatch(digests) is None


class _Complaint(Struct, frozen=True, gc=False):
    """The fields of a complaint that say who complains."""

    seat: int = 0
    player: int = 0
    bettor: int | None = None


class _Setup(Struct, frozen=True, gc=False):
    simulated: bool = False


class _Start(Struct, frozen=True, gc=False):
    """The fields by which a start, or a device's entry, shows that it is simulated."""

    simulated: bool = False
    setup: _Setup = _Setup()
    config_digest: str = ""
    rules_digest: str = ""
    seal_key: str = ""
