"""Replays a journal: passes its entries through the core, one by one. Recovery, audit and tests all use this loop.

A replay needs only the journal: its first entry has the table's setup. The core must decide each act as the journal
recorded it, with the same reason for a refusal. If it decides otherwise, other rules decided the entries, and the
replay stops there.
"""

from enum import StrEnum, unique
from pathlib import Path
from typing import assert_never

from msgspec import Struct

from controller.core.engine.decision import Refusal
from controller.core.house.deciding import Decision, decide_by
from controller.core.house.facts import ControllerStarted
from controller.core.house.state import State
from controller.core.words import TableMs
from controller.journal.codec import canonical_digest
from controller.journal.entry import Entry, EntryRefusal, encode_entry
from controller.journal.errors import CodecError, JournalDamaged
from controller.journal.recovery import FIRST_SEQ
from controller.journal.tree import with_entry
from controller.runtime.entries import (
    BEGINS,
    FIRST,
    Recorded,
    ShellOnly,
    configured_after,
    lockout_after,
    staff_after,
)
from controller.runtime.folded import Folded, digest_of, has_this_form
from controller.runtime.game import AnyGame, game_of
from controller.runtime.incidents import first_of_round


@unique
class Misfit(StrEnum):
    """The reason why a replay stops. The catalogue has a sentence for each reason under `replay-stop`."""

    TIME = "time-goes-back"
    OTHERWISE = "decided-otherwise"
    BEGAN_OTHERWISE = "began-otherwise"
    NO_START = "no-start"
    OTHER_GAME = "other-game"
    NO_BEGINNING = "no-beginning"
    UNKNOWN = "unknown-entry"
    DAMAGED = "damaged"
    EMPTY = "no-entries"


class ReplayError(Exception):
    """A replay stops. `misfit`: the reason. `values`: the placeholders of the catalogue's sentence. The message names
    the entry.
    """

    def __init__(self, misfit: Misfit, message: str, **values: str) -> None:
        super().__init__(message)
        self.misfit = misfit
        self.values = values


def fold(folded: Folded, entry: Entry, rules: str | None = None) -> Folded:
    """Returns the state after one more entry. Raises ReplayError, CodecError.

    `folded`: the state before the entry. `rules`: the digest of this program's rules; None to assume that these rules
    decided the entries.
    """
    return step(folded, entry, rules)[0]


def step(folded: Folded, entry: Entry, rules: str | None = None) -> tuple[Folded, Decision[State]]:
    """Returns the state after one more entry, and the core's decision on the entry. Raises ReplayError, CodecError.

    `folded`: the state before the entry. `rules`: the digest of this program's rules; None to assume that these rules
    decided the entries.
    """
    state = folded.state or _beginning(entry)
    game = game_of(state.setup.profile)
    recorded = game.codec.decode(entry.kind, entry.body)
    if entry.table_ms < folded.table_ms:
        raise ReplayError(Misfit.TIME, f"entry {entry.seq}: table time goes back", entry=str(entry.seq))
    started, is_comparable = folded.started, folded.is_comparable
    if isinstance(recorded, ControllerStarted):
        if game_of(recorded.setup.profile) is not game:
            raise ReplayError(Misfit.OTHER_GAME, f"entry {entry.seq}: another game is played", entry=str(entry.seq))
        started, is_comparable = recorded, _agrees(folded, recorded, entry)
    judged = rules is None or started is None or started.rules_digest == rules
    decision = _decided(game, state, recorded, entry, judged=judged)
    return Folded(
        state=decision.state,
        entries=folded.entries + 1,
        last_seq=entry.seq,
        table_ms=entry.table_ms,
        lockout=lockout_after(folded.lockout, recorded, entry.credential, entry.table_ms),
        staff=staff_after(folded.staff, recorded),
        configured=configured_after(folded.configured, recorded),
        started=started,
        is_comparable=is_comparable,
        tree=with_entry(folded.tree, entry.seq, encode_entry(entry)),
        round_first=first_of_round(game, folded.round_first, entry.seq, state, decision.state),
    ), decision


def _agrees(folded: Folded, started: ControllerStarted, entry: Entry) -> bool:
    """Compares the state with the digest that a start recorded, and returns the new value of `is_comparable`: False if
    they differ and the rules have changed. Raises ReplayError if they differ under the same rules.
    """
    if not folded.is_comparable or folded.state is None or not has_this_form(started.state_digest, folded.state):
        return folded.is_comparable
    if digest_of(folded) == started.state_digest:
        return True
    if folded.started is not None and folded.started.rules_digest != started.rules_digest:
        return False
    raise ReplayError(
        Misfit.BEGAN_OTHERWISE,
        f"entry {entry.seq}: the start began with another state than the entries before it lead to",
        entry=str(entry.seq),
    )


def _beginning(entry: Entry) -> State:
    """Returns the table's state before a journal's first entry. `entry`: this first entry, which has the table's setup.

    Raises ReplayError, CodecError.
    """
    if entry.kind != BEGINS:
        raise _no_beginning(entry)
    setup = FIRST.decode(entry.kind, entry.body).setup
    state: State = game_of(setup.profile).registry.initial(setup)
    return state


def _decided(game: AnyGame, state: State, recorded: Recorded, entry: Entry, *, judged: bool) -> Decision[State]:
    """Decides an entry again. Raises ReplayError if the result differs from the recorded one.

    `judged`: False if other rules decided the entry. A recorded refusal is then the result, without a decision by the
    core.
    """
    if isinstance(recorded, ShellOnly):
        return Decision(state, (), None)
    if entry.refusal is not None and not judged:
        return Decision(state, (), Refusal(entry.refusal.reason, entry.refusal.rule))
    decision: Decision[State] = decide_by(game.registry, state, recorded, TableMs(entry.table_ms))
    was, now = _recorded(entry.refusal), _said(decision.refusal)
    if was != now:
        raise ReplayError(
            Misfit.OTHERWISE,
            f"entry {entry.seq}: {entry.kind} was {was} then and is {now} now",
            entry=str(entry.seq),
            was=was,
            now=now,
        )
    return decision


def _no_beginning(entry: Entry) -> ReplayError:
    if entry.seq == FIRST_SEQ:
        return ReplayError(Misfit.NO_START, f"entry 1: a journal begins with a start, not with {entry.kind}")
    return ReplayError(
        Misfit.NO_BEGINNING,
        f"entry {entry.seq}: the entries before it are not here, and no state behind them; "
        "replay the export that was acknowledged",
        entry=str(entry.seq),
    )


def _said(refusal: Refusal | None) -> str:
    return "allowed" if refusal is None else f"refused ({refusal.guard})"


def _recorded(refusal: EntryRefusal | None) -> str:
    return "allowed" if refusal is None else f"refused ({refusal.reason})"


class ReplayResult(Struct, frozen=True, gc=False):
    """The result of a replay. `entries`: the number of replayed entries. `removed`: the number of entries that
    retention removed before them. `state_digest`: the digest of the last state; "" without an entry.

    `reason`, `misfit`, `values`: the cause why the next entry does not replay; None and () if all entries do.
    """

    ok: bool
    entries: int
    state_digest: str
    reason: str | None = None
    removed: int = 0
    misfit: Misfit | None = None
    values: tuple[tuple[str, str], ...] = ()


def replay(path: Path, folded: Folded | None = None) -> ReplayResult:
    """Replays a journal's directory or an export. A damage is in the result. Raises StorageFailed if the journal cannot
    be read.

    `folded`: the state after the entries that retention has removed; None if none were removed.
    """
    # imported here, since a start folds its own entries and checks no export
    from controller.journal.verify import entries_of

    begins = folded or Folded()
    folded, stopped = begins, None
    try:
        for entry in entries_of(path):
            folded = fold(folded, entry)
    except (ReplayError, CodecError, JournalDamaged) as error:
        stopped = _stopped(error, folded.last_seq + 1)
    if folded.state is None and stopped is None:
        stopped = ReplayError(Misfit.EMPTY, "no entries")
    digest = "" if folded.state is None else canonical_digest(folded.state)
    return ReplayResult(
        ok=stopped is None,
        entries=folded.entries - begins.entries,
        state_digest=digest,
        reason=None if stopped is None else str(stopped),
        removed=begins.last_seq,
        misfit=None if stopped is None else stopped.misfit,
        values=() if stopped is None else tuple(stopped.values.items()),
    )


def _stopped(error: ReplayError | CodecError | JournalDamaged, entry: int) -> ReplayError:
    match error:
        case ReplayError():
            return error
        case JournalDamaged(damage=damage):
            where = {"entry": str(damage.first_bad_seq), "reason": damage.reason.value}
            return ReplayError(Misfit.DAMAGED, str(error), **where)
        case CodecError():
            return ReplayError(Misfit.UNKNOWN, str(error), entry=str(entry))
        case _:
            assert_never(error)
