"""The rounds of which complaints still come in time: which event closes the window behind them (pt.bj.61)."""

from controller.core.effects.complaints import watch_complaints
from controller.core.replacing import replace
from controller.core.replacing import replace as changed
from controller.core.words import RoundPhase, SessionPhase
from tests.core.rows_out_of_reach import dealt
from tests.core.table import CoreTable


def test_the_first_card_of_the_rack_that_goes_in_closes_the_window(table: CoreTable) -> None:
    table.deal(1)
    assert table.state.heard_up_to == 0
    table.finish_round()
    assert table.state.heard_up_to == table.state.round_number == 1
    collected = changed(table.state, round=RoundPhase.COLLECTED, round_number=2)
    assert watch_complaints(table.state, collected).heard_up_to == 1


def test_where_nothing_is_put_back_the_mixing_closes_the_window() -> None:
    """pt.bj.11b"""
    played = changed(dealt(profile="pt-shoe"), round=RoundPhase.IDLE, round_number=7)
    gathered, mixed = (changed(played, session=phase) for phase in (SessionPhase.GATHERED, SessionPhase.MIXED))
    assert watch_complaints(played, gathered).heard_up_to == 0
    assert watch_complaints(gathered, mixed).heard_up_to == 7
    fed = changed(played, book=replace(played.book, rack=0, inside=312))
    assert watch_complaints(played, fed).heard_up_to == 0
