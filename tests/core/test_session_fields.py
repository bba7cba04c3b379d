"""The changes by opening, starting and closing: new beginnings, and the parts that outlive round and session."""

from controller.core.custody.closing import ConfirmIrregularClosing
from controller.core.custody.deck_check import ConfirmDeckCheck, EnterGrid, grids_entered
from controller.core.custody.opening import AbandonOpening, CompleteLoading, ConfirmTakenOut, TakeOutLoading
from controller.core.custody.putting_back import EndPuttingBack, LeaveInRack
from controller.core.custody.state import Book, Card, Join, ShoeGame
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import CancelBets, TakeBets
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import SignIn
from controller.core.house.deciding import decide_by
from controller.core.house.facts import TimerFired
from controller.core.house.plain_session import OpenSession
from controller.core.house.state import DisplayKnown, Hold, Link, Presence
from controller.core.words import (
    Closing,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    Operation,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
    Timer,
)
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, D, after, dealt, dirty, is_fresh, started
from tests.core.table import CHIEF, DEALER, MANAGER, SETUP, CoreTable


def test_nothing_of_a_round_outlives_it() -> None:
    over = after(dirty(dealt(phase=RoundPhase.COLLECTED)), LeaveInRack(*D))
    assert is_fresh(over)
    given_back = after(dirty(dealt(phase=RoundPhase.BETTING)), CancelBets(*D))
    assert is_fresh(given_back)
    put_back = dirty(changed(dealt(phase=RoundPhase.PUTTING_BACK), holds=()))
    assert is_fresh(after(changed(put_back, put_back=3), EndPuttingBack(*D)))


def test_nothing_of_a_session_outlives_it() -> None:
    was = changed(dirty(initial_state(SETUP)), last_closing=Closing.IRREGULAR, deck_set=3, number=7, heard_up_to=5)
    was = changed(was, shoe_game=ShoeGame(last_cut=2), book=replace(was.custody.book, outside=300, rack=12, foreign=2))
    was = changed(was, replaced_alone=(Card("4D"),), found=(1,) * 52, found_foreign=1, found_by_back=((1,) * 53,) * 2)
    was = changed(was, read_out=(1,) * 52, read_out_foreign=1, reader=replace(was.devices.reader, unseen=2))
    was = changed(
        was, join=Join(counted_ms=TableMs(1)), tally=replace(was.house.tally, loads=1, failed_loads=1, rounds=9)
    )
    was = changed(was, present=(Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),))
    opened = after(was, OpenSession(*D))
    fresh = initial_state(SETUP)
    assert opened == changed(
        fresh,
        session=SessionPhase.OPENED,
        session_number=1,
        present=was.house.present,
        tally=replace(fresh.house.tally, rounds=9),
    )


def checked(**changes: object) -> BlackjackState:
    """Makes a table at the deck check whose decks are regular."""
    here = (
        Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),
        Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.UNLOADING, TableMs(0), TableMs(5)),
    )
    state = changed(
        dealt(), provisional=False, session=SessionPhase.CHECKING, phase=RoundPhase.IDLE, seats=(), dealt=()
    )
    status = None if state.devices.shuffler.status is None else replace(state.devices.shuffler.status, inside=0)
    state = changed(state, book=replace(Book(), outside=312), shuffler=replace(state.devices.shuffler, status=status))
    state = changed(state, found=(6,) * 52, packets=(156, 156), burned=1)
    return changed(state, present=here, **changes)


def test_a_regular_closing_leaves_the_decks_outside_and_nobody_but_the_dealer() -> None:
    closed = after(checked(), ConfirmDeckCheck(*D))
    assert (closed.house.session, closed.house.last_closing, closed.house.closing_final) == (
        SessionPhase.CLOSED,
        Closing.REGULAR,
        True,
    )
    assert (closed.custody.packets, closed.custody.burned, closed.custody.book) == ((), 0, replace(Book(), outside=312))
    assert [one.operation for one in closed.house.present] == [Operation.TABLE]


def test_an_irregular_closing_is_over_with_the_check() -> None:
    foreign = replace(Book(), outside=310, foreign=1)
    jam = Hold(HoldId(1), HoldKind.JAM, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF)
    check = checked(irregular=True, irregular_proposed_by=CHIEF, book=foreign, holds=(jam,))
    closed = after(check, ConfirmDeckCheck(*D))
    assert (closed.house.last_closing, closed.house.irregular, closed.house.irregular_proposed_by) == (
        Closing.IRREGULAR,
        False,
        None,
    )
    assert closed.custody.book == replace(Book(), outside=312, foreign=1)


def test_an_irregular_closing_ends_round_and_loading_and_what_was_damaged() -> None:
    figures = (("cause", "put-back"), ("counted", "4"), ("expected", "9"), ("missing", ""))
    count = Hold(HoldId(1), HoldKind.COUNT, HoldPhase.ATTENDED, TableMs(0), details=figures, attended_by=CHIEF)
    jam = Hold(HoldId(2), HoldKind.JAM, HoldPhase.RAISED, TableMs(0))
    absent = Hold(HoldId(3), HoldKind.SUPERVISOR_ABSENT, HoldPhase.RAISED, TableMs(0))
    state = changed(
        dirty(dealt()), holds=(count, jam, absent), irregular_proposed_by=CHIEF, packet_open=True, deck_set=4
    )
    state = changed(state, damaged=Card("4D"), damaged_at_check=True, authorised="SRIJ 4")
    state = changed(state, join=Join(counted_ms=TableMs(1)))
    ended = after(state, ConfirmIrregularClosing(MANAGER, Role.ROOM_MANAGER))
    assert is_fresh(ended)
    assert (ended.house.session, ended.game.phase, ended.house.irregular) == (
        SessionPhase.UNLOADING,
        RoundPhase.IDLE,
        True,
    )
    assert (ended.house.irregular_proposed_by, ended.custody.refused_deck_sets, ended.custody.packet_open) == (
        None,
        (4,),
        False,
    )
    assert (ended.custody.damaged, ended.custody.damaged_at_check, ended.custody.authorised, ended.custody.join) == (
        None,
        False,
        "",
        Join(),
    )
    assert ended.house.duties[0].details == (("deck_set", "4"), ("causes", "4 9; jam"))
    assert [duty.kind for duty in ended.house.duties] == [
        DutyKind.REPORT_IRREGULAR_CLOSING,
        DutyKind.REPORT_DAMAGED_CARD,
    ]


def test_decks_that_were_put_away_unloaded_have_no_number() -> None:
    here = (Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),)
    opened = changed(initial_state(SETUP), session=SessionPhase.OPENED, deck_set=4, present=here)
    assert after(opened, AbandonOpening(*D)).custody.deck_set is None


def test_cards_that_were_taken_out_are_in_no_packet() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load(156, 155)
    table.act(TakeOutLoading, CHIEF)
    while table.status.inside:
        table.unload_one()
    table.act(ConfirmTakenOut, CHIEF)
    assert table.state.custody.packets == ()


def test_no_card_of_a_failed_loading_stays_in_the_rack() -> None:
    """pt.bj.3a, pt.bj.54c: one loading is of all cards, even of a burnt card whose entries were damaged."""
    table = CoreTable()
    table.open()
    tally = replace(table.state.house.tally, loads=0, burned=0)
    table.state = changed(table.state, session=SessionPhase.LOADING, burned=0, tally=tally)
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    table.act(TakeOutLoading, CHIEF)
    while table.status.inside:
        table.unload_one()
    assert (table.state.custody.book.outside, table.state.custody.book.rack) == (311, 1)
    table.act(ConfirmTakenOut, CHIEF)
    assert table.state.custody.book == Book(outside=312)
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)


def test_an_opening_takes_the_machines_counts_as_it_finds_them() -> None:
    table = CoreTable()
    table.connect()
    table.act(SignIn, DEALER, operation=Operation.TABLE)
    known = replace(table.state.devices.shuffler, counted_in=7, counted_out=7)
    opened = after(changed(table.state, shuffler=known), OpenSession(*D))
    assert (opened.devices.shuffler.counted_in, opened.devices.shuffler.counted_out) == (1000, 1000)


def test_a_closed_table_starts_with_its_decks_outside() -> None:
    state = initial_state(SETUP)
    state = changed(state, book=replace(state.custody.book, outside=200, foreign=1))
    assert decide_by(TABLE, state, started(state), TableMs(9)).state.custody.book.outside == 312
    fewer = replace(state, setup=replace(state.setup, decks=4))
    assert decide_by(TABLE, fewer, started(fewer), TableMs(9)).state.custody.book.outside == 208
    in_play_state = dealt(*DEAL)
    assert (
        decide_by(TABLE, in_play_state, started(in_play_state), TableMs(9)).state.custody.book
        == in_play_state.custody.book
    )


def test_a_start_knows_of_no_device_that_it_is_there() -> None:
    state = changed(dealt(*DEAL), display=DisplayKnown(Link(connected=True)))
    begun = decide_by(TABLE, state, started(replace(state, setup=replace(state.setup, seats=5))), TableMs(1_000)).state
    assert not any(
        known.link.connected for known in (begun.devices.shuffler, begun.devices.reader, begun.devices.display)
    )
    assert (begun.house.start_number, begun.setup.seats) == (2, 5)
    assert begun.devices.devices_due_ms == 1_000 + SETUP.parameters.devices_due_ms
    closed = decide_by(TABLE, changed(state, session=SessionPhase.CLOSED), started(state), TableMs(1_000)).state
    assert closed.devices.devices_due_ms is None


def test_a_foreign_card_in_the_grid_lay_in_the_place_of_one_that_is_missing() -> None:
    """Clause: pt.bj.3b."""
    state = changed(dealt(), session=SessionPhase.CHECKING, phase=RoundPhase.IDLE)
    state = changed(state, book=replace(Book(), outside=312))
    one_less = (5, *(6,) * 51)
    in_its_place = after(state, EnterGrid(*D, one_less, 1))
    assert (
        in_its_place.custody.book.outside,
        in_its_place.custody.book.foreign,
        in_its_place.custody.found_foreign,
    ) == (311, 1, 1)
    beside = after(state, EnterGrid(*D, (6,) * 52, 1))
    assert (beside.custody.book.outside, beside.custody.book.foreign) == (312, 1)
    corrected = after(beside, EnterGrid(*D, (6,) * 52, 0))
    assert (corrected.custody.book.foreign, corrected.custody.found_foreign) == (0, 0)


def test_the_back_colours_that_were_counted_are_known_by_number() -> None:
    assert grids_entered(changed(dealt(), found_by_back=((), (1,) * 53))) == [2]


def test_the_presence_that_lapses_first_is_waited_for_whatever_the_dealer_does() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.wait(100_000)
    table.act(SignIn, DEALER, operation=Operation.TABLE)
    table.wait(90_000)
    table.put(TimerFired(Timer.PRESENCE))
    assert [one.person for one in table.state.house.present] == [DEALER]


def test_who_acts_is_here_until_later(table: CoreTable) -> None:
    table.wait(70_000)
    table.act(TakeBets, DEALER, seats=(1,))
    assert [one.confirmed_ms for one in table.state.house.present if one.person == DEALER] == [table.now]
