"""A reader whose wire acknowledges nothing: an unheard card is an unread card, by the shuffler's count, or a hold."""

import pytest

from controller.core.custody.corrections import ReportFaceUpCard
from controller.core.custody.desired import of_shuffler
from controller.core.custody.devices import ShufflerStatusHeard
from controller.core.custody.naming import NameCard
from controller.core.custody.opening import CompleteLoading
from controller.core.custody.reader import CardRead, CardsMayHavePassed, ReaderNoted
from controller.core.custody.state import Card
from controller.core.engine.act import Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.facts import DeviceConnected, DeviceLost, TimerFired
from controller.core.words import Device, HoldKind, SessionPhase, Timer
from tests.core.table import DEALER, CoreTable

PARAMETER_JOIN_MS = 2_000


def connect_reader(table: CoreTable) -> None:
    table.put(DeviceConnected(Device.SHOE, "Angel Eye", "", "", 1 << 32, True, None, None, keeps_events=False))


def read(table: CoreTable, card: str | None) -> None:
    table.reads += 1 << 24
    face = None if card is None else Card(card)
    table.put(CardRead(Source(1 << 32, table.reads), None, face, None, "player 1"))


@pytest.fixture
def table() -> CoreTable:
    """A table in the deal, the first card of seat 1 owed. Its reader keeps no events, from the beginning."""
    table = CoreTable()
    table.put(DeviceConnected(Device.SHUFFLER, "CSM", "S1", "1.0", 1, True, table.status, None))
    connect_reader(table)
    table.display_and_mix()
    table.load(156, 156)
    table.act(CompleteLoading, DEALER)
    table.count_out()
    table.put(CardRead(Source(1 << 32, 1), None, None, "0" * 64))
    assert table.state.house.session is SessionPhase.IN_PLAY
    table.act(TakeBets, DEALER, seats=(1, 3))
    table.act(AnnounceNoMoreBets, DEALER)
    return table


def may_draw(table: CoreTable) -> bool:
    return of_shuffler(table.state).release_after == table.status.cards_out


def test_a_card_is_whole_when_count_and_telegram_have_met(table: CoreTable) -> None:
    table.count_out()
    read(table, "8S")
    assert table.state.game.dealt[0].card == "8S"
    assert table.hold_kinds() == []


def test_a_card_that_it_did_not_tell_of_is_named_and_the_next_one_comes(table: CoreTable) -> None:
    """The reader will not report late: the table waits for no report once the card has its name."""
    table.count_out()
    table.wait(PARAMETER_JOIN_MS)
    table.put(TimerFired(Timer.JOIN))
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]
    assert table.state.devices.reader.missing == 0
    table.act(NameCard, DEALER, card=Card("8S"))
    assert table.hold_kinds() == []
    assert may_draw(table)


def test_an_error_instead_of_a_face_is_an_unread_card_at_once(table: CoreTable) -> None:
    table.count_out()
    read(table, None)
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]


def test_where_the_shuffler_counts_nothing_more_is_asked_of_people(table: CoreTable) -> None:
    for cause in ("nobody-listened", "gap-in-numbering"):
        table.put(CardsMayHavePassed(Device.SHOE, cause, None))
    assert table.hold_kinds() == []
    assert may_draw(table)


def test_where_nobody_counts_the_table_holds_until_people_have_counted(table: CoreTable) -> None:
    table.status = replace(table.status, counts_known=False)
    table.put(ShufflerStatusHeard(table.status))
    table.put(CardsMayHavePassed(Device.SHOE, "gap-in-numbering", 1))
    [hold] = table.state.house.holds
    assert (hold.kind, hold.needs_count) == (HoldKind.COUNT, True)
    assert not may_draw(table)


def test_with_nothing_loaded_nothing_can_have_passed() -> None:
    table = CoreTable()
    connect_reader(table)
    table.put(CardsMayHavePassed(Device.SHOE, "nobody-listened", None))
    assert table.hold_kinds() == []


def test_its_game_starts_and_ends_nothing(table: CoreTable) -> None:
    before = table.state
    for number, what in enumerate(("result", "cut-card", "standby", "retransmission", "error-raised"), 5):
        table.put(ReaderNoted(Source(1 << 32, number << 24), what, None))
    link = replace(table.state.devices.reader.link, taken=before.devices.reader.link.taken)
    assert (
        replace(
            table.state,
            devices=replace(table.state.devices, reader=replace(table.state.devices.reader, link=link)),
            log=before.log,
        )
        == before
    )


def test_a_card_drawn_past_the_lock_that_nobody_owed_is_held(table: CoreTable) -> None:
    for _ in range(6):
        table.count_out()
        read(table, "8S" if len(table.state.game.dealt) < 6 else None)
    read(table, "5C")
    assert HoldKind.UNEXPECTED_CARD in table.hold_kinds()


def test_back_after_a_loss_it_does_not_resume_by_itself(table: CoreTable) -> None:
    table.put(DeviceLost(Device.SHOE, "port-lost"))
    connect_reader(table)
    table.put(CardsMayHavePassed(Device.SHOE, "nobody-listened", None))
    assert table.hold_kinds() == [HoldKind.DEVICE_LOST]
    assert not may_draw(table)


def two_unread(table: CoreTable) -> CoreTable:
    for _ in range(2):
        table.count_out()
        read(table, None)
    return table


def about_unread(table: CoreTable) -> list[dict[str, str]]:
    return [dict(hold.details) for hold in table.state.house.holds if hold.kind is HoldKind.UNREAD_CARD]


def test_of_two_unread_cards_each_gets_its_name_the_first_one_first(table: CoreTable) -> None:
    """The hold says which card the name is for, and a further unread card does not change that."""
    two_unread(table)
    assert about_unread(table) == [{"seat": "1", "position": "1"}]
    table.act(NameCard, DEALER, card=Card("8S"))
    assert [one.card for one in table.state.game.dealt] == ["8S", None]
    assert about_unread(table) == [{"seat": "3", "position": "1"}]
    table.act(NameCard, DEALER, card=Card("5C"))
    assert [one.card for one in table.state.game.dealt] == ["8S", "5C"]
    assert table.hold_kinds() == []


def test_an_unread_card_that_is_taken_back_leaves_the_other_to_be_named(table: CoreTable) -> None:
    two_unread(table)
    table.act(ReportFaceUpCard, DEALER)
    assert about_unread(table) == [{"seat": "1", "position": "1"}]
    table.act(NameCard, DEALER, card=Card("8S"))
    assert about_unread(table) == []


def test_a_card_whose_reading_may_still_come_is_not_named_for_an_unread_one(table: CoreTable) -> None:
    table.count_out()
    read(table, None)
    table.count_out()
    table.act(NameCard, DEALER, card=Card("8S"))
    assert table.hold_kinds() == []
    read(table, "5C")
    assert [one.card for one in table.state.game.dealt] == ["8S", "5C"]
