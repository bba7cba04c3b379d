"""Decides which payments need a second person, by the sum that a player is paid in the round.

All payments to a player in a round count together, so that splitting a large amount does not avoid the second person. A
payment before the settlement is checked by the act that claims it or collects the paid hand, every other payment by the
settlement.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final, Protocol, TypeVar

from controller.core.custody.state import BANK
from controller.core.engine.act import Act
from controller.core.games.blackjack.decisions.one_hand import HandAct
from controller.core.games.blackjack.hands import Brings, HandId
from controller.core.games.blackjack.money import Payment, payable
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.rule import SUPERVISORS, SecondPerson
from controller.core.words import TableMs


class OfASeat(Protocol):
    """An act on the cards of one seat."""

    @property
    def seat(self) -> int: ...


ActT = TypeVar("ActT", bound=HandAct)

_CLAIMED: Final = frozenset((Payment.EVEN_MONEY, Payment.FIVE_CARDS))
"""Payments that a hand claims, by an act that asks for the second person itself."""

_BY_CARDS: Final = frozenset((Payment.BLACKJACK, Payment.SPECIAL_PRIZE))
"""Payments before the settlement that cards alone decide; the act that takes the paid hand away asks for them."""


def _takes_two(state: BlackjackState, now: Iterable[Brings], all_paid: Iterable[Brings]) -> bool:
    """True if a player who is paid by `now` has payments of at least the profile's amount in `all_paid`."""
    least, rules = state.setup.parameters.second_person_payment_cents, state.setup.hand_rules
    if not least or rules is None:
        return False
    sums: dict[int, Fraction] = {}
    for one in all_paid:
        sums[one.bettor] = sums.get(one.bettor, Fraction(0)) + _at_most(one, rules)
    return any(sums[one.bettor] >= least for one in now if one.brought > 0)


def _at_most(one: Brings, rules: HandRules) -> Fraction:
    """Returns the most, in cents, that the player can be paid by this result. 0 for a loss.

    If no chips make the amount up, the most is the next amount above, since people may still decide for that.
    """
    if one.amount.exact <= 0:
        return Fraction(0)
    return one.amount.exact if one.amount.flag is None else Fraction(payable(one.amount, rules)[1])


def sees_the_seat(state: BlackjackState, act: OfASeat) -> object:
    """Returns the values whose change ends the wait for a second person: the cards and hands of the act's seat with
    their bets, what they bring before the settlement, and the bank's cards.
    """
    game = state.game
    cards = [one for one in state.placed if one.seat in {act.seat, BANK}]
    hands = [one for one in game.stakes.hands if one.id.seat == act.seat]
    return game.number, cards, hands, [one for one in state.at_once() if one.hand.seat == act.seat]


def claim_takes_two(
    effect: Callable[[BlackjackState, ActT, TableMs], BlackjackState],
) -> SecondPerson[BlackjackState, ActT]:
    """Returns the rule for the second person of an act that pays a hand before the settlement. `effect`: the act's
    effect.
    """

    def is_needed(state: BlackjackState, act: ActT) -> bool:
        before, after = state.at_once(), effect(state, act, TableMs(0)).at_once()
        return _takes_two(state, (one for one in after if one not in before), after)

    return SecondPerson(SUPERVISORS, "payment", is_needed, sees_the_seat)


def collection_takes_two(state: BlackjackState, gone: tuple[HandId, ...]) -> bool:
    """True if the hands `gone` were paid for their cards alone, and these payments need a second person."""
    due = state.at_once()
    return _takes_two(state, (one for one in due if one.hand in gone and one.amount.payment in _BY_CARDS), due)


def settlement_takes_two(state: BlackjackState, _act: Act) -> bool:
    """True if a payment made by the settlement needs a second person."""
    table = state.table
    if table is None:
        return False
    amounts = table.amounts(settled=table.is_decided)
    return _takes_two(state, (one for one in amounts if not _was_asked_for(table, one)), amounts)


def _was_asked_for(table: Table, one: Brings) -> bool:
    """True for a payment before the settlement. The act that claimed it, or collected its hand, has asked for a second
    person if needed.
    """
    played = table.of(one.hand)
    is_gone = played is not None and played.kept is not None
    return one.amount.payment in _CLAIMED or (is_gone and one.amount.payment in _BY_CARDS)
