"""A shoe or a box: what its reader's figure, its warning card and people's word change in the table's state."""

from controller.core import acts as a
from controller.core import events as e
from controller.core.cards import Card
from controller.core.decide import decide
from controller.core.effects.shoe_game import cards_behind
from controller.core.effects.supervised_count import state_count
from controller.core.replacing import replace
from controller.core.state import Dealt, ShoeGame, State
from controller.core.words import Purpose, Role, RoundPhase, TableMs
from tests.core.parts import changed
from tests.core.rows_out_of_reach import DEAL, dealt
from tests.core.table import CHIEF

SEAT = Dealt(1, Purpose.SEAT, card=Card("9D"))
BANKS = Dealt(0, Purpose.BANK, card=Card("5D"))


def counted(state: State, *, table: int) -> State:
    """People have found so many cards on the table, and every other one inside."""
    return state_count(
        state, a.StateWholeCount(CHIEF, Role.CHIEF_SUPERVISOR, 312 - table, 0, table, 0, 0, 0), TableMs(9)
    )


def test_the_reader_s_figure_counts_on_from_a_whole_count() -> None:
    state = dealt(profile="pt-shoe")
    reader = replace(state.devices.reader, passages=40)
    assert counted(changed(state, reader=reader), table=5).custody.shoe_game.filled_at == 35
    unknown = changed(state, reader=replace(reader, passages=None), shoe_game=ShoeGame(filled_at=3))
    assert counted(unknown, table=5).custody.shoe_game.filled_at is None


def test_a_deal_that_a_count_resumes_asks_for_no_further_card() -> None:
    """A card of no deck has left the deal since: another lies in its order."""
    state = dealt(BANKS, SEAT, SEAT, profile="mo-box")
    setup = replace(state.setup, has_reader=False, procedure=dealt(profile="mo-shoe").setup.procedure)
    resumed = counted(changed(state, setup=setup, book=replace(state.custody.book, rack=0, inside=309)), table=1)
    assert (resumed.game.phase, resumed.game.dealt, resumed.game.requested) == (RoundPhase.DEALING, (BANKS,), None)


def test_behind_a_card_that_nobody_was_owed_the_last_one_stays_where_it_lies() -> None:
    state = dealt(*DEAL, profile="pt-shoe")
    assert state.game.provisional
    more = decide(state, e.CardRead(e.Source(1, 1), 1, Card("9D"), None), TableMs(9)).state
    assert (more.custody.book.pending, more.game.provisional) == (1, False)


def test_with_few_decks_one_round_lies_behind_the_warning_card() -> None:
    """br.prep.4c"""
    many = changed(dealt(profile="br"), shoe_game=ShoeGame(players=(1, 2)))
    few = changed(many, setup=replace(many.setup, decks=2))
    assert (cards_behind(many), cards_behind(few)) == (50, 3 * many.setup.parameters.reserve_cards_per_hand)
