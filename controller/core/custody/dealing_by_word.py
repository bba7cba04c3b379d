"""Cards that the dealer states and no device reports: at a box, and at a shoe whose reader missed a card."""

from typing import Any

from controller.core.custody.books import (
    move,
    passed_unseen,
)
from controller.core.custody.drawing import card_of_the_shoe, one_more_out, owed_out
from controller.core.custody.game import (
    next_owed,
)
from controller.core.custody.state import (
    CardState,
    CardStateT,
    Identity,
    with_custody,
)
from controller.core.engine.act import Act
from controller.core.house.hold_table import P
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, Guard
from controller.core.house.undoing import by
from controller.core.words import TableMs


class ConfirmCardDealt(Act, frozen=True):
    """The dealer states that the owed card lies in its place. Only for a table without a shuffler."""


def confirm_card_dealt(state: CardStateT, _act: ConfirmCardDealt, at_ms: TableMs) -> CardStateT:
    """The state with the owed card in its place, as the dealer states. Unchanged if no card is owed. At a shoe with a
    reader, the card counts as having passed the reader unseen.
    """
    owed = next_owed(state)
    if owed is None:
        return state
    if state.setup.has_reader:
        return card_of_the_shoe(passed_unseen(state, 1), Identity(None, None), at_ms, was_stated=True)
    return owed_out(one_more_out(state), owed, at_ms)


def owed_as_counted(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state in which each owed card that people counted on the table counts as dealt. The dealer need not state
    any.
    """
    for _ in range(state.custody.book.table - len(state.game.dealt)):
        if (owed := next_owed(state)) is None:
            break
        state = with_custody(state, book=move(state.custody.book, "table", "inside"))
        state = owed_out(one_more_out(state), owed, at_ms)
    return state


NO_SHUFFLER_COUNTS = Guard[CardState]("no_shuffler_counts", lambda state: not state.setup.has_shuffler)
A_CARD_IS_OWED = Guard[CardState]("a_card_is_owed", lambda state: next_owed(state) is not None)
DEALING_BY_WORD_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "confirm-card-dealt",
        ConfirmCardDealt,
        DEALER,
        confirm_card_dealt,
        (NO_SHUFFLER_COUNTS, A_CARD_IS_OWED),
        needs=P.DRAW,
        undone=by("state-count", "retract-card"),
        money=Money.DECIDED,
        manner=Manner.DOES,
    ),
)
