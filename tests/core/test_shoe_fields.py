"""A shoe or a box: the changes in the state by its reader's figure, its warning card and people's statements."""

import pytest

from controller.core.choices import Cut, CutFallback
from controller.core.custody.books import differences
from controller.core.custody.counting import StateWholeCount, state_count
from controller.core.custody.mixing import ConfirmCut, StatePlayers, confirm_cut, cut_is_offered_to
from controller.core.custody.reader import CardRead
from controller.core.custody.shoe import FillShoe, GatherCards, SpreadCards, cards_behind
from controller.core.custody.state import Book, Card, Dealt, ShoeGame
from controller.core.engine.act import Source
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.deciding import decide_by
from controller.core.house.facts import DeviceConnected
from controller.core.house.state import Link
from controller.core.words import Device, HoldKind, Purpose, RoundPhase, SessionPhase, TableMs
from tests.core.parts import changed
from tests.core.states_by_hand import DEAL, LAST, C, D, after, dealt

BANKS = Dealt(0, Purpose.BANK, card=Card("5D"))


GAME = ShoeGame(
    players=(1, 2),
    decks_shuffled=(1,),
    counted_again=True,
    cut_refused=(2,),
    last_cut=2,
    behind=60,
    expected=252,
    measured=250,
    filled_at=9,
    out=40,
    first_round=1,
    last_round=2,
    announced=True,
)
"""A filling with every field set."""


def at_a_shoe(**changes: object) -> BlackjackState:
    return changed(dealt(profile="pt-shoe"), provisional=False, phase=RoundPhase.IDLE, seats=(), dealt=(), **changes)


def counted(state: BlackjackState, *, table: int) -> BlackjackState:
    """Returns the state after people have found `table` cards on the table, and all other cards inside."""
    return state_count(state, StateWholeCount(*C, 312 - table, 0, table, 0, 0, 0), TableMs(9))


def test_the_reader_s_figure_counts_on_from_a_whole_count() -> None:
    state = dealt(profile="pt-shoe")
    reader = replace(state.devices.reader, passages=40)
    assert counted(changed(state, reader=reader), table=5).custody.shoe_game.filled_at == 35
    unknown = changed(state, reader=replace(reader, passages=None), shoe_game=ShoeGame(filled_at=3))
    assert counted(unknown, table=5).custody.shoe_game.filled_at is None


def test_a_deal_that_a_count_resumes_asks_for_no_further_card() -> None:
    """A foreign card has left the deal since: another lies in its order."""
    state = dealt(BANKS, LAST, LAST, profile="mo-box")
    setup = replace(state.setup, has_reader=False, procedure=dealt(profile="mo-shoe").setup.procedure)
    resumed = counted(changed(state, setup=setup, book=replace(state.custody.book, rack=0, inside=309)), table=1)
    assert (resumed.game.phase, resumed.game.dealt, resumed.game.requested) == (RoundPhase.DEALING, (BANKS,), None)


def test_behind_a_card_that_nobody_was_owed_the_last_one_stays_where_it_lies() -> None:
    state = dealt(*DEAL, profile="pt-shoe")
    assert state.game.provisional
    more = decide_by(TABLE, state, CardRead(Source(1, 1), 1, Card("9D"), None), TableMs(9)).state
    assert (more.custody.book.pending, more.game.provisional) == (1, False)


def test_with_few_decks_one_round_lies_behind_the_warning_card() -> None:
    """Clause: br.prep.4c."""
    many = changed(dealt(profile="br"), shoe_game=ShoeGame(players=(1, 2)))
    few = changed(many, setup=replace(many.setup, decks=2))
    assert (cards_behind(many), cards_behind(few)) == (50, 3 * many.setup.parameters.reserve_cards_per_hand)


def test_a_shoe_whose_own_figure_says_otherwise_differs_in_play() -> None:
    state = changed(dealt(profile="pt-shoe"), provisional=False)
    reader = replace(state.devices.reader, passages=1, heard=2)
    told = changed(state, reader=reader)
    assert [one.what for one in differences(told)] == ["passages"]
    assert differences(changed(told, irregular=True)) == ()


def test_gathered_cards_are_mixed_and_cut_anew() -> None:
    book = replace(Book(), inside=240, rack=70, withdrawn=3, foreign=1)
    gathered = after(at_a_shoe(shoe_game=GAME, book=book), GatherCards(*D))
    assert gathered.custody.book == replace(Book(), outside=310, withdrawn=3, foreign=1)
    anew = ShoeGame(players=(1, 2), last_cut=2, out=40, first_round=1)
    assert gathered.custody.shoe_game == anew
    spread = after(at_a_shoe(shoe_game=replace(GAME, last_round=None), book=book), SpreadCards(*D))
    assert spread.custody.shoe_game == replace(anew, last_cut=0)


def test_a_filling_begins_its_own_count() -> None:
    cut = at_a_shoe(shoe_game=replace(GAME, measured=None), session=SessionPhase.CUT, burned=1)
    book = replace(Book(), outside=312)
    filled = after(
        changed(cut, book=book, reader=replace(cut.devices.reader, passages=17)),
        FillShoe(*D),
    )
    game = replace(GAME, measured=None, filled_at=17, out=0, first_round=3, last_round=None)
    assert filled.custody.shoe_game == game
    assert (filled.custody.burned, filled.house.tally.loads, filled.custody.book) == (0, 1, replace(Book(), inside=312))


def test_who_sits_there_may_cut_though_others_had_refused() -> None:
    told = after(at_a_shoe(shoe_game=GAME), StatePlayers(*D, (4, 3)))
    assert (told.custody.shoe_game.players, told.custody.shoe_game.cut_refused) == ((3, 4), ())


def test_a_shoe_that_forgot_its_count_has_its_cards_counted() -> None:
    state = at_a_shoe(shoe_game=GAME)
    state = changed(state, reader=replace(state.devices.reader, link=Link(serial="R1", boot=1)))
    forgot = DeviceConnected(Device.SHOE, "R", "R1", "1.0", 2, True, None, None)
    begun = decide_by(TABLE, state, forgot, TableMs(9)).state
    assert begun.custody.shoe_game == replace(GAME, filled_at=None)
    assert HoldKind.COUNT in [hold.kind for hold in begun.house.holds]
    empty = decide_by(TABLE, changed(state, session=SessionPhase.MIXED), forgot, TableMs(9)).state
    assert HoldKind.COUNT not in [hold.kind for hold in empty.house.holds]


@pytest.mark.parametrize(("fallback", "next_seat"), [(CutFallback.TABLE_INSPECTOR, 1), (CutFallback.BANK, 2)])
def test_after_a_cut_by_no_player_the_turn_begins_anew_only_where_the_inspector_made_it(
    fallback: CutFallback, next_seat: int
) -> None:
    """Clauses: pt.bj.8c, pt.bj.8d; elsewhere the turn stays with the seats after the last player who has cut."""
    state = at_a_shoe(shoe_game=ShoeGame(players=(1, 2, 3), last_cut=1, cut_refused=(1, 2, 3)))
    procedure = replace(state.setup.procedure, cut=Cut.SEAT_ORDER, cut_fallback=fallback)
    cut = confirm_cut(replace(state, setup=replace(state.setup, procedure=procedure)), ConfirmCut(*D, 0), TableMs(9))
    assert cut_is_offered_to(cut) == next_seat
