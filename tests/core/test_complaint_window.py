"""The rounds about which complaints are still in time: the event that closes each window (pt.bj.61)."""

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.words import RoundPhase, SessionPhase, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import dealt
from tests.core.table import CoreTable


def heard_up_to(before: BlackjackState, after: BlackjackState) -> int:
    return TABLE.follows.brought_about(before, after, TableMs(0)).custody.heard_up_to


def test_the_first_card_of_the_rack_that_goes_in_closes_the_window(table: CoreTable) -> None:
    table.deal(1)
    assert table.state.custody.heard_up_to == 0
    table.finish_round()
    assert table.state.custody.heard_up_to == table.state.game.number == 1
    collected = changed(table.state, phase=RoundPhase.COLLECTED, number=2)
    assert heard_up_to(table.state, collected) == 1


def test_where_nothing_is_put_back_the_mixing_closes_the_window() -> None:
    """Clause: pt.bj.11b."""
    played = changed(dealt(profile="pt-shoe"), phase=RoundPhase.IDLE, number=7)
    gathered, mixed = (changed(played, session=phase) for phase in (SessionPhase.GATHERED, SessionPhase.MIXED))
    assert heard_up_to(played, gathered) == 0
    assert heard_up_to(gathered, mixed) == 7
    fed = changed(played, book=replace(played.custody.book, rack=0, inside=312))
    assert heard_up_to(played, fed) == 0
