"""A card that was counted out and that the reader never noticed: people name it, and the table goes on."""

from controller.core import acts as a
from controller.core.words import HoldKind
from tests.runtime.bench import DEALER, Bench


def test_the_reader_says_that_nothing_came_and_the_next_card_is_drawn() -> None:
    bench = Bench()
    bench.play()
    bench.act(a.TakeBets, DEALER, seats=(1,))
    bench.act(a.AnnounceNoMoreBets, DEALER)
    assert bench.shuffler.mouth_is_open
    bench.shuffler.card_out(bench.now_s)
    bench.run(3.0)
    assert [hold.kind for hold in bench.latest.holds] == [HoldKind.UNREAD_CARD]
    bench.act(a.NameCard, DEALER, card="3C")
    assert not bench.latest.holds
    bench.draw("4C")
    bench.run(0.5)
    assert [card.card for card in bench.latest.dealt] == ["3C", None], "whose face that was nobody knows"
    bench.act(a.NameCard, DEALER, card="4C")
    assert [card.card for card in bench.latest.dealt] == ["3C", "4C"]
