"""The way back from a cut that was confirmed by mistake, before a card has come out: the cards are cut again."""

from typing import Any, Final

from msgspec import UnsetType

from controller.core.custody.books import move
from controller.core.custody.mixing import CARDS_ARE_CUT
from controller.core.custody.state import (
    CardState,
    CardStateT,
    CardTrigger,
    CutTurn,
    ShoeGame,
    with_custody,
)
from controller.core.engine.act import Act
from controller.core.house.hold_table import P
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DELIBERATE_MS, ROUND_IS_OVER, SUPERVISORS, ActRule, Guard
from controller.core.house.state import with_tally
from controller.core.house.undoing import by
from controller.core.words import SessionPhase, TableMs


class TakeBackCut(Act, frozen=True):
    """A supervisor takes a confirmed cut back: no player has cut, or a player other than the entered one."""


def take_back_cut(state: CardStateT, _act: TakeBackCut, _at_ms: TableMs) -> CardStateT:
    """The state before the cut: the cards are outside and mixed, without a warning card, and the turn to cut is as
    before.
    """
    game, book = state.custody.shoe_game, state.custody.book
    turn = CutTurn() if isinstance(game.cut_turn, UnsetType) else game.cut_turn
    uncut = ShoeGame(
        players=game.players,
        decks_shuffled=game.decks_shuffled,
        counted_again=game.counted_again,
        cut_refused=turn.refused,
        last_cut=turn.last,
        out=game.out,
        first_round=game.first_round,
        new_deck=game.new_deck,
    )
    was_filled = book.inside > 0
    state = with_custody(state, shoe_game=uncut, book=move(book, "inside", "outside", book.inside))
    return with_tally(state, loads=state.house.tally.loads - was_filled)


def _is_as_cut(state: CardState) -> bool:
    return state.house.session is not SessionPhase.LOADED or state.custody.shoe_game.out == 0


NO_CARD_HAS_COME_OUT: Final = Guard[CardState]("no_card_has_come_out", _is_as_cut)

TAKING_BACK_CUT_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "take-back-cut",
        TakeBackCut,
        SUPERVISORS,
        take_back_cut,
        (CARDS_ARE_CUT, ROUND_IS_OVER, NO_CARD_HAS_COME_OUT),
        session=CardTrigger.CUT_TAKEN_BACK,
        needs=P.CLOSE,
        hold_ms=DELIBERATE_MS,
        undone=by("confirm-cut"),
        money=Money.NONE,
        manner=Manner.DECIDES,
    ),
)
