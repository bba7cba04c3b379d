"""The times at which a run's marks are due: its beginning, each minute with new entries, the end of a session."""

import pytest
from msgspec.structs import replace

from controller.core.house.state import State
from controller.core.words import SessionPhase
from controller.daemon.marks import EVERY_S, Marking
from controller.journal.mark import decode_mark
from controller.journal.recovery import Tip
from controller.journal.signing import Signer
from controller.journal.tree import Tree
from tests.core.states_by_hand import in_play

SIGNER = Signer(bytes(32))
NOW_S = 1000.0


@pytest.fixture
def marking() -> Marking:
    return Marking("T1", SIGNER, 3)


def tip(last: int) -> Tip:
    return Tip(head=bytes([last]) * 32, next_seq=last + 1)


def tree(last: int) -> Tree:
    return Tree(last, tuple(bytes([last, at]) * 16 for at in range(last.bit_count())))


def closed() -> State:
    state = in_play()
    return replace(state, house=replace(state.house, session=SessionPhase.CLOSED))


def due(marking: Marking, last: int, at_s: float, state: State | None = None) -> int | None:
    mark = marking.due(tip(last), in_play() if state is None else state, tree(last), at_s)
    return None if mark is None else mark.seq


def test_a_mark_is_due_at_the_beginning_and_each_minute_in_which_something_was_recorded(marking: Marking) -> None:
    assert due(marking, 1, NOW_S) == 1
    assert due(marking, 2, NOW_S + EVERY_S - 1) is None
    assert due(marking, 3, NOW_S + EVERY_S) == 3
    assert due(marking, 3, NOW_S + 3 * EVERY_S) is None, "nothing was recorded since"
    assert due(marking, 4, NOW_S + 3 * EVERY_S + 1) == 4


def test_the_end_of_a_session_has_a_mark_at_once_and_once(marking: Marking) -> None:
    assert due(marking, 1, NOW_S) == 1
    assert due(marking, 2, NOW_S + 1, closed()) == 2
    assert due(marking, 3, NOW_S + 2, closed()) is None
    assert due(marking, 4, NOW_S + 3) is None
    assert due(marking, 5, NOW_S + 4, closed()) == 5, "the next session's end"


def test_a_mark_that_was_not_written_is_due_again_at_once(marking: Marking) -> None:
    assert due(marking, 1, NOW_S) == 1
    marking.failed()
    assert due(marking, 1, NOW_S + 1) == 1


def test_it_says_how_far_the_journal_went_and_is_signed_by_the_tables_key(marking: Marking) -> None:
    state = in_play()
    mark = marking.due(tip(5), state, tree(5), NOW_S)
    assert mark is not None
    expected = (5, "05" * 32, state.house.session_number, "T1", tree(5).root().hex(), 3)
    assert (mark.seq, mark.head, mark.session, mark.table, mark.root, mark.epoch) == expected
    assert decode_mark(marking.signed(mark), SIGNER.public_key) == mark
    assert marking.newest == marking.signed(mark)
