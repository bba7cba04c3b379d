"""What an act changes besides what people see of it at once: each field that its effect sets, and each condition.

No written scenario shows these; a field dropped or a condition turned is found here (tests/scenario/finders.py).
"""

from controller.core import acts as a
from controller.core import events as e
from controller.core.cards import FOREIGN, Card
from controller.core.cards.books import differences
from controller.core.choices import ExtraCard, Faces
from controller.core.decide import decide
from controller.core.effects.corrections import give_set_aside
from controller.core.effects.deck_check import grids_entered
from controller.core.effects.turning import places_face_down
from controller.core.permitted import permitted_act
from controller.core.replacing import replace
from controller.core.state import (
    Book,
    Dealt,
    DisplayKnown,
    Hold,
    Join,
    Link,
    Presence,
    Ruling,
    SetAside,
    ShoeGame,
    State,
    initial_state,
)
from controller.core.words import (
    Cause,
    Closing,
    Device,
    DutyKind,
    HoldId,
    HoldKind,
    HoldPhase,
    JamPlace,
    Operation,
    Outage,
    OutageOutcome,
    Outcome,
    Person,
    Purpose,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
    Timer,
)
from tests.core.rows_out_of_reach import DAMAGED, DEAL, dealt
from tests.core.table import CHIEF, DEALER, MANAGER, SETUP, TECHNICIAN, CoreTable
from tests.core.test_holds import end_jam

D, C = (DEALER, Role.DEALER), (CHIEF, Role.CHIEF_SUPERVISOR)
LAST = Dealt(1, Purpose.SEAT, card=Card("9D"))


def after(state: State, act: a.Act) -> State:
    decision = decide(state, act, TableMs(5))
    assert decision.refusal is None, decision.refusal
    return decision.state


def waiting(state: State, *, pending: int, card: Card | None = None, outlives: bool = False) -> State:
    """With a card that lies aside, and perhaps another that belongs to nobody."""
    book = replace(state.book, inside=state.book.inside - pending, pending=pending)
    return replace(state, book=book, set_aside=SetAside(card, None, outlives))


# --- holds


def test_a_jam_that_ended_is_counted_once_and_no_other_hold(table: CoreTable) -> None:
    table.jam(JamPlace.MOUTH, cards=0)
    end_jam(table)
    assert (table.state.tally.jams_raised, table.state.tally.jams_cleared) == (1, 1)
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.holds
    for act in (a.AttendHold, a.ClearHold, a.ConfirmHold):
        table.act(act, CHIEF, hold=lid.id)
    assert table.state.tally.jams_cleared == 1


def test_a_technician_who_is_called_again_attests_again(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    table.act(a.AttestRepair, TECHNICIAN, hold=hold.id)
    assert table.state.holds[0].technician == TECHNICIAN
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    assert (table.state.holds[0].technician, table.state.holds[0].technician_called) == (None, True)


def test_who_left_a_hold_attends_it_no_more(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.SignOut, CHIEF)
    assert (table.state.holds[0].phase, table.state.holds[0].attended_by) == (HoldPhase.RAISED, None)


def test_a_supervisor_who_takes_a_hold_up_again_takes_the_call_for_the_technician_back(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    table.act(a.SignOut, CHIEF)
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    assert not table.state.holds[0].technician_called


def test_the_presence_that_lapses_first_is_waited_for_whatever_the_dealer_does() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.wait(100_000)
    table.act(a.SignIn, DEALER, operation=Operation.TABLE)
    table.wait(90_000)
    table.put(e.TimerFired(Timer.PRESENCE))
    assert [one.person for one in table.state.present] == [DEALER]


# --- a card that lies aside


def test_a_card_that_goes_to_a_hand_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    given = after(state, a.DrawCard(*D, 1))
    assert (given.set_aside, given.book.pending, given.dealt[-1]) == (None, 1, LAST)
    to_the_bank = give_set_aside(state, 0, TableMs(5))
    assert to_the_bank.dealt[-1].purpose is Purpose.BANK


def test_a_card_that_is_discarded_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    gone = after(state, a.ConfirmSettled(*D))
    assert (gone.set_aside, gone.book.pending) == (None, 1)
    stays = after(replace(state, set_aside=SetAside(Card("9D"), None, outlives_round=True)), a.ConfirmSettled(*D))
    assert stays.set_aside is not None


def test_a_card_kept_for_the_next_round_is_its_first() -> None:
    """mo.6.1b"""
    betting = replace(dealt(phase=RoundPhase.BETTING, profile="pt-csm"), provisional=False)
    state = waiting(betting, pending=2, card=Card("9D"), outlives=True)
    begun = after(state, a.AnnounceNoMoreBets(*D))
    assert (begun.set_aside, begun.book.pending, begun.dealt) == (None, 1, (LAST,))
    unseen = after(waiting(betting, pending=1, outlives=True), a.AnnounceNoMoreBets(*D))
    assert [hold.kind for hold in unseen.holds] == [HoldKind.UNREAD_CARD]


def test_a_card_kept_for_a_place_whose_cards_lie_face_down_has_its_number_and_its_seal() -> None:
    """mo.5.2.1.1, mo.6.1b"""
    betting = replace(dealt(phase=RoundPhase.BETTING, profile="mo-csm"), provisional=False, face_down=4)
    hidden = replace(betting.setup, procedure=replace(betting.setup.procedure, player_cards=Faces.DOWN))
    state = replace(waiting(betting, pending=1), setup=hidden, set_aside=SetAside(None, "ab" * 32, outlives_round=True))
    begun = after(state, a.AnnounceNoMoreBets(*D))
    assert begun.dealt == (Dealt(1, Purpose.SEAT, face_down=5, commitment="ab" * 32),)
    assert begun.face_down == 5


# --- corrections


def test_a_card_that_is_moved_is_the_banks_or_the_places() -> None:
    """mo.5.1.2a"""
    state = dealt(*DEAL[:3], LAST, profile="mo-csm")
    moved = after(state, a.MoveCard(*D, 0))
    assert (moved.dealt[-1].seat, moved.dealt[-1].purpose) == (0, Purpose.BANK)
    back = after(replace(moved, provisional=True), a.MoveCard(*D, 1))
    assert (back.dealt[-1].seat, back.dealt[-1].purpose) == (1, Purpose.SEAT)
    hole = after(dealt(*DEAL, profile="mo-box"), a.MoveCard(*D, 0))
    assert hole.dealt[-1].purpose is Purpose.HOLE


def test_a_void_round_owes_no_card_and_corrects_none() -> None:
    state = replace(dealt(*DEAL[:3], LAST, profile="mo-csm"), requested=1)
    ruled = after(after(state, a.CallForRuling(*D, Cause.DEAL_BEYOND_REPAIR)), a.MakeRuling(*C, Outcome.ROUND_VOID))
    assert (ruled.requested, ruled.provisional, ruled.round) == (None, False, RoundPhase.SETTLED)


def test_what_goes_on_after_a_ruling_may_be_corrected_while_no_card_is_nobodys() -> None:
    state = after(dealt(*DEAL[:3], LAST), a.CallForRuling(*D, Cause.DISPUTE))
    goes_on = a.MakeRuling(*C, Outcome.CONTINUE)
    assert after(state, goes_on).provisional
    pending = replace(state, book=replace(state.book, inside=state.book.inside - 1, pending=1))
    assert not after(pending, goes_on).provisional


def test_a_card_that_was_replaced_is_forgotten_with_where_it_was_found() -> None:
    state = replace(after(DAMAGED, a.RecordAuthorisation(*C, "SRIJ 4")), damaged_at_check=True)
    replaced = after(state, a.ReplaceCard(*C, Card("4D")))
    assert (replaced.damaged, replaced.damaged_at_check) == (None, False)


# --- loading and closing


def test_cards_that_were_taken_out_are_in_no_packet() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load(156, 155)
    table.act(a.TakeOutLoading, CHIEF)
    while table.status.inside:
        table.unload_one()
    table.act(a.ConfirmTakenOut, CHIEF)
    assert table.state.packets == ()


def test_an_opening_takes_the_machines_counts_as_it_finds_them() -> None:
    table = CoreTable()
    table.connect()
    table.act(a.SignIn, DEALER, operation=Operation.TABLE)
    known = replace(table.state.shuffler, counted_in=7, counted_out=7)
    opened = after(replace(table.state, shuffler=known), a.OpenSession(*D))
    assert (opened.shuffler.counted_in, opened.shuffler.counted_out) == (1000, 1000)


def test_a_foreign_card_in_the_grid_lay_in_the_place_of_one_that_is_missing() -> None:
    """pt.bj.3b"""
    state = replace(dealt(), session=SessionPhase.CHECKING, round=RoundPhase.IDLE)
    state = replace(state, book=replace(Book(), outside=312))
    one_less = (5, *(6,) * 51)
    in_its_place = after(state, a.EnterGrid(*D, one_less, 1))
    assert (in_its_place.book.outside, in_its_place.book.foreign, in_its_place.found_foreign) == (311, 1, 1)
    beside = after(state, a.EnterGrid(*D, (6,) * 52, 1))
    assert (beside.book.outside, beside.book.foreign) == (312, 1)
    corrected = after(beside, a.EnterGrid(*D, (6,) * 52, 0))
    assert (corrected.book.foreign, corrected.found_foreign) == (0, 0)


# --- figures


def test_a_shoe_whose_own_figure_says_otherwise_differs_in_play() -> None:
    state = replace(dealt(profile="pt-shoe"), provisional=False)
    reader = replace(state.reader, passages=1, heard=2)
    told = replace(state, reader=reader)
    assert [one.what for one in differences(told)] == ["passages"]
    assert differences(replace(told, irregular=True)) == ()


def test_a_bank_extra_card_that_may_be_valid_waits_over_the_round() -> None:
    """mo.6.1b"""
    extra = Dealt(0, Purpose.BANK, card=Card("9D"))
    state = dealt(*DEAL[:3], extra, extra, profile="mo-csm")
    valid = replace(state.setup, procedure=replace(state.setup.procedure, bank_extra_card=ExtraCard.VALID_IF_UNSEEN))
    kept = after(replace(state, setup=valid), a.ReportExtraCard(*D, seen=False))
    assert kept.set_aside is not None
    assert kept.set_aside.outlives_round


# --- what begins anew


DIRTY = {
    "seats": (1, 2),
    "dealt": (LAST,),
    "collected": (1,),
    "asked": (1,),
    "turn_back": 1,
    "requested": 1,
    "round_burned": 1,
    "provisional": True,
    "last_ruling": Ruling(Outcome.CONTINUE, CHIEF, Role.CHIEF_SUPERVISOR),
    "put_back_due": 3,
    "put_back": 2,
}
"""Everything of a round, as no round begins with it."""


def of_the_round(state: State) -> dict[str, object]:
    return {name: getattr(state, name) for name in DIRTY}


FRESH = of_the_round(initial_state(SETUP))


def test_nothing_of_a_round_outlives_it() -> None:
    over = after(replace(dealt(phase=RoundPhase.COLLECTED), **DIRTY), a.LeaveInRack(*D))
    assert of_the_round(over) == FRESH
    given_back = after(replace(dealt(phase=RoundPhase.BETTING), **DIRTY), a.CancelBets(*D))
    assert of_the_round(given_back) == FRESH
    put_back = replace(dealt(phase=RoundPhase.PUTTING_BACK), **DIRTY, holds=())
    assert of_the_round(after(replace(put_back, put_back=3), a.EndPuttingBack(*D))) == FRESH


def test_nothing_of_a_session_outlives_it() -> None:
    was = replace(initial_state(SETUP), **DIRTY, last_closing=Closing.IRREGULAR, deck_set=3, round_number=7)
    was = replace(was, shoe_game=ShoeGame(last_cut=2), book=replace(was.book, outside=300, rack=12, foreign=2))
    was = replace(was, heard_up_to=5)
    was = replace(was, replaced_alone=(Card("4D"),), found=(1,) * 52, found_foreign=1, found_by_back=((1,) * 53,) * 2)
    was = replace(was, read_out=(1,) * 52, read_out_foreign=1, reader=replace(was.reader, unseen=2))
    was = replace(was, join=Join(counted_ms=TableMs(1)), tally=replace(was.tally, loads=1, failed_loads=1, rounds=9))
    was = replace(was, present=(Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),))
    opened = after(was, a.OpenSession(*D))
    fresh = initial_state(SETUP)
    assert opened == replace(
        fresh,
        session=SessionPhase.OPENED,
        session_number=1,
        present=was.present,
        tally=replace(fresh.tally, rounds=9),
    )


def checked(**changes: object) -> State:
    """Regular decks, at the deck check."""
    here = (
        Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),
        Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.UNLOADING, TableMs(0), TableMs(5)),
    )
    state = replace(
        dealt(), provisional=False, session=SessionPhase.CHECKING, round=RoundPhase.IDLE, seats=(), dealt=()
    )
    status = None if state.shuffler.status is None else replace(state.shuffler.status, inside=0)
    state = replace(state, book=replace(Book(), outside=312), shuffler=replace(state.shuffler, status=status))
    return replace(state, found=(6,) * 52, present=here, packets=(156, 156), burned=1, **changes)


def test_a_regular_closing_leaves_the_decks_outside_and_nobody_but_the_dealer() -> None:
    closed = after(checked(), a.ConfirmDeckCheck(*D))
    assert (closed.session, closed.last_closing, closed.closing_final) == (SessionPhase.CLOSED, Closing.REGULAR, True)
    assert (closed.packets, closed.burned, closed.book) == ((), 0, replace(Book(), outside=312))
    assert [one.operation for one in closed.present] == [Operation.TABLE]


def test_an_irregular_closing_is_over_with_the_check() -> None:
    foreign = replace(Book(), outside=310, foreign=1)
    jam = Hold(HoldId(1), HoldKind.JAM, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF)
    check = checked(irregular=True, irregular_proposed_by=CHIEF, book=foreign, holds=(jam,))
    closed = after(check, a.ConfirmDeckCheck(*D))
    assert (closed.last_closing, closed.irregular, closed.irregular_proposed_by) == (Closing.IRREGULAR, False, None)
    assert closed.book == replace(Book(), outside=312, foreign=1)


def test_an_irregular_closing_ends_round_and_loading_and_what_was_damaged() -> None:
    figures = (("cause", "put-back"), ("counted", "4"), ("expected", "9"), ("missing", ""))
    count = Hold(HoldId(1), HoldKind.COUNT, HoldPhase.ATTENDED, TableMs(0), details=figures, attended_by=CHIEF)
    jam = Hold(HoldId(2), HoldKind.JAM, HoldPhase.RAISED, TableMs(0))
    absent = Hold(HoldId(3), HoldKind.SUPERVISOR_ABSENT, HoldPhase.RAISED, TableMs(0))
    state = replace(
        dealt(), **DIRTY, holds=(count, jam, absent), irregular_proposed_by=CHIEF, packet_open=True, deck_set=4
    )
    state = replace(state, damaged=Card("4D"), damaged_at_check=True, authorised="SRIJ 4")
    state = replace(state, join=Join(counted_ms=TableMs(1)))
    ended = after(state, a.ConfirmIrregularClosing(MANAGER, Role.ROOM_MANAGER))
    assert of_the_round(ended) == FRESH
    assert (ended.session, ended.round, ended.irregular) == (SessionPhase.UNLOADING, RoundPhase.IDLE, True)
    assert (ended.irregular_proposed_by, ended.refused_deck_sets, ended.packet_open) == (None, (4,), False)
    assert (ended.damaged, ended.damaged_at_check, ended.authorised, ended.join) == (None, False, "", Join())
    assert ended.duties[0].details == (("deck_set", "4"), ("causes", "4 9; jam"))
    assert [duty.kind for duty in ended.duties] == [DutyKind.REPORT_IRREGULAR_CLOSING, DutyKind.REPORT_DAMAGED_CARD]


def test_decks_that_were_put_away_unloaded_have_no_number() -> None:
    here = (Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),)
    opened = replace(initial_state(SETUP), session=SessionPhase.OPENED, deck_set=4, present=here)
    assert after(opened, a.AbandonOpening(*D)).deck_set is None


# --- devices


def test_what_came_between_reader_and_count_waits_anew_for_a_device_that_is_back(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(1_500)
    table.put(e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads))
    assert table.state.join.counted_ms == table.now
    table.read()
    table.read()
    table.wait(1_500)
    table.put(e.DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, table.status, None))
    assert (table.state.join.counted_ms, table.state.join.read_ms) == (None, table.now)


def test_a_reader_that_begins_anew_has_missed_nothing(table: CoreTable) -> None:
    reader = replace(table.state.reader, missing=2, heard=9)
    table.state = replace(table.state, reader=reader)
    table.put(e.DeviceConnected(Device.SHOE, "R", "R2", "1.0", 2, True, None, 5, keeps_events=False))
    found = table.state.reader
    assert (found.passages, found.missing, found.heard, found.keeps_events) == (5, 0, None, False)
    assert found.link == Link(connected=True, serial="R2", boot=2, taken=0, version="R 1.0")


def test_another_shuffler_counts_from_its_own_figures(table: CoreTable) -> None:
    other = replace(table.status, cards_in=7, cards_out=9, jams=4, recounts=6, counts_known=False, jammed=False)
    table.state = replace(table.state, jams_seen=1, jams_ended=1)
    state = decide(
        table.state, e.DeviceConnected(Device.SHUFFLER, "CSM", "S9", "1.0", 3, True, other, None), TableMs(9)
    ).state
    assert (state.shuffler.counted_in, state.shuffler.counted_out, state.shuffler.status) == (7, 9, other)
    assert (state.jams_seen, state.jams_ended, state.recount_request) == (4, 4, 7)
    assert [hold.kind for hold in state.holds] == [HoldKind.DEVICE_LOST, HoldKind.COUNT]


def test_events_that_are_gone_are_taken_and_of_a_reader_its_figure_is_not_known(table: CoreTable) -> None:
    table.put(e.EventsMissed(Device.SHOE, 2, 8))
    assert (table.state.reader.passages, table.state.reader.link.taken) == (None, 8)
    table.put(e.EventsMissed(Device.SHUFFLER, 400, 500))
    assert table.state.shuffler.link.taken == 500


# --- shoe and box


GAME = ShoeGame(
    players=(1, 2),
    decks_shuffled=(1,),
    counted_again=True,
    cut_refused=(2,),
    last_cut=2,
    behind=60,
    expected=252,
    measured=250,
    filled_at=9,
    out=40,
    first_round=1,
    last_round=2,
    announced=True,
)
"""A filling of which everything has been said."""


def at_a_shoe(**changes: object) -> State:
    return replace(dealt(profile="pt-shoe"), provisional=False, round=RoundPhase.IDLE, seats=(), dealt=(), **changes)


def test_gathered_cards_are_mixed_and_cut_anew() -> None:
    book = replace(Book(), inside=240, rack=70, withdrawn=3, foreign=1)
    gathered = after(at_a_shoe(shoe_game=GAME, book=book), a.GatherCards(*D))
    assert gathered.book == replace(Book(), outside=310, withdrawn=3, foreign=1)
    anew = ShoeGame(players=(1, 2), last_cut=2, out=40, first_round=1)
    assert gathered.shoe_game == anew
    spread = after(at_a_shoe(shoe_game=replace(GAME, last_round=None), book=book), a.SpreadCards(*D))
    assert spread.shoe_game == replace(anew, last_cut=0)


def test_a_filling_begins_its_own_count() -> None:
    cut = at_a_shoe(shoe_game=replace(GAME, measured=None), session=SessionPhase.CUT, burned=1)
    book = replace(Book(), outside=312)
    filled = after(replace(cut, book=book, reader=replace(cut.reader, passages=17)), a.FillShoe(*D))
    game = replace(GAME, measured=None, filled_at=17, out=0, first_round=3, last_round=None)
    assert filled.shoe_game == game
    assert (filled.burned, filled.tally.loads, filled.book) == (0, 1, replace(Book(), inside=312))


def test_who_sits_there_may_cut_though_others_had_refused() -> None:
    told = after(at_a_shoe(shoe_game=GAME), a.StatePlayers(*D, (4, 3)))
    assert (told.shoe_game.players, told.shoe_game.cut_refused) == ((3, 4), ())


# --- a count, an outage


def held(state: State, kind: HoldKind = HoldKind.COUNT, **changes: object) -> State:
    hold = Hold(HoldId(1), kind, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF, needs_count=True)
    here = Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.HOLD, TableMs(0), TableMs(5))
    return replace(state, holds=(replace(hold, **changes),), last_hold=HoldId(1), present=(*state.present, here))


def test_a_whole_count_is_where_every_figure_begins_anew() -> None:
    state = held(replace(dealt(), round=RoundPhase.PUTTING_BACK, put_back=2, put_back_due=9, seats=(), dealt=()))
    reader = replace(state.reader, passages=3, heard=8, missing=1, unseen=2)
    known = replace(state.shuffler, counted_in=1, counted_out=2)
    book = replace(state.book, inside=300, jammed_inside=2, jammed_feed=3)
    state = replace(state, reader=reader, shuffler=known, book=book, irregular_proposed_by=CHIEF, away=(1,) * 52)
    found = after(state, a.StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
    assert found.book == replace(Book(), inside=311, rack=1)
    assert (found.shuffler.counted_in, found.shuffler.counted_out) == (312, 1)
    told = (found.reader.passages, found.reader.heard, found.reader.missing, found.reader.unseen)
    assert told == (8, None, 0, 0)
    assert (found.put_back_due, found.irregular_proposed_by, found.away) == (3, None, (0,) * 52)
    assert dict(found.holds[0].details) == {"stated": "312", "deck_set_cards": "312"}
    nothing_heard = replace(state, reader=replace(reader, heard=None))
    counted = after(nothing_heard, a.StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
    assert (counted.reader.unseen, counted.reader.passages) == (0, 3)


def test_a_round_that_was_finished_by_hand_is_over_and_its_cards_are_counted_again() -> None:
    state = held(replace(dealt(*DEAL), **DIRTY), counted=True, needs_count=False)
    state = replace(
        state, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.FINISHED, join=Join(read_ms=TableMs(1))
    )
    over = after(state, a.ConfirmOutage(*D, OutageOutcome.FINISHED))
    assert of_the_round(over) == FRESH
    assert (over.outage, over.outage_said, over.join, over.round) == (Outage.NONE, None, Join(), RoundPhase.IDLE)
    assert (over.holds[0].needs_count, over.holds[0].counted) == (True, False)
    again = after(state, a.ConfirmOutage(*D, OutageOutcome.UNCHANGED))
    assert (again.outage, again.outage_said) == (Outage.TO_BE_STATED, None)


def test_an_outage_in_doubt_is_doubted_until_devices_had_their_time() -> None:
    state = dealt(*DEAL)
    begun = decide(state, started(state), TableMs(1_000)).state
    assert (begun.outage, begun.outage_doubted_until_ms) == (Outage.DOUBTED, 1_000 + SETUP.parameters.devices_due_ms)
    idle = decide(replace(state, round=RoundPhase.IDLE), started(state), TableMs(1_000)).state
    assert idle.outage is Outage.NONE
    stated = replace(state, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED)
    assert decide(stated, started(state), TableMs(1_000)).state.outage is Outage.TO_BE_STATED
    betting = replace(dealt(phase=RoundPhase.BETTING), outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED)
    ended = after(betting, a.CancelBets(*D))
    assert (ended.outage, ended.outage_said) == (Outage.NONE, None)


def started(state: State) -> e.ControllerStarted:
    known = dict.fromkeys(e.ControllerStarted.__struct_fields__, "")
    return e.ControllerStarted(**known | {"start_number": 2, "setup": state.setup, "findings": ()})


def test_a_start_knows_of_no_device_that_it_is_there() -> None:
    state = replace(dealt(*DEAL), display=DisplayKnown(Link(connected=True)))
    begun = decide(state, started(replace(state, setup=replace(state.setup, seats=5))), TableMs(1_000)).state
    assert not any(known.link.connected for known in (begun.shuffler, begun.reader, begun.display))
    assert (begun.start_number, begun.setup.seats) == (2, 5)
    assert begun.devices_due_ms == 1_000 + SETUP.parameters.devices_due_ms
    closed = decide(replace(state, session=SessionPhase.CLOSED), started(state), TableMs(1_000)).state
    assert closed.devices_due_ms is None


# --- counts that devices tell


def test_an_event_of_a_device_is_the_last_that_was_taken(table: CoreTable) -> None:
    status = replace(table.status, cards_out=table.status.cards_out + 1)
    state = decide(table.state, e.CardCountedOut(e.Source(9, 77), status), TableMs(9)).state
    assert (state.shuffler.link.boot, state.shuffler.link.taken) == (9, 77)
    assert (state.shuffler.counted_out, state.shuffler.status) == (status.cards_out, status)
    read = decide(table.state, e.CardRead(e.Source(8, 66), 5, Card("2C"), None), TableMs(9)).state
    assert (read.reader.link.boot, read.reader.link.taken, read.reader.passages) == (8, 66, 5)
    noted = decide(table.state, e.DisplayFaulted(e.Source(7, 55), 3), TableMs(9)).state
    assert (noted.display.link.boot, noted.display.link.taken) == (7, 55)


def test_who_acts_is_here_until_later(table: CoreTable) -> None:
    table.wait(70_000)
    table.act(a.TakeBets, DEALER, seats=(1,))
    assert [one.confirmed_ms for one in table.state.present if one.person == DEALER] == [table.now]


def test_the_back_colours_that_were_counted_are_known_by_number() -> None:
    assert grids_entered(replace(dealt(), found_by_back=((), (1,) * 53))) == [2]


def test_a_card_that_was_said_and_is_not_dealt_was_never_out() -> None:
    """At a table where people alone say what was dealt."""
    setup = replace(dealt(profile="pt-shoe").setup, has_reader=False)
    state = replace(dealt(*DEAL[:1], phase=RoundPhase.DEALING), setup=setup, shoe_game=ShoeGame(out=9))
    back = after(state, a.RetractCard(*D))
    assert (back.shoe_game.out, back.tally.drawn) == (8, -1)


def test_a_counted_round_owes_what_the_deal_lacks_and_no_further_card() -> None:
    setup = replace(dealt(profile="mo-box").setup, has_reader=False)
    state = held(replace(dealt(*DEAL[:3], phase=RoundPhase.DEALING), setup=setup))
    state = replace(state, book=replace(state.book, inside=309, rack=0, table=3))
    fewer = after(state, a.StateWholeCount(*C, inside=310, rack=0, table=2, burnt=0, in_hand=0, outside=0))
    assert (len(fewer.dealt), fewer.requested, fewer.book.table) == (2, None, 2)


def test_a_foreign_card_corrects_nothing_before_it() -> None:
    state = held(dealt(*DEAL, Dealt(1, Purpose.SEAT)), HoldKind.UNREAD_CARD)
    named = after(state, a.NameCard(*D, FOREIGN))
    assert not named.provisional
    assert (named.book.foreign, named.requested) == (1, 1)


def test_a_reader_that_could_not_read_is_counted_as_at_fault(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.draw()
    assert table.state.reader.faults == 0
    table.count_out()
    table.read(readable=False)
    assert table.state.reader.faults == 1


def test_a_card_that_was_read_and_not_counted_is_waited_for_no_more(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.read()
    table.wait(2_500)
    table.put(e.TimerFired(Timer.JOIN))
    assert table.state.join == Join()
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]


def test_the_second_of_a_double_feed_is_told_so(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.count_out()
    assert dict(table.state.holds[0].details)["cause"] == "double-feed"
    assert table.state.join.contested


def test_a_card_out_of_a_closed_table_joins_nothing() -> None:
    table = CoreTable()
    table.connect()
    table.count_out()
    assert (table.state.join, table.state.book.pending) == (Join(), 1)


def test_a_closed_table_starts_with_its_decks_outside() -> None:
    state = initial_state(SETUP)
    state = replace(state, book=replace(state.book, outside=200, foreign=1))
    assert decide(state, started(state), TableMs(9)).state.book.outside == 312
    fewer = replace(state, setup=replace(state.setup, decks=4))
    assert decide(fewer, started(fewer), TableMs(9)).state.book.outside == 208
    in_play_state = dealt(*DEAL)
    assert decide(in_play_state, started(in_play_state), TableMs(9)).state.book == in_play_state.book


def test_what_the_room_manager_has_to_look_into_is_open_once_of_a_kind() -> None:
    arose = e.DutyArose(next(iter(DutyKind)))
    once = decide(dealt(), arose, TableMs(9)).state
    assert [duty.kind for duty in once.duties] == [arose.kind]
    assert (once.last_duty, decide(once, arose, TableMs(10)).state.duties) == (1, once.duties)
    other = e.DutyArose([*DutyKind][-1])
    assert decide(once, other, TableMs(10)).state.last_duty == 2


def test_where_cards_lie_face_down_is_known_by_place_and_position() -> None:
    state = dealt(*DEAL[:2], Dealt(1, Purpose.SEAT, face_down=3), DEAL[3])
    assert places_face_down(state) == ((1, 2), (0, 2))


def test_a_card_that_people_named_anew_is_one_that_people_named() -> None:
    named = dealt(*DEAL, Dealt(1, Purpose.SEAT, card=Card("9D"), named=True))
    again = after(named, a.RenameCard(*D, 1, 3, Card("9H")))
    assert again.dealt[-1] == Dealt(1, Purpose.SEAT, card=Card("9H"), named=True)
    seen = held(dealt(*DEAL), HoldKind.RULING, details=(("cause", "dispute"),))
    looked = after(seen, a.RenameCard(*C, 1, 1, Card("9H")))
    assert looked.dealt[0].named


def test_a_card_that_is_tried_again_is_counted() -> None:
    state = dealt(*DEAL)
    assert state.shuffler.status is not None
    tried = e.CardRetried(e.Source(1, 1), state.shuffler.status, JamPlace.FEED, 1)
    assert decide(state, tried, TableMs(9)).state.tally.retried == 1


# --- readers


def test_when_every_device_is_there_none_is_waited_for(table: CoreTable) -> None:
    waited = replace(table.state, devices_due_ms=TableMs(50_000))
    back = e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads)
    assert decide(waited, back, TableMs(9)).state.devices_due_ms is None
    gone = replace(waited, shuffler=replace(waited.shuffler, link=replace(waited.shuffler.link, connected=False)))
    assert decide(gone, back, TableMs(9)).state.devices_due_ms == 50_000
    overdue = decide(gone, e.TimerFired(Timer.DEVICES), TableMs(60_000)).state
    assert overdue.devices_due_ms is None
    assert [(hold.kind, hold.device) for hold in overdue.holds] == [(HoldKind.DEVICE_LOST, Device.SHUFFLER)]


def test_a_reader_that_has_told_all_of_its_figure_is_believed_again(table: CoreTable) -> None:
    behind = replace(table.state, reader=replace(table.state.reader, passages=None, heard=4, missing=2, unseen=1))
    told = decide(behind, e.ReaderStatusHeard(9), TableMs(9)).state.reader
    assert (told.passages, told.heard, told.missing, told.unseen) == (9, None, 0, 3)
    other = decide(table.state, e.ReaderStatusHeard(table.reads + 1), TableMs(9)).state.reader
    assert (other.heard, other.passages) == (table.reads + 1, table.reads)


def test_two_identities_for_one_card_name_none(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.read()
    table.read()
    assert (table.state.join, dict(table.state.holds[0].details)["cause"]) == (Join(), "two-reads")


def test_what_a_reader_says_of_itself_holds_a_session_and_no_closed_table() -> None:
    at_play, closed = dealt(*DEAL), initial_state(SETUP)
    for event, kind in (
        (e.CardReversed(e.Source(1, 1), 0), HoldKind.UNEXPECTED_CARD),
        (e.ReaderRestarted(e.Source(1, 1)), HoldKind.DEVICE_LOST),
        (e.PresetChanged(e.Source(1, 1), "1", "2"), HoldKind.DEVICE_LOST),
    ):
        assert [hold.kind for hold in decide(at_play, event, TableMs(9)).state.holds] == [kind]
        assert decide(closed, event, TableMs(9)).state.holds == ()


def test_a_shoe_that_forgot_its_count_has_its_cards_counted() -> None:
    state = at_a_shoe(shoe_game=GAME)
    state = replace(state, reader=replace(state.reader, link=Link(serial="R1", boot=1)))
    forgot = e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 2, True, None, None)
    begun = decide(state, forgot, TableMs(9)).state
    assert begun.shoe_game == replace(GAME, filled_at=None)
    assert HoldKind.COUNT in [hold.kind for hold in begun.holds]
    empty = decide(replace(state, session=SessionPhase.MIXED), forgot, TableMs(9)).state
    assert HoldKind.COUNT not in [hold.kind for hold in empty.holds]


def test_a_jam_told_before_any_status_is_the_one_that_was_seen() -> None:
    state = dealt(*DEAL)
    assert state.shuffler.status is not None
    told = e.ShufflerJammed(e.Source(1, 1), replace(state.shuffler.status, jams=4, jammed=True), JamPlace.MOUTH, 0)
    once = decide(state, told, TableMs(9)).state
    assert (once.jams_seen, once.tally.jams_raised) == (4, 1)
    again = e.ShufflerJammed(e.Source(1, 2), told.status, JamPlace.FEED, 0)
    moved = decide(once, again, TableMs(10)).state
    assert (moved.holds[0].place, moved.tally.jams_raised, moved.holds[0].times) == (JamPlace.FEED, 1, 1)


# --- a hold whose cause comes again


def test_a_hold_whose_cause_comes_again_waits_anew_and_says_what_is_known_last() -> None:
    first = held(dealt(*DEAL), counted=True, needs_count=False, details=(("cause", "card-fed"),), times=1)
    called = e.JournalFailed("full")
    failed = decide(first, called, TableMs(9)).state
    cleared = replace(failed.holds[1], phase=HoldPhase.CLEARED, counted=True)
    twice = decide(replace(failed, holds=(failed.holds[0], cleared)), e.JournalFailed("io"), TableMs(10)).state
    again = twice.holds[1]
    assert (again.phase, again.times, again.counted, again.details) == (HoldPhase.RAISED, 2, False, (("reason", "io"),))


def test_who_attends_nothing_any_more_is_here_for_no_hold(table: CoreTable) -> None:
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.holds
    for act in (a.AttendHold, a.ClearHold):
        table.act(act, CHIEF, hold=lid.id)
    assert [one.person for one in table.state.present if one.operation is Operation.HOLD] == [CHIEF]
    assert table.state.holds[0].recount_request == table.state.recount_request
    table.act(a.ConfirmHold, CHIEF, hold=lid.id)
    assert [one for one in table.state.present if one.operation is Operation.HOLD] == []


def test_a_ruling_is_offered_to_the_authority_alone() -> None:
    """br.staff.3"""
    owed = held(dealt(*DEAL[:3], profile="br"), HoldKind.RULING, details=(("cause", "dispute"),))
    assert permitted_act(owed, a.MakeRuling).who == (Role.TABLE_INSPECTOR,)
    assert permitted_act(owed, a.TakeBets).who == (Role.DEALER,)


def test_another_firmware_calls_the_technician_anew(table: CoreTable) -> None:
    link = replace(table.state.reader.link, version="R 1.0")
    mine, others = (
        Hold(HoldId(n), HoldKind.DEVICE_LOST, HoldPhase.RAISED, TableMs(1), device, technician=Person(33))
        for n, device in ((1, Device.SHOE), (2, Device.SHUFFLER))
    )
    reader = replace(table.state.reader, link=link)
    table.state = replace(table.state, reader=reader, holds=(mine, others), last_hold=HoldId(2))
    table.put(e.DeviceConnected(Device.SHOE, "R", link.serial, "2.0", link.boot, True, None, reader.passages))
    found = {hold.device: (hold.technician_called, hold.technician) for hold in table.state.holds}
    assert found == {Device.SHOE: (True, None), Device.SHUFFLER: (False, Person(33))}


def test_the_firmware_of_a_device_that_nothing_needs_holds_nothing(table: CoreTable) -> None:
    link = Link(connected=True, serial="D1", boot=1, version="D 1.0")
    table.state = replace(table.state, display=DisplayKnown(link))
    table.put(e.DeviceConnected(Device.JACKPOT_DISPLAY, "D", "D1", "2.0", 1, True, None, None))
    assert table.state.holds == ()
