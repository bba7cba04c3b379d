"""Replays a journal and gives each entry with its context: the table's state before and after it, its session and its
round.

An entry belongs to the session and round that the table has after it. A bet belongs to the round for which it is
placed.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.core.house.deciding import Decision
from controller.core.house.state import State
from controller.journal.codec import Plain
from controller.journal.entry import Entry
from controller.journal.round_count import COMPLAINS
from controller.record.typed_texts import TypedTexts, typed_at
from controller.runtime.game import game_of
from controller.runtime.incidents import round_under_way
from controller.staff.known import StaffKnown

if TYPE_CHECKING:
    from controller.journal.storage import ReadableStorage
    from controller.runtime.folded import Folded


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry, with its session and round, and the core's decision. `decision`: None if the entry does not replay.
    `is_of_a_round`: True from a round's first bet to its end: its cards are put back or left, or a spin is paid.
    `seats`: the seats that the entry names, or whose cards it changes. `body`: the entry's values, with the typed words
    in place of their commitments, or a word of NO_WORDS if the words are missing.
    """

    entry: Entry
    body: dict[str, Plain]
    session: int
    round: int
    is_of_a_round: bool
    seats: tuple[int, ...]
    before: State | None
    after: State | None
    decision: Decision[State] | None
    staff: StaffKnown  # the state of the staff in the journal at this entry
    round_first: int  # the first entry of the entry's round; 0: it is of none, or that is not known
    complained_of: int | None = None  # the round that a recorded complaint concerns; None: no complaint, or not known

    @property
    def is_act(self) -> bool:
        return "role" in self.body

    @property
    def device(self) -> Plain:
        return self.body.get("device") if self.entry.source is None else self.entry.source.device


def entries_shown(path: Path, exports: Sequence[Path] = ()) -> Iterator[Shown]:
    """Returns an iterator over every entry, including entries that do not replay. The iterator raises JournalDamaged at
    a damage. Raises StorageFailed, NotBehind.

    `exports`: the acknowledged exports, for a journal from which retention has removed entries. If the state after the
    removed entries is unknown, the first session's number comes from the statement on them, and rounds are unknown.
    """
    from controller.journal.errors import NoStateHere
    from controller.journal.verify import entries_of
    from controller.record.removed_state import folded_behind
    from controller.runtime.folded import Folded

    try:
        folded = folded_behind(path, exports, rules="")
    except NoStateHere as behind:
        return _all_shown(entries_of(path), Folded(), behind.sessions, typed_at(path), replays=False)
    return _all_shown(entries_of(path), folded, 0, typed_at(path), replays=True)


def session_shown(path: Path, session: int) -> Iterator[Shown]:
    """Returns an iterator like `entries_shown` that begins at the last checkpoint before session `session`, or at the
    first entry if there is no such checkpoint. Does not check the checkpoint's signature: enough to watch a table in
    play, too little for an audit.
    """
    from controller.journal.verify import entries_from
    from controller.record.removed_state import before_session

    folded, tip = before_session(path, session)
    if tip is None:
        return entries_shown(path)
    return _all_shown(entries_from(path, tip), folded, 0, typed_at(path), replays=True)


def stored_shown(storage: "ReadableStorage", key: str) -> Iterator[Shown]:
    """Returns an iterator over the verified entries after the last trusted checkpoint; over all entries without a
    checkpoint.

    `key`: the table's public key. Raises StorageFailed.
    """
    from controller.journal.recovery import Walk
    from controller.journal.words import words_of
    from controller.runtime.checkpoint import kept_start, newest_checkpoint
    from controller.runtime.folded import Folded

    begins = newest_checkpoint(storage, key).checkpoint or kept_start(storage)
    folded, tip = (Folded(), None) if begins is None else (begins.folded, begins.tip)
    entries = (verified.entry for verified in Walk(storage, tip))
    return _all_shown(entries, folded, 0, TypedTexts(lambda: words_of(storage)), replays=True)


def _all_shown(
    entries: Iterator[Entry], folded: "Folded", sessions: int, typed: TypedTexts, *, replays: bool
) -> Iterator[Shown]:
    from controller.journal.errors import CodecError
    from controller.journal.progress import is_opening
    from controller.runtime.replay import ReplayError, step

    for entry in entries:
        sessions += is_opening(entry)
        before, first, decision = folded.state, folded.round_first, None
        try:
            if replays:
                folded, decision = step(folded, entry, rules="")
        except (ReplayError, CodecError):
            replays = False
        body = typed.put_into(json.loads(bytes(entry.body)))
        yield _shown(entry, body, before, folded, decision, sessions, first or folded.round_first)


def _shown(
    entry: Entry,
    body: dict[str, Plain],
    before: State | None,
    folded: "Folded",
    decision: Decision[State] | None,
    sessions: int,
    round_first: int,
) -> Shown:
    after = folded.state
    seats = {value for key in ("seats", "seat") for value in _numbers(body.get(key))}
    session, number, is_of_it = sessions, 0, False
    if after is not None:
        session, (number, is_of_it) = after.house.session_number, _round(before, after)
        seats.update(game_of(after.setup.profile).record().seats(before, after))
    of_round = session, number, is_of_it, tuple(sorted(seats))
    complained = _complained_of(entry, body, before)
    return Shown(entry, body, *of_round, before, after, decision, folded.staff, round_first, complained)


def _complained_of(entry: Entry, body: dict[str, Plain], before: State | None) -> int | None:
    """Returns the round that a complaint concerns: the round that it names, or the last round if it names none. None
    for an entry that is no complaint.
    """
    if entry.kind not in COMPLAINS or entry.refusal is not None:
        return None
    named = body.get("round")
    if isinstance(named, int):
        return named
    return None if before is None else before.game.number


def _round(before: State | None, after: State) -> tuple[int, bool]:
    """Returns the number of an entry's round, and True if this round was under way before or after the entry."""
    registry = game_of(after.setup.profile).registry
    was = None if before is None else round_under_way(registry, before)
    now = round_under_way(registry, after)
    found = was if now is None else now
    return (after.game.number, False) if found is None else (found, True)


def _numbers(value: Plain) -> list[int]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, int) and not isinstance(one, bool)]
