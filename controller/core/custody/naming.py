"""People name the open cards that the reader could not read."""

from typing import Any

from controller.core.custody.agreement import needs_agreement
from controller.core.custody.doubt import cards_to_name, end_unread, unread_cards
from controller.core.custody.game import judged_again, place_of
from controller.core.custody.state import FOREIGN, Card, CardState, CardStateT, Dealt, with_round
from controller.core.custody.taking_back import NO_CARD_WAS_ASKED_FOR, foreign_by_word
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.house.holds import holds_of, update_hold
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, Guard
from controller.core.house.undoing import by
from controller.core.words import HoldKind, TableMs


class NameCard(Act, frozen=True):
    """The dealer states the face of the first open card that the reader could not read."""

    card: Card


def card_to_name(state: CardState) -> Dealt | None:
    """The card that `name-card` names: the first that the reader could not read. None if every card was read. At a
    table without a reader, the last unread card, which was laid aside before.
    """
    unread = unread_cards(state)
    return next(iter(unread if state.setup.has_reader else unread[-1:]), None)


def name_card(state: CardStateT, act: NameCard, at_ms: TableMs) -> CardStateT:
    """The state in which the card that must be named has the face in `act`. Another person must agree before money
    moves. The hold stays while another card waits for its name.

    A foreign card counts as never dealt (pt.bj.3b).
    """
    meant = card_to_name(state)
    if meant is None:
        return end_unread(state)
    at = next(at for at, one in enumerate(state.game.dealt) if one is meant)
    if act.card == FOREIGN:
        return end_unread(foreign_by_word(state, at, act, at_ms))
    named = replace(meant, card=act.card, named=True)
    dealt = (*state.game.dealt[:at], named, *state.game.dealt[at + 1 :])
    after = judged_again(state, with_round(state, dealt=dealt), named, at_ms)
    return end_unread(needs_agreement(after, act))


def watch_unread(_before: CardStateT, after: CardStateT, _at_ms: TableMs) -> CardStateT:
    """The state in which the hold for unread cards shows the place of the card that `name-card` names."""
    meant = card_to_name(after)
    if meant is None:
        return after
    seat, _, position = place_of(after, meant).partition("/")
    details = (("seat", seat), ("position", position))
    for hold in holds_of(after, HoldKind.UNREAD_CARD):
        if hold.details != details:
            after = update_hold(after, replace(hold, details=details))
    return after


def _only_doubted(state: CardState) -> bool:
    """True if each card that people must still name is a doubted card, which two people name."""
    return bool(cards_to_name(state)) and not unread_cards(state)


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
        (CARD_WAITS_FOR_ITS_NAME, NO_CARD_WAS_ASKED_FOR),
        undone=by("rename-card"),
        money=Money.NAMED,
        manner=Manner.DOES,
    ),
)
