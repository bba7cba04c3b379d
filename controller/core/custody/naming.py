"""Open cards that the reader could not read, which people name."""

from typing import Any

from controller.core.custody.agreement import needs_agreement
from controller.core.custody.doubt import cards_to_name, is_unread
from controller.core.custody.state import FOREIGN, Card, CardState, CardStateT, with_round
from controller.core.custody.taking_back import foreign_card
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.holds import end_holds, holds_of
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, Guard
from controller.core.house.undoing import by
from controller.core.words import HoldKind, TableMs


class NameCard(Act, frozen=True):
    """The dealer states the face of the card that the reader could not read."""

    card: Card


def name_card(state: CardStateT, act: NameCard, at_ms: TableMs) -> CardStateT:
    """Names the last card that could not be read; a card of no deck counts as never dealt (pt.bj.3b)."""
    unread = [index for index, one in enumerate(state.game.dealt) if is_unread(one)]
    if unread and act.card == FOREIGN:
        state = foreign_card(state, unread[-1], at_ms)
    elif unread:
        dealt = list(state.game.dealt)
        dealt[unread[-1]] = replace(dealt[unread[-1]], card=act.card, named=True)
        state = needs_agreement(with_round(state, dealt=tuple(dealt)), act)
    return end_holds(state, lambda hold: hold.kind is HoldKind.UNREAD_CARD)


def _only_doubted(state: CardState) -> bool:
    """True where the only cards to be named are doubted ones, which two people name."""
    return bool(cards_to_name(state)) and not any(map(is_unread, state.game.dealt))


CARD_WAITS_FOR_ITS_NAME = Guard[CardState](
    "card_waits_for_its_name",
    lambda state: bool(holds_of(state, HoldKind.UNREAD_CARD)) and not _only_doubted(state),
)
NAMING_ACTS: tuple[ActRule[Any, Any], ...] = (
    ActRule(
        "name-card",
        NameCard,
        DEALER,
        name_card,
        (CARD_WAITS_FOR_ITS_NAME,),
        undone=by("rename-card"),
        money=Money.NAMED,
        manner=Manner.DOES,
    ),
)
