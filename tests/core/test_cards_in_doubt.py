"""A face from the reader goes to the card that it belongs to, or to none. The reader's own figure is evidence like any
other (DESIGN 4).
"""

import pytest

from controller.core.custody.counting import StateCount
from controller.core.custody.desired import of_shuffler
from controller.core.custody.doubt import face_down_number
from controller.core.custody.game import Owed, next_owed
from controller.core.custody.naming import NameCard
from controller.core.custody.reader import ReaderStatusHeard
from controller.core.custody.state import DECK, Card
from controller.core.custody.turning import TurnHoleCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.games.blackjack.decisions.turns import DrawCard
from controller.core.house.facts import DeviceConnected, TimerFired
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.words import Device, HoldKind, Purpose, RoundPhase, TableMs, Timer
from controller.scenario.player import Player
from controller.scenario.table import make_table
from controller.scenario.words import vocabulary_of
from tests.core.table import CHIEF, DEALER, CoreTable


def an_unseen_card(table: CoreTable) -> None:
    """Makes a card that was counted out, named by the dealer, and not seen by the reader."""
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.put(ReaderStatusHeard(table.reads))
    table.act(NameCard, DEALER, card=Card("9C"))


def test_a_card_that_dawdles_before_the_reader_never_meets_the_next_one(table: CoreTable) -> None:
    an_unseen_card(table)
    table.wait(1000)
    assert face_down_number(table.state, TableMs(table.now)) is not None, "nobody knows whose face comes now"
    table.read(Card("9C"))  # the first card, now past the reader
    table.count_out()
    assert [d.card for d in table.state.game.dealt] == ["9C", None]
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]


def test_a_card_that_the_next_one_pushes_past_the_reader_names_neither(table: CoreTable) -> None:
    an_unseen_card(table)
    table.count_out()
    assert face_down_number(table.state, TableMs(table.now)) is not None
    table.read(Card("9C"))
    assert [d.card for d in table.state.game.dealt] == ["9C", None]
    assert table.hold_kinds() == [HoldKind.UNREAD_CARD]


def test_faces_that_come_before_their_count_are_believed_of_a_reader_that_has_missed_nothing(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.read(Card("AS"))
    table.count_out()
    assert [d.card for d in table.state.game.dealt] == ["AS"]


def test_a_hole_card_that_was_not_seen_is_not_told_by_the_card_after_it(table: CoreTable) -> None:
    """Clause: pt.bj.17b."""
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    for _ in range(3):
        table.draw()
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.put(ReaderStatusHeard(table.reads))
    table.act(DrawCard, DEALER, seat=1)
    table.count_out()
    assert face_down_number(table.state, TableMs(table.now)) is not None


def test_the_next_round_believes_the_reader_again(table: CoreTable) -> None:
    an_unseen_card(table)
    for _ in range(3):
        table.draw()
        if table.hold_kinds():
            table.act(NameCard, DEALER, card=Card("2C"))
    table.act(TurnHoleCard, DEALER, card=Card("3C"), salt=None)
    table.finish_round()
    table.deal(1)
    assert table.state.game.dealt[0].card is not None
    assert table.state.game.phase is RoundPhase.PLAYING


def test_a_reader_without_memory_that_has_missed_a_card_is_not_believed_either(table: CoreTable) -> None:
    table.put(DeviceConnected(Device.SHOE, "R", "R1", "1.0", 1, True, None, table.reads, keeps_events=False))
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    assert face_down_number(table.state, TableMs(table.now)) is not None


# --- the reader's own figure


def test_a_figure_of_the_reader_that_no_event_explains_is_a_hold_with_a_way_out(table: CoreTable) -> None:
    ahead = table.reads + 1
    table.put(ReaderStatusHeard(ahead))
    table.wait(1999)
    table.put(TimerFired(Timer.COUNTS))
    assert not table.state.house.holds
    table.wait(1)
    table.put(TimerFired(Timer.COUNTS))
    (hold,) = table.state.house.holds
    assert hold.kind is HoldKind.COUNT
    assert f"passages {table.reads}/{ahead}" in dict(hold.details)["figures"]
    table.act(AttendHold, CHIEF, hold=hold.id)
    assert table.refuse(ClearHold, CHIEF, hold=hold.id) == "count_is_stated"
    table.act(StateCount, CHIEF, rack=1, table=0, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold.id)
    table.act(ConfirmHold, CHIEF, hold=hold.id)
    assert not table.state.house.holds


def test_a_mouth_that_waits_for_a_reader_gone_ahead_does_not_wait_for_ever(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.count_out()
    table.wait(2000)
    table.put(TimerFired(Timer.JOIN))
    table.act(NameCard, DEALER, card=Card("9C"))
    table.put(ReaderStatusHeard(table.reads + 1))  # it has counted the card and never reports it
    table.wait(2000)
    table.put(TimerFired(Timer.COUNTS))
    (hold,) = table.state.house.holds
    table.act(AttendHold, CHIEF, hold=hold.id)
    table.act(StateCount, CHIEF, rack=1, table=1, pending=0, in_hand=0, outside=0)
    table.act(ClearHold, CHIEF, hold=hold.id)
    table.act(ConfirmHold, CHIEF, hold=hold.id)
    assert of_shuffler(table.state).release_after == table.status.cards_out


def test_a_figure_that_its_event_explains_in_time_holds_nothing(table: CoreTable) -> None:
    table.act(TakeBets, DEALER, seats=(1,))
    table.act(AnnounceNoMoreBets, DEALER)
    table.put(ReaderStatusHeard(table.reads + 1))
    table.draw()
    table.wait(5000)
    table.put(TimerFired(Timer.COUNTS))
    assert not table.state.house.holds


# --- a card whose seal is lost


@pytest.mark.parametrize(
    ("differs", "cause", "needs_count"), [(False, "seal-lost", False), (True, "face-not-committed", True)]
)
def test_a_sealed_card_that_people_alone_name_holds_and_counts_after_the_hold(
    table: CoreTable, *, differs: bool, cause: str, needs_count: bool
) -> None:
    table.deal(1)
    table.act(TurnHoleCard, DEALER, card=DECK[0], salt=None, seal_differs=differs)
    (hold,) = table.state.house.holds
    assert (hold.kind, hold.details, hold.needs_count) == (HoldKind.UNEXPECTED_CARD, (("cause", cause),), needs_count)
    assert [dealt.disputed for dealt in table.state.game.dealt if dealt.face_down is not None] == [True]
    assert table.refuse(TurnHoleCard, DEALER, card=DECK[0], salt=None) == "no_hold_forbids_it"


def test_a_second_reading_right_behind_a_hidden_card_stays_hidden_as_well() -> None:
    """Either reading may be the hidden card's; a card that comes later is the next one's."""
    player = Player(make_table("pt-csm", [("tracks", "hands"), ("delivery", "offers")]).setup)
    player.start()
    steps = vocabulary_of("pt-csm").steps
    steps["in-play"].do(player, ())
    player.act("dealer", "place-bet", {"seat": "1", "amount": "20"})
    player.act("dealer", "announce-no-more-bets", {})
    steps["draw"].do(player, ("9S", "8C", "7D", "5H"))
    state, now = player.state, player.now_ms
    assert next_owed(state) == Owed(Purpose.SEAT, 1)
    assert state.game.dealt[-1].face_down is not None
    soon = now + state.setup.parameters.join_ms
    assert face_down_number(state, TableMs(soon)) is not None
    assert face_down_number(state, TableMs(soon + 1)) is None
