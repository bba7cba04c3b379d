"""Every hold has a way out, which leaves nothing undone."""

import pytest

from controller.core.custody.closing import (
    BeginUnloading,
    CompleteUnloading,
    ConfirmIrregularClosing,
    ProposeIrregularClosing,
)
from controller.core.custody.complaints import DecideComplaint, RecordComplaint
from controller.core.custody.counting import StateCardsMoved, StateCount
from controller.core.custody.damage import ReportDamagedCard
from controller.core.custody.deck_check import ConfirmDeckCheck, EnterGrid
from controller.core.custody.desired import of_shuffler
from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.doubt import face_down_number
from controller.core.custody.mixing import ConfirmMixing
from controller.core.custody.naming import NameCard
from controller.core.custody.opening import ClosePacket, CompleteLoading, ConfirmDisplay, NumberDeckSet, OpenPacket
from controller.core.custody.reader import ReaderStatusHeard
from controller.core.custody.state import Card
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.games.blackjack.table import TABLE
from controller.core.house.attendance import SignIn, SignOut
from controller.core.house.deciding import next_of
from controller.core.house.facts import DeviceConnected, DeviceLost, EventsMissed, ShufflerStatus, TimerFired
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.house.hold_table import HOLD_RULES, Evidence
from controller.core.house.plain_session import IndicateClosing, OpenSession
from controller.core.words import (
    Closing,
    Device,
    HoldKind,
    JamPlace,
    Operation,
    Person,
    Place,
    Role,
    RoundPhase,
    SessionPhase,
    TableMs,
    Timer,
)
from tests.core.table import CHIEF, DEALER, MANAGER, CoreTable


def test_a_session_begins_at_whatever_the_shuffler_has_counted_until_then() -> None:
    table = CoreTable()
    table.act(SignIn, DEALER, operation=Operation.TABLE)
    table.status = replace(table.status, cards_in=800, cards_out=800)
    table.connect()
    table.read(Card("AS"))
    table.act(OpenSession, DEALER)
    table.status = replace(table.status, counts_known=False)
    table.connect()
    assert not table.state.house.holds
    table.status = replace(table.status, counts_known=True)
    table.connect()
    table.act(NumberDeckSet, CHIEF, deck_set=1)
    table.act(ConfirmDisplay, DEALER)
    table.act(ConfirmMixing, DEALER)
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)
    table.draw()
    assert not table.state.house.holds


def test_a_card_in_the_hand_keeps_the_jam_from_being_cleared(table: CoreTable) -> None:
    table.jam()
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=True)
    assert table.status.inside is not None
    table.status = replace(table.status, inside=table.status.inside - 1)
    table.act(StateCardsMoved, CHIEF, source=Place.JAMMED, target=Place.IN_HAND, count=1)
    table.clear_path()
    table.lid(is_open=False)
    assert table.refuse(ClearHold, CHIEF, hold=hold) == "no_card_is_in_hand"
    table.act(StateCardsMoved, CHIEF, source=Place.IN_HAND, target=Place.RACK, count=1)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds


def test_a_proposed_irregular_closing_ends_with_the_holds_that_called_for_it(table: CoreTable) -> None:
    table.lid(is_open=True)
    hold = table.state.house.holds[0].id
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert table.refuse(ConfirmIrregularClosing, MANAGER) == "irregular_closing_is_proposed"


def test_an_irregular_closing_does_not_lose_the_report_of_a_damaged_card(table: CoreTable) -> None:
    """Clause: pt.bj.51b."""
    table.act(ReportDamagedCard, DEALER, card=Card("AS"))
    table.lid(is_open=True)
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    assert {duty.kind.value for duty in table.state.house.duties} == {"report-irregular-closing", "report-damaged-card"}


def test_a_card_that_is_gone_before_it_was_named_does_not_hold_for_ever(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.read(readable=False)
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    assert (table.hold_kinds(), table.state.house.session) == ([], SessionPhase.UNLOADING)


def test_a_damaged_card_without_a_spare_one_does_not_hold_for_ever(table: CoreTable) -> None:
    table.act(ReportDamagedCard, DEALER, card=Card("AS"))
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    assert (table.hold_kinds(), table.state.house.session) == ([], SessionPhase.UNLOADING)


def test_two_complaints_are_decided_one_by_one(table: CoreTable) -> None:
    table.deal(1, 3)
    table.act(RecordComplaint, DEALER, seat=1)
    table.act(RecordComplaint, DEALER, seat=3)
    table.act(DecideComplaint, CHIEF, upheld=True)
    assert [dict(hold.details)["seat"] for hold in table.state.house.holds] == ["3"]


def test_counts_that_cannot_be_compared_end_no_jam(table: CoreTable) -> None:
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.clear_path()
    table.act(ClearHold, CHIEF, hold=hold)
    table.put(DeviceLost(Device.SHUFFLER, "silent"))
    assert table.refuse(ConfirmHold, CHIEF, hold=hold) == "counts_agree"


def test_an_open_lid_that_only_the_status_shows_is_an_alarm(table: CoreTable) -> None:
    table.put(ShufflerStatusHeard(replace(table.status, lid_open=True)))
    assert table.hold_kinds() == [HoldKind.LID]


def test_a_dead_shuffler_does_not_keep_the_session_from_ending(table: CoreTable) -> None:
    table.put(DeviceLost(Device.SHUFFLER, "silent"))
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(CompleteUnloading, DEALER)
    table.act(ConfirmDeckCheck, DEALER)
    assert (table.state.house.session, table.state.house.last_closing) == (SessionPhase.CLOSED, Closing.IRREGULAR)


def test_another_supervisor_s_sign_in_for_something_else_does_not_open_the_feed() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.act(OpenPacket, CHIEF)
    table.act(SignOut, CHIEF)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    assert table.hold_kinds() == [HoldKind.SUPERVISOR_ABSENT]
    table.act(SignIn, CHIEF, operation=Operation.LOADING)
    assert not table.state.house.holds


def test_a_card_taken_out_in_a_jam_of_the_loading_is_fed_again() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load(156)
    table.act(OpenPacket, CHIEF)
    for _ in range(50):
        table.card_in()
    table.jam(JamPlace.CAROUSEL)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=True)
    assert table.status.inside is not None
    table.status = replace(table.status, inside=table.status.inside - 1)
    table.act(StateCardsMoved, CHIEF, source=Place.JAMMED, target=Place.OUTSIDE, count=1)
    table.clear_path()
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    while of_shuffler(table.state).feed_open:
        table.card_in()
    table.act(ClosePacket, CHIEF)
    table.act(CompleteLoading, DEALER)
    assert table.state.custody.book.inside == 312


def test_a_late_identity_never_meets_the_next_card(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.act(NameCard, DEALER, card=Card("9C"))
    assert of_shuffler(table.state).release_after is None, "the mouth waits for the reader"
    assert face_down_number(table.state, TableMs(table.now)) is not None, "what comes now may be anything"
    table.read(Card("KS"))
    assert [d.card for d in table.state.game.dealt] == ["9C"]
    assert not table.state.house.holds
    table.draw()
    assert [d.card for d in table.state.game.dealt] == ["9C", "2C"]


def test_a_reader_that_has_told_everything_keeps_nobody_waiting(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.act(NameCard, DEALER, card=Card("9C"))
    table.put(ReaderStatusHeard(table.reads + 1))
    assert table.state.devices.reader.missing == 1
    table.put(ReaderStatusHeard(table.reads))
    table.draw()
    assert table.state.game.phase is RoundPhase.DEALING


def test_a_card_fed_while_the_decks_are_checked_keeps_the_session_open(table: CoreTable) -> None:
    table.act(IndicateClosing, DEALER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)
    table.act(BeginUnloading, DEALER)
    while table.status.inside:
        table.unload_one()
    table.act(CompleteUnloading, DEALER)
    table.card_in()
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    assert table.refuse(ConfirmDeckCheck, DEALER) == "nothing_is_inside"


def test_another_device_s_jam_numbers_mean_nothing_here(table: CoreTable) -> None:
    table.put(DeviceLost(Device.SHUFFLER, "silent"))
    table.status = replace(table.status, jams=2)
    table.connect(boot=9, serial="S9")
    table.jam(cards=0)
    assert of_shuffler(table.state).jams_ended == 2


def test_an_empty_shuffler_gives_no_further_card(table: CoreTable) -> None:
    table.deal(1)
    while table.state.custody.book.inside:
        table.act(DrawCard, DEALER, seat=1)
        table.draw()
    assert table.refuse(DrawCard, DEALER, seat=1) == "a_card_is_inside"


@pytest.mark.parametrize("away", [Device.SHOE, Device.SHUFFLER])
def test_a_pulled_cable_makes_no_card_unread_or_unexpected(table: CoreTable, away: Device) -> None:
    """The missing half comes when the device is back, at any later time."""
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    first, second = (table.count_out, table.read) if away is Device.SHOE else (table.read, table.count_out)
    first()
    table.put(DeviceLost(away, "unplugged"))
    table.wait(10_000)
    assert next_of(TABLE.deadlines, table.state) is None
    table.connect()
    table.wait(1_000)
    second()
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST]
    assert len(table.state.game.dealt) == 1
    assert table.state.game.dealt[0].card is not None


def test_one_of_two_supervisors_may_leave(table: CoreTable) -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.load()
    table.put(SignIn(Person(22), Role.CHIEF_SUPERVISOR, Operation.LOADING))
    table.act(OpenPacket, CHIEF)
    table.put(SignOut(Person(22), Role.CHIEF_SUPERVISOR))
    assert not table.state.house.holds


def test_a_slip_in_saying_where_cards_are_can_be_mended(table: CoreTable) -> None:
    table.jam()
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.lid(is_open=True)
    assert table.status.inside is not None
    table.status = replace(table.status, inside=table.status.inside - 1)
    table.act(StateCardsMoved, CHIEF, source=Place.JAMMED, target=Place.INSIDE, count=1)
    table.clear_path()
    table.lid(is_open=False)
    table.act(ClearHold, CHIEF, hold=hold)
    assert table.refuse(ConfirmHold, CHIEF, hold=hold) == "counts_agree"
    table.act(StateCardsMoved, CHIEF, source=Place.INSIDE, target=Place.RACK, count=1)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert not table.state.house.holds


def test_lost_events_of_the_reader_keep_nobody_waiting_for_ever(table: CoreTable) -> None:
    """The number of passages among the lost events is unknown: the count starts again from the reader's next figure."""
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.put(EventsMissed(Device.SHOE, table.reads + 1, table.reads + 1))
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(StateCount, CHIEF, rack=1, table=0, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.act(NameCard, DEALER, card=Card("9C"))
    table.put(ReaderStatusHeard(table.reads + 1))
    table.reads += 1
    table.draw()
    assert table.state.game.dealt[0].card == "9C"


def test_a_reader_that_forgot_its_count_keeps_nobody_waiting(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.act(NameCard, DEALER, card=Card("9C"))
    table.put(DeviceConnected(Device.SHOE, "R", "R1", "1.0", 2, True, None, None))
    assert table.state.devices.reader.missing == 0


def test_an_empty_shuffler_that_forgot_its_counts_counts_anew() -> None:
    table = CoreTable()
    table.connect()
    table.display_and_mix()
    table.status = replace(table.status, cards_in=0, cards_out=0, inside=None, counts_known=False)
    recounts = table.status.recounts
    table.connect(boot=2)
    assert table.status.recounts == recounts + 1  # requested and done
    table.status = replace(table.status, inside=0, counts_known=True)
    table.put(ShufflerStatusHeard(table.status))
    (hold,) = table.state.house.holds
    for act in (AttendHold, ClearHold, ConfirmHold):
        table.act(act, CHIEF, hold=hold.id)
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)


def irregular(table: CoreTable) -> None:
    """Counts out a card without an owed place, and lets people decide on an irregular closing.

    The cards must then be taken out of a full shuffler.
    """
    table.count_out()
    table.act(ProposeIrregularClosing, CHIEF)
    table.act(ConfirmIrregularClosing, MANAGER)
    table.act(SignIn, CHIEF, operation=Operation.UNLOADING)


def last_card_comes_out(table: CoreTable) -> None:
    """Draws the last card, after which the shuffler's slots are empty by any count."""
    table.status = replace(table.status, inside=1)
    table.count_out()


def test_late_reports_of_an_irregular_unloading_hold_nothing(table: CoreTable) -> None:
    irregular(table)
    last_card_comes_out(table)
    table.act(CompleteUnloading, DEALER)
    last_card_comes_out(table)
    table.read()
    assert not table.state.house.holds
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    table.act(ConfirmDeckCheck, DEALER)
    assert table.state.house.session is SessionPhase.CLOSED


def test_an_irregular_unloading_ends_with_the_last_card_by_the_shufflers_slots(table: CoreTable) -> None:
    irregular(table)
    assert table.refuse(CompleteUnloading, DEALER) == "nothing_is_inside"
    last_card_comes_out(table)
    assert table.state.custody.book.inside > 0
    table.act(CompleteUnloading, DEALER)


def test_an_irregular_unloading_that_is_held_ends_and_its_shuffler_stops_no_deck_check(table: CoreTable) -> None:
    """Cards that stay inside are taken out by hand; the shuffler's own figure leaves them out."""
    irregular(table)
    table.jam()
    table.act(CompleteUnloading, DEALER)
    table.clear_path()
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(ConfirmHold, CHIEF, hold=hold)
    assert table.state.devices.shuffler.status is not None
    assert table.state.devices.shuffler.status.inside
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    table.act(ConfirmDeckCheck, DEALER)
    assert table.state.house.session is SessionPhase.CLOSED


def test_a_hold_for_cards_is_over_with_their_session(table: CoreTable) -> None:
    irregular(table)
    last_card_comes_out(table)
    table.act(CompleteUnloading, DEALER)
    table.card_in()  # a card is fed while the decks are checked
    assert table.hold_kinds()
    table.act(EnterGrid, DEALER, counts=(6,) * 52, foreign=0)
    table.act(ConfirmDeckCheck, DEALER)
    assert (table.state.house.session, table.hold_kinds()) == (SessionPhase.CLOSED, [])


def test_no_hold_ends_while_a_card_is_in_a_hand(table: CoreTable) -> None:
    """Cards are moved by hand while a hold is attended or cleared; a confirmation means that they lie somewhere."""
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.clear_path()
    table.act(ClearHold, CHIEF, hold=hold)
    table.act(StateCardsMoved, CHIEF, source=Place.RACK, target=Place.IN_HAND, count=1)
    assert table.refuse(ConfirmHold, CHIEF, hold=hold) == "no_card_is_in_hand"
    table.act(StateCardsMoved, CHIEF, source=Place.IN_HAND, target=Place.RACK, count=1)
    table.act(ConfirmHold, CHIEF, hold=hold)


def test_every_hold_that_is_confirmed_leaves_no_card_in_a_hand() -> None:
    assert all(Evidence.NO_CARD_IS_IN_HAND in rule.to_confirm for rule in HOLD_RULES if rule.confirm)


@pytest.mark.parametrize(
    ("changed", "guard"),
    [
        ({"path_blocked": True}, "path_is_clear"),
        ({"lid_open": True}, "lid_is_closed"),
        ({"inside": None}, "recount_is_done"),
    ],
)
def test_a_jam_is_confirmed_by_what_is_true_then(table: CoreTable, changed: dict[str, object], guard: str) -> None:
    """pt.bj.51c-e: cases are a sensor blocked again, a lid opened again, and a recount without a figure."""
    table.jam(cards=0)
    hold = table.state.house.holds[0].id
    table.act(AttendHold, CHIEF, hold=hold)
    table.clear_path()
    table.act(ClearHold, CHIEF, hold=hold)
    fields = {name: getattr(table.status, name) for name in ShufflerStatus.__struct_fields__}
    table.status = ShufflerStatus(**{**fields, **changed})
    table.put(ShufflerStatusHeard(table.status))
    assert table.refuse(ConfirmHold, CHIEF, hold=hold) == guard
