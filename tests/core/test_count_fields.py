"""The changes by a supervised count and by statements after an outage: each field, and each condition."""

from controller.core.custody.counting import StateCount, StateWholeCount
from controller.core.custody.outage import ConfirmOutage
from controller.core.custody.state import Book, Join
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import CancelBets
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.words import Outage, OutageOutcome, RoundPhase, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, C, D, after, dealt, dirty, held, is_fresh, started
from tests.core.table import CHIEF


def test_a_whole_count_is_where_every_figure_begins_anew() -> None:
    state = held(changed(dealt(), phase=RoundPhase.PUTTING_BACK, put_back=2, put_back_due=9, seats=(), dealt=()))
    reader = replace(state.devices.reader, passages=3, heard=8, missing=1, unseen=2)
    known = replace(state.devices.shuffler, counted_in=1, counted_out=2)
    book = replace(state.custody.book, inside=300, jammed_inside=2, jammed_feed=3)
    state = changed(state, reader=reader, shuffler=known, book=book, away=(1,) * 52, irregular_proposed_by=CHIEF)
    found = after(state, StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
    assert found.custody.book == replace(Book(), inside=311, rack=1)
    assert (found.devices.shuffler.counted_in, found.devices.shuffler.counted_out) == (312, 1)
    told = (
        found.devices.reader.passages,
        found.devices.reader.heard,
        found.devices.reader.missing,
        found.devices.reader.unseen,
    )
    assert told == (8, None, 0, 0)
    assert (found.game.put_back_due, found.house.irregular_proposed_by, found.custody.away) == (3, None, (0,) * 52)
    assert dict(found.house.holds[0].details) == {"stated": "312", "deck_set_cards": "312"}
    nothing_heard = changed(state, reader=replace(reader, heard=None))
    counted = after(nothing_heard, StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
    assert (counted.devices.reader.unseen, counted.devices.reader.passages) == (0, 3)


def test_a_counted_round_owes_what_the_deal_lacks_and_no_further_card() -> None:
    setup = replace(dealt(profile="mo-box").setup, has_reader=False)
    state = held(replace(dealt(*DEAL[:3], phase=RoundPhase.DEALING), setup=setup))
    state = changed(state, book=replace(state.custody.book, inside=309, rack=0, table=3))
    fewer = after(state, StateWholeCount(*C, inside=310, rack=0, table=2, burnt=0, in_hand=0, outside=0))
    assert (len(fewer.game.dealt), fewer.game.requested, fewer.custody.book.table) == (2, None, 2)


def test_a_round_that_was_finished_by_hand_is_over_and_its_cards_are_counted_again() -> None:
    state = held(dirty(dealt(*DEAL)), counted=True, needs_count=False)
    state = changed(
        state, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.FINISHED, join=Join(read_ms=TableMs(1))
    )
    over = after(state, ConfirmOutage(*D, OutageOutcome.FINISHED))
    assert is_fresh(over)
    assert (over.house.outage, over.house.outage_said, over.custody.join, over.game.phase) == (
        Outage.NONE,
        None,
        Join(),
        RoundPhase.IDLE,
    )
    assert (over.house.holds[0].needs_count, over.house.holds[0].counted) == (True, False)
    again = after(state, ConfirmOutage(*D, OutageOutcome.UNCHANGED))
    assert (again.house.outage, again.house.outage_said) == (Outage.TO_BE_STATED, None)


def test_a_start_in_an_open_round_doubts_it() -> None:
    state = dealt(*DEAL)
    assert decide_by(TABLE, state, started(state), TableMs(1_000)).state.house.outage is Outage.DOUBTED
    idle = decide_by(TABLE, changed(state, phase=RoundPhase.IDLE), started(state), TableMs(1_000)).state
    assert idle.house.outage is Outage.NONE
    stated = changed(state, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED)
    assert decide_by(TABLE, stated, started(state), TableMs(1_000)).state.house.outage is Outage.TO_BE_STATED
    betting = changed(dealt(phase=RoundPhase.BETTING), outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED)
    ended = after(betting, CancelBets(*D))
    assert (ended.house.outage, ended.house.outage_said) == (Outage.NONE, None)
