"""A card that was counted out and never read: people name it, and the table goes on."""

from controller.core.custody.counting import StateCount
from controller.core.custody.naming import NameCard
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.deal import AnnounceNoMoreBets
from controller.core.house.hold_acts import AttendHold, ClearHold, ConfirmHold
from controller.core.words import HoldKind
from tests.runtime.bench import CHIEF, DEALER, Bench


def test_the_reader_says_that_nothing_came_and_the_next_card_is_drawn() -> None:
    bench = Bench()
    bench.play()
    bench.act(TakeBets, DEALER, seats=(1,))
    bench.act(AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    bench.shuffler.card_out(bench.now_s)
    bench.run(3.0)
    assert [hold.kind for hold in bench.latest.house.holds] == [HoldKind.UNREAD_CARD]
    bench.act(NameCard, DEALER, card="3C")
    assert not bench.latest.house.holds
    bench.draw("4C")
    bench.run(0.5)
    assert [card.card for card in bench.latest.game.dealt] == ["3C", None], "whose face that was nobody knows"
    bench.act(NameCard, DEALER, card="4C")
    assert [card.card for card in bench.latest.game.dealt] == ["3C", "4C"]


def test_a_reader_whose_figure_runs_ahead_without_an_event_holds_the_table_and_lets_it_go_again() -> None:
    bench = Bench()
    bench.play()
    bench.shoe.change(passages=bench.shoe.status.passages + 1)
    bench.run(1.5)
    assert not bench.latest.house.holds
    bench.run(2.0)
    (hold,) = bench.latest.house.holds
    assert hold.kind is HoldKind.COUNT
    heard = len([entry for entry in bench.entries() if entry.kind == "reader-status-heard"])
    bench.run(5.0)
    assert len([entry for entry in bench.entries() if entry.kind == "reader-status-heard"]) == heard == 1
    bench.act(AttendHold, CHIEF, hold=hold.id)
    bench.run(0.5)
    bench.act(StateCount, CHIEF, rack=1, table=0, pending=0, in_hand=0, outside=0)
    bench.act(ClearHold, CHIEF, hold=hold.id)
    bench.act(ConfirmHold, CHIEF, hold=hold.id)
    bench.run(5.0)
    assert not bench.latest.house.holds
    bench.deal(cards=("3C", "4C", "5C", "KH"))
    assert [card.card for card in bench.latest.game.dealt] == ["3C", "4C", "5C", None]
