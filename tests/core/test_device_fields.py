"""The changes by devices that connect, disconnect and report: the link, the last event, a card's awaited half."""

from controller.core.custody.devices import CardCountedOut, CardRetried, ShufflerJammed
from controller.core.custody.reader import CardRead, CardReversed, PresetChanged, ReaderRestarted, ReaderStatusHeard
from controller.core.custody.state import Card, Join
from controller.core.engine.act import Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.state import initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.facts import DeviceConnected, DisplayFaulted, EventsMissed, TimerFired
from controller.core.house.state import Link
from controller.core.words import Device, HoldKind, JamPlace, TableMs, Timer
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, dealt
from tests.core.table import DEALER, SETUP, CoreTable


def test_what_came_between_reader_and_count_waits_anew_for_a_device_that_is_back(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(1_500)
    table.put(DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads))
    assert table.state.custody.join.counted_ms == table.now
    table.read()
    table.read()
    table.wait(1_500)
    table.put(DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, table.status, None))
    assert (table.state.custody.join.counted_ms, table.state.custody.join.read_ms) == (None, table.now)


def test_a_reader_that_begins_anew_has_missed_nothing(table: CoreTable) -> None:
    reader = replace(table.state.devices.reader, missing=2, heard=9)
    table.state = changed(table.state, reader=reader)
    table.put(DeviceConnected(Device.SHOE, "R", "R2", "1.0", 2, True, None, 5, keeps_events=False))
    found = table.state.devices.reader
    assert (found.passages, found.missing, found.heard, found.keeps_events) == (5, 0, None, False)
    assert found.link == Link(connected=True, serial="R2", boot=2, taken=0, version="R 1.0")


def test_a_reader_that_could_not_read_is_counted_as_at_fault(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.draw()
    assert table.state.devices.reader.faults == 0
    table.count_out()
    table.read(readable=False)
    assert table.state.devices.reader.faults == 1


def test_a_reader_that_has_told_all_of_its_figure_is_believed_again(table: CoreTable) -> None:
    behind = changed(
        table.state, reader=replace(table.state.devices.reader, passages=None, heard=4, missing=2, unseen=1)
    )
    told = decide_by(TABLE, behind, ReaderStatusHeard(9), TableMs(9)).state.devices.reader
    assert (told.passages, told.heard, told.missing, told.unseen) == (9, None, 0, 3)
    other = decide_by(TABLE, table.state, ReaderStatusHeard(table.reads + 1), TableMs(9)).state.devices.reader
    assert (other.heard, other.passages) == (table.reads + 1, table.reads)


def test_another_shuffler_counts_from_its_own_figures(table: CoreTable) -> None:
    other = replace(table.status, cards_in=7, cards_out=9, jams=4, recounts=6, counts_known=False, jammed=False)
    table.state = changed(table.state, jams_seen=1, jams_ended=1)
    state = decide_by(
        TABLE, table.state, DeviceConnected(Device.SHUFFLER, "CSM", "S9", "1.0", 3, True, other, None), TableMs(9)
    ).state
    assert (state.devices.shuffler.counted_in, state.devices.shuffler.counted_out, state.devices.shuffler.status) == (
        7,
        9,
        other,
    )
    assert (state.devices.jams_seen, state.devices.jams_ended, state.devices.recount_request) == (4, 4, 7)
    assert [hold.kind for hold in state.house.holds] == [HoldKind.DEVICE_LOST, HoldKind.COUNT]


def test_events_that_are_gone_are_taken_and_of_a_reader_its_figure_is_not_known(table: CoreTable) -> None:
    table.put(EventsMissed(Device.SHOE, 2, 8))
    assert (table.state.devices.reader.passages, table.state.devices.reader.link.taken) == (None, 8)
    table.put(EventsMissed(Device.SHUFFLER, 400, 500))
    assert table.state.devices.shuffler.link.taken == 500


def test_an_event_of_a_device_is_the_last_that_was_taken(table: CoreTable) -> None:
    status = replace(table.status, cards_out=table.status.cards_out + 1)
    state = decide_by(TABLE, table.state, CardCountedOut(Source(9, 77), status), TableMs(9)).state
    assert (state.devices.shuffler.link.boot, state.devices.shuffler.link.taken) == (9, 77)
    assert (state.devices.shuffler.counted_out, state.devices.shuffler.status) == (status.cards_out, status)
    read = decide_by(TABLE, table.state, CardRead(Source(8, 66), 5, Card("2C"), None), TableMs(9)).state
    assert (read.devices.reader.link.boot, read.devices.reader.link.taken, read.devices.reader.passages) == (8, 66, 5)
    noted = decide_by(TABLE, table.state, DisplayFaulted(Source(7, 55), 3), TableMs(9)).state
    assert (noted.devices.display.link.boot, noted.devices.display.link.taken) == (7, 55)


def test_a_card_that_was_read_and_not_counted_is_waited_for_no_more(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.read()
    table.wait(2_500)
    table.put(TimerFired(Timer.JOIN))
    assert table.state.custody.join == Join()
    assert table.hold_kinds() == [HoldKind.UNEXPECTED_CARD]


def test_the_second_of_a_double_feed_is_told_so(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.count_out()
    assert dict(table.state.house.holds[0].details)["cause"] == "double-feed"
    assert table.state.custody.join.contested


def test_a_card_out_of_a_closed_table_joins_nothing() -> None:
    table = CoreTable()
    table.connect()
    table.count_out()
    assert (table.state.custody.join, table.state.custody.book.pending) == (Join(), 1)


def test_a_card_that_is_tried_again_is_counted() -> None:
    state = dealt(*DEAL)
    assert state.devices.shuffler.status is not None
    tried = CardRetried(Source(1, 1), state.devices.shuffler.status, JamPlace.FEED, 1)
    assert decide_by(TABLE, state, tried, TableMs(9)).state.house.tally.retried == 1


def test_when_every_device_is_there_none_is_waited_for(table: CoreTable) -> None:
    waited = changed(table.state, devices_due_ms=TableMs(50_000))
    back = DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads)
    assert decide_by(TABLE, waited, back, TableMs(9)).state.devices.devices_due_ms is None
    gone = changed(
        waited, shuffler=replace(waited.devices.shuffler, link=replace(waited.devices.shuffler.link, connected=False))
    )
    assert decide_by(TABLE, gone, back, TableMs(9)).state.devices.devices_due_ms == 50_000
    overdue = decide_by(TABLE, gone, TimerFired(Timer.DEVICES), TableMs(60_000)).state
    assert overdue.devices.devices_due_ms is None
    assert [(hold.kind, hold.device) for hold in overdue.house.holds] == [(HoldKind.DEVICE_LOST, Device.SHUFFLER)]


def test_two_identities_for_one_card_name_none(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.read()
    table.read()
    assert dict(table.state.house.holds[0].details)["cause"] == "two-reads"
    table.count_out()
    (card,) = table.state.game.dealt
    assert (card.card, card.doubted) == (None, ())
    table.wait(2_500)
    table.put(TimerFired(Timer.JOIN))
    assert (table.state.custody.join, table.state.devices.reader.missing) == (Join(), 0)


def test_what_a_reader_says_of_itself_holds_a_session_and_no_closed_table() -> None:
    at_play, closed = dealt(*DEAL), initial_state(SETUP)
    for event, kind in (
        (CardReversed(Source(1, 1), 0), HoldKind.UNEXPECTED_CARD),
        (ReaderRestarted(Source(1, 1)), HoldKind.DEVICE_LOST),
        (PresetChanged(Source(1, 1), "1", "2"), HoldKind.DEVICE_LOST),
    ):
        assert [hold.kind for hold in decide_by(TABLE, at_play, event, TableMs(9)).state.house.holds] == [kind]
        assert decide_by(TABLE, closed, event, TableMs(9)).state.house.holds == ()


def test_a_jam_told_before_any_status_is_the_one_that_was_seen() -> None:
    state = dealt(*DEAL)
    assert state.devices.shuffler.status is not None
    told = ShufflerJammed(Source(1, 1), replace(state.devices.shuffler.status, jams=4, jammed=True), JamPlace.MOUTH, 0)
    once = decide_by(TABLE, state, told, TableMs(9)).state
    assert (once.devices.jams_seen, once.house.tally.jams_raised) == (4, 1)
    again = ShufflerJammed(Source(1, 2), told.status, JamPlace.FEED, 0)
    moved = decide_by(TABLE, once, again, TableMs(10)).state
    assert (moved.house.holds[0].place, moved.house.tally.jams_raised, moved.house.holds[0].times) == (
        JamPlace.FEED,
        1,
        1,
    )
