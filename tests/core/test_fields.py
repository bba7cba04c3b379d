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
    Round,
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
from tests.core.parts import changed
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
    book = replace(state.custody.book, inside=state.custody.book.inside - pending, pending=pending)
    return replace(state, custody=replace(state.custody, book=book, set_aside=SetAside(card, None, outlives)))


# --- holds


def test_a_jam_that_ended_is_counted_once_and_no_other_hold(table: CoreTable) -> None:
    table.jam(JamPlace.MOUTH, cards=0)
    end_jam(table)
    assert (table.state.house.tally.jams_raised, table.state.house.tally.jams_cleared) == (1, 1)
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.house.holds
    for act in (a.AttendHold, a.ClearHold, a.ConfirmHold):
        table.act(act, CHIEF, hold=lid.id)
    assert table.state.house.tally.jams_cleared == 1


def test_a_technician_who_is_called_again_attests_again(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    table.act(a.AttestRepair, TECHNICIAN, hold=hold.id)
    assert table.state.house.holds[0].technician == TECHNICIAN
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    assert (table.state.house.holds[0].technician, table.state.house.holds[0].technician_called) == (None, True)


def test_who_left_a_hold_attends_it_no_more(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.SignOut, CHIEF)
    assert (table.state.house.holds[0].phase, table.state.house.holds[0].attended_by) == (HoldPhase.RAISED, None)


def test_a_supervisor_who_takes_a_hold_up_again_takes_the_call_for_the_technician_back(table: CoreTable) -> None:
    table.jam()
    (hold,) = table.state.house.holds
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    table.act(a.CallTechnician, CHIEF, hold=hold.id)
    table.act(a.SignOut, CHIEF)
    table.act(a.AttendHold, CHIEF, hold=hold.id)
    assert not table.state.house.holds[0].technician_called


def test_the_presence_that_lapses_first_is_waited_for_whatever_the_dealer_does() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.wait(100_000)
    table.act(a.SignIn, DEALER, operation=Operation.TABLE)
    table.wait(90_000)
    table.put(e.TimerFired(Timer.PRESENCE))
    assert [one.person for one in table.state.house.present] == [DEALER]


# --- a card that lies aside


def test_a_card_that_goes_to_a_hand_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    given = after(state, a.DrawCard(*D, 1))
    assert (given.custody.set_aside, given.custody.book.pending, given.game.dealt[-1]) == (None, 1, LAST)
    to_the_bank = give_set_aside(state, 0, TableMs(5))
    assert to_the_bank.game.dealt[-1].purpose is Purpose.BANK


def test_a_card_that_is_discarded_lies_aside_no_more_and_another_stays_nobodys() -> None:
    state = waiting(dealt(*DEAL[:3]), pending=2, card=Card("9D"))
    gone = after(state, a.ConfirmSettled(*D))
    assert (gone.custody.set_aside, gone.custody.book.pending) == (None, 1)
    stays = after(
        replace(state, custody=replace(state.custody, set_aside=SetAside(Card("9D"), None, outlives_round=True))),
        a.ConfirmSettled(*D),
    )
    assert stays.custody.set_aside is not None


def test_a_card_kept_for_the_next_round_is_its_first() -> None:
    """mo.6.1b"""
    betting = changed(dealt(phase=RoundPhase.BETTING, profile="pt-csm"), provisional=False)
    state = waiting(betting, pending=2, card=Card("9D"), outlives=True)
    begun = after(state, a.AnnounceNoMoreBets(*D))
    assert (begun.custody.set_aside, begun.custody.book.pending, begun.game.dealt) == (None, 1, (LAST,))
    unseen = after(waiting(betting, pending=1, outlives=True), a.AnnounceNoMoreBets(*D))
    assert [hold.kind for hold in unseen.house.holds] == [HoldKind.UNREAD_CARD]


def test_a_card_kept_for_a_place_whose_cards_lie_face_down_has_its_number_and_its_seal() -> None:
    """mo.5.2.1.1, mo.6.1b"""
    betting = changed(dealt(phase=RoundPhase.BETTING, profile="mo-csm"), provisional=False, face_down=4)
    hidden = replace(betting.setup, procedure=replace(betting.setup.procedure, player_cards=Faces.DOWN))
    state = changed(waiting(betting, pending=1), setup=hidden, set_aside=SetAside(None, "ab" * 32, outlives_round=True))
    begun = after(state, a.AnnounceNoMoreBets(*D))
    assert begun.game.dealt == (Dealt(1, Purpose.SEAT, face_down=5, commitment="ab" * 32),)
    assert begun.custody.face_down == 5


# --- corrections


def test_a_card_that_is_moved_is_the_banks_or_the_places() -> None:
    """mo.5.1.2a"""
    state = dealt(*DEAL[:3], LAST, profile="mo-csm")
    moved = after(state, a.MoveCard(*D, 0))
    assert (moved.game.dealt[-1].seat, moved.game.dealt[-1].purpose) == (0, Purpose.BANK)
    back = after(replace(moved, game=replace(moved.game, provisional=True)), a.MoveCard(*D, 1))
    assert (back.game.dealt[-1].seat, back.game.dealt[-1].purpose) == (1, Purpose.SEAT)
    hole = after(dealt(*DEAL, profile="mo-box"), a.MoveCard(*D, 0))
    assert hole.game.dealt[-1].purpose is Purpose.HOLE


def test_a_void_round_owes_no_card_and_corrects_none() -> None:
    state = changed(dealt(*DEAL[:3], LAST, profile="mo-csm"), requested=1)
    ruled = after(after(state, a.CallForRuling(*D, Cause.DEAL_BEYOND_REPAIR)), a.MakeRuling(*C, Outcome.ROUND_VOID))
    assert (ruled.game.requested, ruled.game.provisional, ruled.game.phase) == (None, False, RoundPhase.SETTLED)


def test_what_goes_on_after_a_ruling_may_be_corrected_while_no_card_is_nobodys() -> None:
    state = after(dealt(*DEAL[:3], LAST), a.CallForRuling(*D, Cause.DISPUTE))
    goes_on = a.MakeRuling(*C, Outcome.CONTINUE)
    assert after(state, goes_on).game.provisional
    pending = replace(
        state,
        custody=replace(
            state.custody, book=replace(state.custody.book, inside=state.custody.book.inside - 1, pending=1)
        ),
    )
    assert not after(pending, goes_on).game.provisional


def test_a_card_that_was_replaced_is_forgotten_with_where_it_was_found() -> None:
    state = changed(after(DAMAGED, a.RecordAuthorisation(*C, "SRIJ 4")), damaged_at_check=True)
    replaced = after(state, a.ReplaceCard(*C, Card("4D")))
    assert (replaced.custody.damaged, replaced.custody.damaged_at_check) == (None, False)


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
    assert table.state.custody.packets == ()


def test_an_opening_takes_the_machines_counts_as_it_finds_them() -> None:
    table = CoreTable()
    table.connect()
    table.act(a.SignIn, DEALER, operation=Operation.TABLE)
    known = replace(table.state.devices.shuffler, counted_in=7, counted_out=7)
    opened = after(replace(table.state, devices=replace(table.state.devices, shuffler=known)), a.OpenSession(*D))
    assert (opened.devices.shuffler.counted_in, opened.devices.shuffler.counted_out) == (1000, 1000)


def test_a_foreign_card_in_the_grid_lay_in_the_place_of_one_that_is_missing() -> None:
    """pt.bj.3b"""
    state = changed(dealt(), session=SessionPhase.CHECKING, phase=RoundPhase.IDLE)
    state = replace(state, custody=replace(state.custody, book=replace(Book(), outside=312)))
    one_less = (5, *(6,) * 51)
    in_its_place = after(state, a.EnterGrid(*D, one_less, 1))
    assert (
        in_its_place.custody.book.outside,
        in_its_place.custody.book.foreign,
        in_its_place.custody.found_foreign,
    ) == (311, 1, 1)
    beside = after(state, a.EnterGrid(*D, (6,) * 52, 1))
    assert (beside.custody.book.outside, beside.custody.book.foreign) == (312, 1)
    corrected = after(beside, a.EnterGrid(*D, (6,) * 52, 0))
    assert (corrected.custody.book.foreign, corrected.custody.found_foreign) == (0, 0)


# --- figures


def test_a_shoe_whose_own_figure_says_otherwise_differs_in_play() -> None:
    state = changed(dealt(profile="pt-shoe"), provisional=False)
    reader = replace(state.devices.reader, passages=1, heard=2)
    told = replace(state, devices=replace(state.devices, reader=reader))
    assert [one.what for one in differences(told)] == ["passages"]
    assert differences(replace(told, house=replace(told.house, irregular=True))) == ()


def test_a_bank_extra_card_that_may_be_valid_waits_over_the_round() -> None:
    """mo.6.1b"""
    extra = Dealt(0, Purpose.BANK, card=Card("9D"))
    state = dealt(*DEAL[:3], extra, extra, profile="mo-csm")
    valid = replace(state.setup, procedure=replace(state.setup.procedure, bank_extra_card=ExtraCard.VALID_IF_UNSEEN))
    kept = after(replace(state, setup=valid), a.ReportExtraCard(*D, seen=False))
    assert kept.custody.set_aside is not None
    assert kept.custody.set_aside.outlives_round


# --- what begins anew


DIRTY = Round(
    seats=(1, 2),
    dealt=(LAST,),
    collected=(1,),
    asked=(1,),
    turn_back=1,
    requested=1,
    burned=1,
    provisional=True,
    last_ruling=Ruling(Outcome.CONTINUE, CHIEF, Role.CHIEF_SUPERVISOR),
    put_back_due=3,
    put_back=2,
)
"""Everything of a round, as no round begins with it."""


def dirty(state: State) -> State:
    return replace(state, game=replace(DIRTY, phase=state.game.phase, number=state.game.number))


def is_fresh(state: State) -> bool:
    return state.game == Round(phase=state.game.phase, number=state.game.number)


def test_nothing_of_a_round_outlives_it() -> None:
    over = after(dirty(dealt(phase=RoundPhase.COLLECTED)), a.LeaveInRack(*D))
    assert is_fresh(over)
    given_back = after(dirty(dealt(phase=RoundPhase.BETTING)), a.CancelBets(*D))
    assert is_fresh(given_back)
    put_back = dirty(changed(dealt(phase=RoundPhase.PUTTING_BACK), holds=()))
    assert is_fresh(after(replace(put_back, game=replace(put_back.game, put_back=3)), a.EndPuttingBack(*D)))


def test_nothing_of_a_session_outlives_it() -> None:
    was = changed(dirty(initial_state(SETUP)), last_closing=Closing.IRREGULAR, deck_set=3, number=7, heard_up_to=5)
    was = replace(
        was,
        custody=replace(
            was.custody, shoe_game=ShoeGame(last_cut=2), book=replace(was.custody.book, outside=300, rack=12, foreign=2)
        ),
    )
    was = replace(
        was,
        custody=replace(
            was.custody, replaced_alone=(Card("4D"),), found=(1,) * 52, found_foreign=1, found_by_back=((1,) * 53,) * 2
        ),
    )
    was = replace(
        was,
        custody=replace(was.custody, read_out=(1,) * 52, read_out_foreign=1),
        devices=replace(was.devices, reader=replace(was.devices.reader, unseen=2)),
    )
    was = replace(
        was,
        custody=replace(was.custody, join=Join(counted_ms=TableMs(1))),
        house=replace(was.house, tally=replace(was.house.tally, loads=1, failed_loads=1, rounds=9)),
    )
    was = replace(
        was, house=replace(was.house, present=(Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),))
    )
    opened = after(was, a.OpenSession(*D))
    fresh = initial_state(SETUP)
    assert opened == replace(
        fresh,
        house=replace(
            fresh.house,
            session=SessionPhase.OPENED,
            session_number=1,
            present=was.house.present,
            tally=replace(fresh.house.tally, rounds=9),
        ),
    )


def checked(**changes: object) -> State:
    """Regular decks, at the deck check."""
    here = (
        Presence(DEALER, Role.DEALER, Operation.TABLE, TableMs(0), TableMs(5)),
        Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.UNLOADING, TableMs(0), TableMs(5)),
    )
    state = changed(
        dealt(), provisional=False, session=SessionPhase.CHECKING, phase=RoundPhase.IDLE, seats=(), dealt=()
    )
    status = None if state.devices.shuffler.status is None else replace(state.devices.shuffler.status, inside=0)
    state = replace(
        state,
        custody=replace(state.custody, book=replace(Book(), outside=312)),
        devices=replace(state.devices, shuffler=replace(state.devices.shuffler, status=status)),
    )
    state = replace(state, custody=replace(state.custody, found=(6,) * 52, packets=(156, 156), burned=1))
    return changed(state, present=here, **changes)


def test_a_regular_closing_leaves_the_decks_outside_and_nobody_but_the_dealer() -> None:
    closed = after(checked(), a.ConfirmDeckCheck(*D))
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
    closed = after(check, a.ConfirmDeckCheck(*D))
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
    state = replace(
        state, custody=replace(state.custody, damaged=Card("4D"), damaged_at_check=True, authorised="SRIJ 4")
    )
    state = replace(state, custody=replace(state.custody, join=Join(counted_ms=TableMs(1))))
    ended = after(state, a.ConfirmIrregularClosing(MANAGER, Role.ROOM_MANAGER))
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
    assert after(opened, a.AbandonOpening(*D)).custody.deck_set is None


# --- devices


def test_what_came_between_reader_and_count_waits_anew_for_a_device_that_is_back(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(1_500)
    table.put(e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads))
    assert table.state.custody.join.counted_ms == table.now
    table.read()
    table.read()
    table.wait(1_500)
    table.put(e.DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, table.status, None))
    assert (table.state.custody.join.counted_ms, table.state.custody.join.read_ms) == (None, table.now)


def test_a_reader_that_begins_anew_has_missed_nothing(table: CoreTable) -> None:
    reader = replace(table.state.devices.reader, missing=2, heard=9)
    table.state = replace(table.state, devices=replace(table.state.devices, reader=reader))
    table.put(e.DeviceConnected(Device.SHOE, "R", "R2", "1.0", 2, True, None, 5, keeps_events=False))
    found = table.state.devices.reader
    assert (found.passages, found.missing, found.heard, found.keeps_events) == (5, 0, None, False)
    assert found.link == Link(connected=True, serial="R2", boot=2, taken=0, version="R 1.0")


def test_another_shuffler_counts_from_its_own_figures(table: CoreTable) -> None:
    other = replace(table.status, cards_in=7, cards_out=9, jams=4, recounts=6, counts_known=False, jammed=False)
    table.state = replace(table.state, devices=replace(table.state.devices, jams_seen=1, jams_ended=1))
    state = decide(
        table.state, e.DeviceConnected(Device.SHUFFLER, "CSM", "S9", "1.0", 3, True, other, None), TableMs(9)
    ).state
    assert (state.devices.shuffler.counted_in, state.devices.shuffler.counted_out, state.devices.shuffler.status) == (
        7,
        9,
        other,
    )
    assert (state.devices.jams_seen, state.devices.jams_ended, state.devices.recount_request) == (4, 4, 7)
    assert [hold.kind for hold in state.house.holds] == [HoldKind.DEVICE_LOST, HoldKind.COUNT]


def test_events_that_are_gone_are_taken_and_of_a_reader_its_figure_is_not_known(table: CoreTable) -> None:
    table.put(e.EventsMissed(Device.SHOE, 2, 8))
    assert (table.state.devices.reader.passages, table.state.devices.reader.link.taken) == (None, 8)
    table.put(e.EventsMissed(Device.SHUFFLER, 400, 500))
    assert table.state.devices.shuffler.link.taken == 500


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
    return changed(dealt(profile="pt-shoe"), provisional=False, phase=RoundPhase.IDLE, seats=(), dealt=(), **changes)


def test_gathered_cards_are_mixed_and_cut_anew() -> None:
    book = replace(Book(), inside=240, rack=70, withdrawn=3, foreign=1)
    gathered = after(at_a_shoe(shoe_game=GAME, book=book), a.GatherCards(*D))
    assert gathered.custody.book == replace(Book(), outside=310, withdrawn=3, foreign=1)
    anew = ShoeGame(players=(1, 2), last_cut=2, out=40, first_round=1)
    assert gathered.custody.shoe_game == anew
    spread = after(at_a_shoe(shoe_game=replace(GAME, last_round=None), book=book), a.SpreadCards(*D))
    assert spread.custody.shoe_game == replace(anew, last_cut=0)


def test_a_filling_begins_its_own_count() -> None:
    cut = at_a_shoe(shoe_game=replace(GAME, measured=None), session=SessionPhase.CUT, burned=1)
    book = replace(Book(), outside=312)
    filled = after(
        replace(
            cut,
            custody=replace(cut.custody, book=book),
            devices=replace(cut.devices, reader=replace(cut.devices.reader, passages=17)),
        ),
        a.FillShoe(*D),
    )
    game = replace(GAME, measured=None, filled_at=17, out=0, first_round=3, last_round=None)
    assert filled.custody.shoe_game == game
    assert (filled.custody.burned, filled.house.tally.loads, filled.custody.book) == (0, 1, replace(Book(), inside=312))


def test_who_sits_there_may_cut_though_others_had_refused() -> None:
    told = after(at_a_shoe(shoe_game=GAME), a.StatePlayers(*D, (4, 3)))
    assert (told.custody.shoe_game.players, told.custody.shoe_game.cut_refused) == ((3, 4), ())


# --- a count, an outage


def held(state: State, kind: HoldKind = HoldKind.COUNT, **changes: object) -> State:
    hold = Hold(HoldId(1), kind, HoldPhase.ATTENDED, TableMs(0), attended_by=CHIEF, needs_count=True)
    here = Presence(CHIEF, Role.CHIEF_SUPERVISOR, Operation.HOLD, TableMs(0), TableMs(5))
    return replace(
        state,
        house=replace(
            state.house, holds=(replace(hold, **changes),), last_hold=HoldId(1), present=(*state.house.present, here)
        ),
    )


def test_a_whole_count_is_where_every_figure_begins_anew() -> None:
    state = held(changed(dealt(), phase=RoundPhase.PUTTING_BACK, put_back=2, put_back_due=9, seats=(), dealt=()))
    reader = replace(state.devices.reader, passages=3, heard=8, missing=1, unseen=2)
    known = replace(state.devices.shuffler, counted_in=1, counted_out=2)
    book = replace(state.custody.book, inside=300, jammed_inside=2, jammed_feed=3)
    state = replace(
        state,
        devices=replace(state.devices, reader=reader, shuffler=known),
        custody=replace(state.custody, book=book, away=(1,) * 52),
        house=replace(state.house, irregular_proposed_by=CHIEF),
    )
    found = after(state, a.StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
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
    nothing_heard = replace(state, devices=replace(state.devices, reader=replace(reader, heard=None)))
    counted = after(nothing_heard, a.StateCount(*C, rack=1, table=0, pending=0, in_hand=0, outside=0))
    assert (counted.devices.reader.unseen, counted.devices.reader.passages) == (0, 3)


def test_a_round_that_was_finished_by_hand_is_over_and_its_cards_are_counted_again() -> None:
    state = held(dirty(dealt(*DEAL)), counted=True, needs_count=False)
    state = replace(
        state,
        house=replace(state.house, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.FINISHED),
        custody=replace(state.custody, join=Join(read_ms=TableMs(1))),
    )
    over = after(state, a.ConfirmOutage(*D, OutageOutcome.FINISHED))
    assert is_fresh(over)
    assert (over.house.outage, over.house.outage_said, over.custody.join, over.game.phase) == (
        Outage.NONE,
        None,
        Join(),
        RoundPhase.IDLE,
    )
    assert (over.house.holds[0].needs_count, over.house.holds[0].counted) == (True, False)
    again = after(state, a.ConfirmOutage(*D, OutageOutcome.UNCHANGED))
    assert (again.house.outage, again.house.outage_said) == (Outage.TO_BE_STATED, None)


def test_an_outage_in_doubt_is_doubted_until_devices_had_their_time() -> None:
    state = dealt(*DEAL)
    begun = decide(state, started(state), TableMs(1_000)).state
    assert (begun.house.outage, begun.house.outage_doubted_until_ms) == (
        Outage.DOUBTED,
        1_000 + SETUP.parameters.devices_due_ms,
    )
    idle = decide(replace(state, game=replace(state.game, phase=RoundPhase.IDLE)), started(state), TableMs(1_000)).state
    assert idle.house.outage is Outage.NONE
    stated = replace(state, house=replace(state.house, outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED))
    assert decide(stated, started(state), TableMs(1_000)).state.house.outage is Outage.TO_BE_STATED
    betting = changed(dealt(phase=RoundPhase.BETTING), outage=Outage.TO_BE_STATED, outage_said=OutageOutcome.VOIDED)
    ended = after(betting, a.CancelBets(*D))
    assert (ended.house.outage, ended.house.outage_said) == (Outage.NONE, None)


def started(state: State) -> e.ControllerStarted:
    known = dict.fromkeys(e.ControllerStarted.__struct_fields__, "")
    return e.ControllerStarted(**known | {"start_number": 2, "setup": state.setup, "findings": ()})


def test_a_start_knows_of_no_device_that_it_is_there() -> None:
    state = changed(dealt(*DEAL), display=DisplayKnown(Link(connected=True)))
    begun = decide(state, started(replace(state, setup=replace(state.setup, seats=5))), TableMs(1_000)).state
    assert not any(
        known.link.connected for known in (begun.devices.shuffler, begun.devices.reader, begun.devices.display)
    )
    assert (begun.house.start_number, begun.setup.seats) == (2, 5)
    assert begun.devices.devices_due_ms == 1_000 + SETUP.parameters.devices_due_ms
    closed = decide(
        replace(state, house=replace(state.house, session=SessionPhase.CLOSED)), started(state), TableMs(1_000)
    ).state
    assert closed.devices.devices_due_ms is None


# --- counts that devices tell


def test_an_event_of_a_device_is_the_last_that_was_taken(table: CoreTable) -> None:
    status = replace(table.status, cards_out=table.status.cards_out + 1)
    state = decide(table.state, e.CardCountedOut(e.Source(9, 77), status), TableMs(9)).state
    assert (state.devices.shuffler.link.boot, state.devices.shuffler.link.taken) == (9, 77)
    assert (state.devices.shuffler.counted_out, state.devices.shuffler.status) == (status.cards_out, status)
    read = decide(table.state, e.CardRead(e.Source(8, 66), 5, Card("2C"), None), TableMs(9)).state
    assert (read.devices.reader.link.boot, read.devices.reader.link.taken, read.devices.reader.passages) == (8, 66, 5)
    noted = decide(table.state, e.DisplayFaulted(e.Source(7, 55), 3), TableMs(9)).state
    assert (noted.devices.display.link.boot, noted.devices.display.link.taken) == (7, 55)


def test_who_acts_is_here_until_later(table: CoreTable) -> None:
    table.wait(70_000)
    table.act(a.TakeBets, DEALER, seats=(1,))
    assert [one.confirmed_ms for one in table.state.house.present if one.person == DEALER] == [table.now]


def test_the_back_colours_that_were_counted_are_known_by_number() -> None:
    assert grids_entered(changed(dealt(), found_by_back=((), (1,) * 53))) == [2]


def test_a_card_that_was_said_and_is_not_dealt_was_never_out() -> None:
    """At a table where people alone say what was dealt."""
    setup = replace(dealt(profile="pt-shoe").setup, has_reader=False)
    state = changed(dealt(*DEAL[:1], phase=RoundPhase.DEALING), setup=setup, shoe_game=ShoeGame(out=9))
    back = after(state, a.RetractCard(*D))
    assert (back.custody.shoe_game.out, back.house.tally.drawn) == (8, -1)


def test_a_counted_round_owes_what_the_deal_lacks_and_no_further_card() -> None:
    setup = replace(dealt(profile="mo-box").setup, has_reader=False)
    state = held(replace(dealt(*DEAL[:3], phase=RoundPhase.DEALING), setup=setup))
    state = replace(
        state, custody=replace(state.custody, book=replace(state.custody.book, inside=309, rack=0, table=3))
    )
    fewer = after(state, a.StateWholeCount(*C, inside=310, rack=0, table=2, burnt=0, in_hand=0, outside=0))
    assert (len(fewer.game.dealt), fewer.game.requested, fewer.custody.book.table) == (2, None, 2)


def test_a_foreign_card_corrects_nothing_before_it() -> None:
    state = held(dealt(*DEAL, Dealt(1, Purpose.SEAT)), HoldKind.UNREAD_CARD)
    named = after(state, a.NameCard(*D, FOREIGN))
    assert not named.game.provisional
    assert (named.custody.book.foreign, named.game.requested) == (1, 1)


def test_a_reader_that_could_not_read_is_counted_as_at_fault(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.draw()
    assert table.state.devices.reader.faults == 0
    table.count_out()
    table.read(readable=False)
    assert table.state.devices.reader.faults == 1


def test_a_card_that_was_read_and_not_counted_is_waited_for_no_more(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.read()
    table.wait(2_500)
    table.put(e.TimerFired(Timer.JOIN))
    assert table.state.custody.join == Join()
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]


def test_the_second_of_a_double_feed_is_told_so(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.count_out()
    assert dict(table.state.house.holds[0].details)["cause"] == "double-feed"
    assert table.state.custody.join.contested


def test_a_card_out_of_a_closed_table_joins_nothing() -> None:
    table = CoreTable()
    table.connect()
    table.count_out()
    assert (table.state.custody.join, table.state.custody.book.pending) == (Join(), 1)


def test_a_closed_table_starts_with_its_decks_outside() -> None:
    state = initial_state(SETUP)
    state = replace(state, custody=replace(state.custody, book=replace(state.custody.book, outside=200, foreign=1)))
    assert decide(state, started(state), TableMs(9)).state.custody.book.outside == 312
    fewer = replace(state, setup=replace(state.setup, decks=4))
    assert decide(fewer, started(fewer), TableMs(9)).state.custody.book.outside == 208
    in_play_state = dealt(*DEAL)
    assert decide(in_play_state, started(in_play_state), TableMs(9)).state.custody.book == in_play_state.custody.book


def test_what_the_room_manager_has_to_look_into_is_open_once_of_a_kind() -> None:
    arose = e.DutyArose(next(iter(DutyKind)))
    once = decide(dealt(), arose, TableMs(9)).state
    assert [duty.kind for duty in once.house.duties] == [arose.kind]
    assert (once.house.last_duty, decide(once, arose, TableMs(10)).state.house.duties) == (1, once.house.duties)
    other = e.DutyArose([*DutyKind][-1])
    assert decide(once, other, TableMs(10)).state.house.last_duty == 2


def test_where_cards_lie_face_down_is_known_by_place_and_position() -> None:
    state = dealt(*DEAL[:2], Dealt(1, Purpose.SEAT, face_down=3), DEAL[3])
    assert places_face_down(state) == ((1, 2), (0, 2))


def test_a_card_that_people_named_anew_is_one_that_people_named() -> None:
    named = dealt(*DEAL, Dealt(1, Purpose.SEAT, card=Card("9D"), named=True))
    again = after(named, a.RenameCard(*D, 1, 3, Card("9H")))
    assert again.game.dealt[-1] == Dealt(1, Purpose.SEAT, card=Card("9H"), named=True)
    seen = held(dealt(*DEAL), HoldKind.RULING, details=(("cause", "dispute"),))
    looked = after(seen, a.RenameCard(*C, 1, 1, Card("9H")))
    assert looked.game.dealt[0].named


def test_a_card_that_is_tried_again_is_counted() -> None:
    state = dealt(*DEAL)
    assert state.devices.shuffler.status is not None
    tried = e.CardRetried(e.Source(1, 1), state.devices.shuffler.status, JamPlace.FEED, 1)
    assert decide(state, tried, TableMs(9)).state.house.tally.retried == 1


# --- readers


def test_when_every_device_is_there_none_is_waited_for(table: CoreTable) -> None:
    waited = replace(table.state, devices=replace(table.state.devices, devices_due_ms=TableMs(50_000)))
    back = e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads)
    assert decide(waited, back, TableMs(9)).state.devices.devices_due_ms is None
    gone = replace(
        waited,
        devices=replace(
            waited.devices,
            shuffler=replace(waited.devices.shuffler, link=replace(waited.devices.shuffler.link, connected=False)),
        ),
    )
    assert decide(gone, back, TableMs(9)).state.devices.devices_due_ms == 50_000
    overdue = decide(gone, e.TimerFired(Timer.DEVICES), TableMs(60_000)).state
    assert overdue.devices.devices_due_ms is None
    assert [(hold.kind, hold.device) for hold in overdue.house.holds] == [(HoldKind.DEVICE_LOST, Device.SHUFFLER)]


def test_a_reader_that_has_told_all_of_its_figure_is_believed_again(table: CoreTable) -> None:
    behind = replace(
        table.state,
        devices=replace(
            table.state.devices, reader=replace(table.state.devices.reader, passages=None, heard=4, missing=2, unseen=1)
        ),
    )
    told = decide(behind, e.ReaderStatusHeard(9), TableMs(9)).state.devices.reader
    assert (told.passages, told.heard, told.missing, told.unseen) == (9, None, 0, 3)
    other = decide(table.state, e.ReaderStatusHeard(table.reads + 1), TableMs(9)).state.devices.reader
    assert (other.heard, other.passages) == (table.reads + 1, table.reads)


def test_two_identities_for_one_card_name_none(table: CoreTable) -> None:
    table.act(a.TakeBets, DEALER, seats=(1,))
    table.act(a.AnnounceNoMoreBets, DEALER)
    table.read()
    table.read()
    assert (table.state.custody.join, dict(table.state.house.holds[0].details)["cause"]) == (Join(), "two-reads")


def test_what_a_reader_says_of_itself_holds_a_session_and_no_closed_table() -> None:
    at_play, closed = dealt(*DEAL), initial_state(SETUP)
    for event, kind in (
        (e.CardReversed(e.Source(1, 1), 0), HoldKind.UNEXPECTED_CARD),
        (e.ReaderRestarted(e.Source(1, 1)), HoldKind.DEVICE_LOST),
        (e.PresetChanged(e.Source(1, 1), "1", "2"), HoldKind.DEVICE_LOST),
    ):
        assert [hold.kind for hold in decide(at_play, event, TableMs(9)).state.house.holds] == [kind]
        assert decide(closed, event, TableMs(9)).state.house.holds == ()


def test_a_shoe_that_forgot_its_count_has_its_cards_counted() -> None:
    state = at_a_shoe(shoe_game=GAME)
    state = replace(
        state, devices=replace(state.devices, reader=replace(state.devices.reader, link=Link(serial="R1", boot=1)))
    )
    forgot = e.DeviceConnected(Device.SHOE, "R", "R1", "1.0", 2, True, None, None)
    begun = decide(state, forgot, TableMs(9)).state
    assert begun.custody.shoe_game == replace(GAME, filled_at=None)
    assert HoldKind.COUNT in [hold.kind for hold in begun.house.holds]
    empty = decide(replace(state, house=replace(state.house, session=SessionPhase.MIXED)), forgot, TableMs(9)).state
    assert HoldKind.COUNT not in [hold.kind for hold in empty.house.holds]


def test_a_jam_told_before_any_status_is_the_one_that_was_seen() -> None:
    state = dealt(*DEAL)
    assert state.devices.shuffler.status is not None
    told = e.ShufflerJammed(
        e.Source(1, 1), replace(state.devices.shuffler.status, jams=4, jammed=True), JamPlace.MOUTH, 0
    )
    once = decide(state, told, TableMs(9)).state
    assert (once.devices.jams_seen, once.house.tally.jams_raised) == (4, 1)
    again = e.ShufflerJammed(e.Source(1, 2), told.status, JamPlace.FEED, 0)
    moved = decide(once, again, TableMs(10)).state
    assert (moved.house.holds[0].place, moved.house.tally.jams_raised, moved.house.holds[0].times) == (
        JamPlace.FEED,
        1,
        1,
    )


# --- a hold whose cause comes again


def test_a_hold_whose_cause_comes_again_waits_anew_and_says_what_is_known_last() -> None:
    first = held(dealt(*DEAL), counted=True, needs_count=False, details=(("cause", "card-fed"),), times=1)
    called = e.JournalFailed("full")
    failed = decide(first, called, TableMs(9)).state
    cleared = replace(failed.house.holds[1], phase=HoldPhase.CLEARED, counted=True)
    twice = decide(
        replace(failed, house=replace(failed.house, holds=(failed.house.holds[0], cleared))),
        e.JournalFailed("io"),
        TableMs(10),
    ).state
    again = twice.house.holds[1]
    assert (again.phase, again.times, again.counted, again.details) == (HoldPhase.RAISED, 2, False, (("reason", "io"),))


def test_who_attends_nothing_any_more_is_here_for_no_hold(table: CoreTable) -> None:
    table.lid(is_open=True)
    table.lid(is_open=False)
    (lid,) = table.state.house.holds
    for act in (a.AttendHold, a.ClearHold):
        table.act(act, CHIEF, hold=lid.id)
    assert [one.person for one in table.state.house.present if one.operation is Operation.HOLD] == [CHIEF]
    assert table.state.house.holds[0].recount_request == table.state.devices.recount_request
    table.act(a.ConfirmHold, CHIEF, hold=lid.id)
    assert [one for one in table.state.house.present if one.operation is Operation.HOLD] == []


def test_a_ruling_is_offered_to_the_authority_alone() -> None:
    """br.staff.3"""
    owed = held(dealt(*DEAL[:3], profile="br"), HoldKind.RULING, details=(("cause", "dispute"),))
    assert permitted_act(owed, a.MakeRuling).who == (Role.TABLE_INSPECTOR,)
    assert permitted_act(owed, a.TakeBets).who == (Role.DEALER,)


def test_another_firmware_calls_the_technician_anew(table: CoreTable) -> None:
    link = replace(table.state.devices.reader.link, version="R 1.0")
    mine, others = (
        Hold(HoldId(n), HoldKind.DEVICE_LOST, HoldPhase.RAISED, TableMs(1), device, technician=Person(33))
        for n, device in ((1, Device.SHOE), (2, Device.SHUFFLER))
    )
    reader = replace(table.state.devices.reader, link=link)
    table.state = replace(
        table.state,
        devices=replace(table.state.devices, reader=reader),
        house=replace(table.state.house, holds=(mine, others), last_hold=HoldId(2)),
    )
    table.put(e.DeviceConnected(Device.SHOE, "R", link.serial, "2.0", link.boot, True, None, reader.passages))
    found = {hold.device: (hold.technician_called, hold.technician) for hold in table.state.house.holds}
    assert found == {Device.SHOE: (True, None), Device.SHUFFLER: (False, Person(33))}


def test_the_firmware_of_a_device_that_nothing_needs_holds_nothing(table: CoreTable) -> None:
    link = Link(connected=True, serial="D1", boot=1, version="D 1.0")
    table.state = replace(table.state, devices=replace(table.state.devices, display=DisplayKnown(link)))
    table.put(e.DeviceConnected(Device.JACKPOT_DISPLAY, "D", "D1", "2.0", 1, True, None, None))
    assert table.state.house.holds == ()
