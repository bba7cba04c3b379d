"""The devices' own numbers compared with the book: differences, new events, and counts that begin anew."""

from controller.core.custody.books import Difference, differences
from controller.core.custody.desired import of_shuffler
from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.reader import CardRead, reader_word_is_news
from controller.core.custody.state import Card
from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState, initial_state
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.facts import DeviceConnected, EventsAwaited
from controller.core.house.holds import raise_hold
from controller.core.house.state import Hold, ReaderKnown, ShufflerKnown
from controller.core.words import Closing, Device, HoldId, HoldKind, HoldPhase, JamPlace, SessionPhase, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import STATUS, dealt
from tests.core.table import SETUP, CoreTable


def after(state: BlackjackState, fact: Fact) -> BlackjackState:
    return decide_by(TABLE, state, fact, TableMs(9)).state


def causes(state: BlackjackState) -> list[str]:
    """Returns the causes of the table's holds of counts that differ."""
    return [dict(hold.details)["cause"] for hold in state.house.holds if hold.kind is HoldKind.COUNT]


# --- differences


def test_events_that_a_device_has_made_and_does_not_send_are_a_difference_while_cards_are_out() -> None:
    state = after(dealt(), EventsAwaited(Device.SHOE, 9))
    assert state.devices.reader.link.awaited == 9
    assert differences(state) == (Difference("shoe_events", 0, 9),)
    assert differences(changed(initial_state(SETUP), reader=state.devices.reader)) == ()
    assert differences(changed(state, irregular=True)) == ()
    told = replace(state.devices.reader.link, taken=9)
    assert differences(changed(state, reader=replace(state.devices.reader, link=told))) == ()


def test_what_an_irregular_closing_left_in_the_machine_is_compared_with_nothing() -> None:
    status = replace(STATUS, inside=3)
    left = changed(initial_state(SETUP), shuffler=replace(dealt().devices.shuffler, status=status))
    assert differences(changed(left, last_closing=Closing.IRREGULAR)) == ()
    assert differences(changed(left, last_closing=Closing.REGULAR)) == (Difference("inside", 0, 3),)
    closing = changed(dealt(), session=SessionPhase.UNLOADING, shuffler=left.devices.shuffler)
    assert differences(closing) == (Difference("inside", 311, 3),)
    assert differences(changed(closing, irregular=True)) == ()


def test_the_reader_s_own_figure_is_news_where_it_differs_or_ends_a_wait() -> None:
    def is_news(figure: int, *, passages: int | None = 4, missing: int = 0, heard: int | None = None) -> bool:
        reader = ReaderKnown(passages=passages, missing=missing, heard=heard)
        return reader_word_is_news(changed(dealt(), reader=reader), figure)

    assert [is_news(4), is_news(4, missing=1), is_news(4, heard=5)] == [False, True, True]
    assert [is_news(5), is_news(5, heard=5), is_news(5, heard=6)] == [True, False, True]
    assert [is_news(5, passages=None), is_news(5, passages=None, missing=1)] == [False, True]


# --- recorded facts


def test_a_card_that_was_read_has_its_number_where_it_lies_face_down_and_ends_a_difference() -> None:
    state = changed(dealt(), reader=replace(dealt().devices.reader, heard=5), face_down=3)
    sealed = after(state, CardRead(Source(1, 1), 1, None, "ab" * 32))
    assert (sealed.custody.face_down, sealed.devices.reader.heard) == (4, None)
    open_ = after(state, CardRead(Source(1, 1), 1, Card("4D"), None))
    assert open_.custody.face_down == 3


def test_a_jam_that_comes_again_with_an_ended_jams_number_is_not_ended_by_that() -> None:
    status = replace(STATUS, jams=4, jammed=True)
    ended = changed(dealt(), session=SessionPhase.OPENED, jams_seen=4, jams_ended=4)
    state = after(ended, ShufflerStatusHeard(status))
    assert [hold.kind for hold in state.house.holds] == [HoldKind.JAM]
    assert of_shuffler(state).jams_ended == 3


def test_numbers_that_went_back_begin_anew_with_the_lower_ones(table: CoreTable) -> None:
    lower = replace(table.status, jams=table.status.jams - 1, recounts=table.status.recounts - 1)
    state = after(table.state, ShufflerStatusHeard(lower))
    assert causes(state) == ["went-back"]
    assert (state.devices.shuffler.counted_jams, state.devices.shuffler.counted_recounts) == (
        lower.jams,
        lower.recounts,
    )
    forgotten = after(table.state, ShufflerStatusHeard(replace(lower, counts_known=False)))
    assert causes(forgotten) == []


def test_a_machine_that_counts_anew_and_shows_the_jam_that_people_know_has_no_other() -> None:
    status = replace(STATUS, jams=4, jammed=True, counts_known=False)
    jam = Hold(HoldId(1), HoldKind.JAM, HoldPhase.ATTENDED, TableMs(0), Device.SHUFFLER, JamPlace.MOUTH)
    state = changed(dealt(), session=SessionPhase.OPENED, holds=(jam,), jams_seen=4, jams_ended=4)
    known = ShufflerKnown(replace(state.devices.shuffler.link, serial="S1", boot=1), 312, 1, 4, 0, status)
    back = DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, status, None)
    state = after(changed(state, shuffler=known), back)
    assert (state.devices.jams_seen, state.devices.jams_ended, state.house.tally.jams_raised) == (4, 4, 0)
    assert [(hold.place, hold.times) for hold in state.house.holds] == [(JamPlace.MOUTH, 1)]


def test_a_reader_whose_passages_went_back_is_held_and_another_reader_is_another(table: CoreTable) -> None:
    def back(serial: str, boot: int) -> BlackjackState:
        return after(table.state, DeviceConnected(Device.SHOE, "R", serial, "1.0", boot, True, None, 1))

    assert table.reads > 0
    known = replace(table.state.devices.reader, passages=5)
    table.state = changed(table.state, reader=known)
    assert causes(back("R1", 1)) == ["went-back"]
    assert causes(back("R2", 1)) == []
    assert [dict(hold.details)["reason"] for hold in back("R2", 1).house.holds] == ["replaced"]
    assert dict(back("R1", 2).house.holds[0].details)["reason"] == "rebooted"


def test_the_one_spare_device_that_came_frees_the_others_and_the_old_one_frees_none(table: CoreTable) -> None:
    """Clause: pt.bj.51e."""

    def waiting(device: Device, number: int, serial: str) -> Hold:
        return Hold(HoldId(number), HoldKind.DEVICE_LOST, HoldPhase.RAISED, TableMs(0), device, not_serial=serial)

    holds = (waiting(Device.SHUFFLER, 1, "S1"), waiting(Device.SHOE, 2, "R1"))
    table.state = changed(table.state, holds=holds, last_hold=HoldId(2))

    def left(serial: str) -> dict[Device | None, str]:
        shoe = DeviceConnected(Device.SHOE, "R", serial, "1.0", 1, True, None, table.reads)
        return {hold.device: hold.not_serial for hold in after(table.state, shoe).house.holds}

    assert left("R1") == {Device.SHUFFLER: "S1", Device.SHOE: "R1"}
    assert left("R9") == {Device.SHUFFLER: "", Device.SHOE: "R1"}


def test_a_hold_whose_cause_comes_again_has_its_last_place_and_still_needs_the_count() -> None:
    jammed = raise_hold(dealt(), HoldKind.JAM, TableMs(0), place=JamPlace.MOUTH)
    elsewhere = raise_hold(jammed, HoldKind.JAM, TableMs(1), place=JamPlace.FEED)
    assert elsewhere.house.holds[0].place is JamPlace.FEED
    assert raise_hold(elsewhere, HoldKind.JAM, TableMs(2)).house.holds[0].place is JamPlace.FEED
    mended_by_itself = raise_hold(dealt(), HoldKind.COUNT, TableMs(0))
    by_people = raise_hold(mended_by_itself, HoldKind.COUNT, TableMs(1), needs_count=True)
    assert by_people.house.holds[0].needs_count
    assert raise_hold(by_people, HoldKind.COUNT, TableMs(2)).house.holds[0].needs_count
