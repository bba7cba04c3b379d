"""The entries of a journal with the results of their replay: the table before and after each, session and round.

An entry has the session and round of the table after it; a bet has the round for which it is placed.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from controller.core.custody.state import Dealt
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.deciding import Decision
from controller.core.house.state import State
from controller.core.words import RoundPhase
from controller.journal.codec import Plain
from controller.journal.entry import Entry
from controller.record.typed_texts import TypedTexts, typed_at
from controller.staff.known import StaffKnown

if TYPE_CHECKING:
    from controller.journal.storage import ReadableStorage
    from controller.runtime.folded import Folded


@dataclass(frozen=True, slots=True)
class Shown:
    """One entry, its session and round, and the core's decision. `decision` None: the entry does not replay.

    `body`: the entry's values, where each commitment is replaced by the words that people typed, or by FORGOTTEN or
    ELSEWHERE.
    """

    entry: Entry
    body: dict[str, Plain]
    session: int
    round: int
    seats: tuple[int, ...]
    before: BlackjackState | None
    after: BlackjackState | None
    decision: Decision[State] | None
    staff: StaffKnown  # the state of the staff in the journal at this entry

    @property
    def is_act(self) -> bool:
        return "role" in self.body

    @property
    def device(self) -> Plain:
        return self.body.get("device") if self.entry.source is None else self.entry.source.device

    @property
    def is_of_a_round(self) -> bool:
        """Returns True from the first bet until the round's cards are put back or left, before any closing."""
        before, after = self.before, self.after
        if before is None or after is None:
            return False
        return not before.game.phase is after.game.phase is RoundPhase.IDLE


def entries_shown(path: Path, exports: Sequence[Path] = ()) -> Iterator[Shown]:
    """Returns an iterator over every entry, also those that do not replay; at a damage it raises JournalDamaged.

    `exports`: the acknowledged exports, for a journal that begins after a removal. Without a state there, sessions are
    counted from the statement of the removal, and rounds are unknown.
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
    """Returns an iterator like `entries_shown`, from the directory's last checkpoint before that session on, if it has
    one.

    The checkpoint has no signature: it is good enough for a look at a table in play, but not for an audit.
    """
    from controller.journal.verify import entries_from
    from controller.record.removed_state import before_session

    folded, tip = before_session(path, session)
    if tip is None:
        return entries_shown(path)
    return _all_shown(entries_from(path, tip), folded, 0, typed_at(path), replays=True)


def stored_shown(storage: "ReadableStorage", key: str) -> Iterator[Shown]:
    """Returns an iterator over every verified entry, from the last checkpoint on. `key`: the table's public key."""
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
        before, decision = folded.state, None
        try:
            if replays:
                folded, decision = step(folded, entry, rules="")
        except (ReplayError, CodecError):
            replays = False
        body = typed.put_into(json.loads(bytes(entry.body)))
        yield _shown(entry, body, _of_cards(before), _of_cards(folded.state), decision, sessions, folded.staff)


def _of_cards(state: State | None) -> BlackjackState | None:
    return state if isinstance(state, BlackjackState) else None


def _shown(
    entry: Entry,
    body: dict[str, Plain],
    before: BlackjackState | None,
    after: BlackjackState | None,
    decision: Decision[State] | None,
    sessions: int,
    staff: StaffKnown,
) -> Shown:
    named = [value for key in ("seats", "seat") for value in _numbers(body.get(key))]
    if after is None:
        return Shown(entry, body, sessions, 0, tuple(sorted(set(named))), before, after, decision, staff)
    seats = tuple(sorted({*named, *(card.seat for card in changed(before, after))}))
    return Shown(entry, body, after.house.session_number, _round(before, after), seats, before, after, decision, staff)


def _round(before: BlackjackState | None, after: BlackjackState) -> int:
    """Returns the round of an entry. The count rises with the announcement, after the round's bets."""
    if after.game.phase is RoundPhase.BETTING:
        return after.game.number + 1
    bets_ended = (
        before is not None and before.game.phase is RoundPhase.BETTING and before.game.number == after.game.number
    )
    return after.game.number + bets_ended


def _numbers(value: Plain) -> list[int]:
    found = value if isinstance(value, list) else [value]
    return [one for one in found if isinstance(one, int) and not isinstance(one, bool)]


def changed(before: BlackjackState | None, after: BlackjackState) -> Iterator[Dealt]:
    """Yields the cards on the table that an entry has added or changed."""
    lay = Counter(before.game.dealt if before is not None else ())
    for dealt in after.game.dealt:  # compared by value: when a hand is collected, places change
        if lay[dealt]:
            lay[dealt] -= 1
        else:
            yield dealt
