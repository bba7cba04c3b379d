"""The entries that begin or end a void round or an irregular closing state it, as the list of incidents does."""

from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest
from msgspec import UNSET, structs

from controller.core.games.roulette.incidents import ContestSpin, RuleOnSpin, SpinOutcome
from controller.core.games.roulette.paying import ConfirmPayments
from controller.core.games.roulette.spins import AnnounceNumber, DeclareNullSpin, PutBallBack
from controller.core.house.attendance import SignIn
from controller.core.house.plain_session import OpenSession
from controller.core.words import Operation, SessionPhase
from controller.journal.entry import Entry
from controller.journal.verify import entries_of
from controller.protocol.incidents import TOLD, IncidentKind, Told, Turn
from controller.record.incidents import incidents_of
from controller.record.shown import entries_shown
from controller.runtime.checkpoint import newest_checkpoint
from controller.runtime.incidents import incidents_told
from tests.core.states_by_hand import in_play
from tests.runtime.bench import CHIEF, Bench
from tests.runtime.shown import written
from tests.runtime.void_evening import first_bet, void_evening, voids
from tests.runtime.wheel import CHIEF_21, DEALER_11, WheelTable

VOID, CLOSING = IncidentKind.VOID_ROUND, IncidentKind.IRREGULAR_CLOSING


def told(entries: Iterable[Entry]) -> list[tuple[str, Told]]:
    """The incidents that the entries tell, each with the kind of its entry."""
    return [
        (entry.kind, one)
        for entry in entries
        if entry.incidents is not UNSET
        for one in msgspec.json.decode(msgspec.json.encode(entry.incidents), type=tuple[Told, ...])
    ]


def listed(path: Path) -> list[tuple[IncidentKind, int, int]]:
    """The list's incidents without a hold, each with its first and its last entry."""
    found = [one for one in incidents_of(entries_shown(path)) if one.kind in TOLD]
    return [(one.kind, one.began.seq, 0 if one.ended is None else one.ended.seq) for one in found]


def test_the_entries_tell_what_the_list_of_incidents_finds_by_a_replay(tmp_path: Path) -> None:
    bench = void_evening()
    first = first_bet(bench)
    assert told(bench.entries()) == [
        ("make-ruling", Told(VOID, Turn.ENDED, first)),
        ("propose-irregular-closing", Told(CLOSING, Turn.BEGAN)),
        ("confirm-deck-check", Told(CLOSING, Turn.ENDED)),
    ]
    seqs = {entry.kind: entry.seq for entry in bench.entries()}
    assert listed(Path(written(bench.storage, tmp_path / "journal"))) == [
        (VOID, first, seqs["make-ruling"]),
        (CLOSING, seqs["propose-irregular-closing"], seqs["confirm-deck-check"]),
    ]


def test_a_start_in_the_middle_of_a_round_knows_its_first_entry_from_the_checkpoint() -> None:
    bench = Bench(segment_limit=1500)
    bench.play()
    bench.deal()
    first = first_bet(bench)
    bench.kill()
    newest = newest_checkpoint(bench.storage).checkpoint
    assert newest is not None
    assert newest.folded.last_seq > newest.folded.round_first == first, "the checkpoint lies within the round"
    bench.start()
    bench.run(2)
    voids(bench)
    assert told(bench.entries()) == [("make-ruling", Told(VOID, Turn.ENDED, first))]


def test_a_null_spin_that_people_take_back_is_none(tmp_path: Path) -> None:
    """A null spin without bets begins with its launch; one that is ruled to have a number is taken back."""
    table = WheelTable(tmp_path / "wheel")
    table.act(SignIn, DEALER_11, Operation.TABLE)
    table.act(OpenSession, DEALER_11)
    table.launch()
    table.land(17)
    table.launch()
    table.act(DeclareNullSpin, DEALER_11)
    table.act(ContestSpin, CHIEF_21)
    table.act(RuleOnSpin, CHIEF_21, SpinOutcome.NUMBER_STANDS, 5)
    table.act(AnnounceNumber, DEALER_11, 5)
    table.act(ConfirmPayments, DEALER_11)
    table.launch()
    for _ in range(2):
        table.act(DeclareNullSpin, DEALER_11)
        table.act(PutBallBack, DEALER_11, 5)
        table.launch()
    table.stop()
    entries = list(entries_of(tmp_path / "wheel"))
    _, second, third, *_ = (entry.seq for entry in entries if entry.kind == "launch-ball")
    ends = [entry.seq for entry in entries if entry.kind == "declare-null-spin"]
    assert told(entries) == [
        ("declare-null-spin", Told(VOID, Turn.ENDED, second)),
        ("rule-on-spin", Told(VOID, Turn.WITHDRAWN)),
        *[("declare-null-spin", Told(VOID, Turn.ENDED, third))] * 2,
    ]
    assert listed(tmp_path / "wheel") == [(VOID, third, end) for end in ends[1:]]


PROPOSED = {"irregular_proposed_by": CHIEF}
IRREGULAR = {"irregular": True}
OVER = {"irregular": True, "session": SessionPhase.CLOSED}


@pytest.mark.parametrize(
    ("before", "after", "turns"),
    [
        ({}, PROPOSED, [Turn.BEGAN]),
        (PROPOSED, IRREGULAR, []),
        (PROPOSED, {}, [Turn.WITHDRAWN]),
        (PROPOSED, OVER, [Turn.ENDED]),
        (IRREGULAR, OVER, [Turn.ENDED]),
        (OVER, {}, []),
    ],
)
def test_a_closing_goes_from_its_proposal_to_the_sessions_end(
    before: dict[str, object], after: dict[str, object], turns: list[Turn]
) -> None:
    state = in_play()
    was, now = (structs.replace(state, house=structs.replace(state.house, **values)) for values in (before, after))
    assert incidents_told(was, now, 3) == tuple(Told(CLOSING, turn) for turn in turns)
