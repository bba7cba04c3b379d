"""The payments of one round to each player, and the amount from which they take two people.

All payments of the round to a player count together, so that an amount that takes two people takes them in parts, too.
Payments before the settlement have acts of their own: a hand claims them, or is taken away when it is paid. The
settlement asks for the others.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Final, TypeVar

from controller.core.engine.act import Act
from controller.core.games.blackjack.hands import Brings, HandId
from controller.core.games.blackjack.money import Payment, payable
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.rule import SUPERVISORS, SecondPerson
from controller.core.words import TableMs

ActT = TypeVar("ActT", bound=Act)

_CLAIMED: Final = frozenset((Payment.EVEN_MONEY, Payment.FIVE_CARDS))
"""Payments that a hand claims, by an act that asks for the second person itself."""

_BY_CARDS: Final = frozenset((Payment.BLACKJACK, Payment.SPECIAL_PRIZE))
"""Payments before the settlement that cards alone decide; the act that takes the paid hand away asks for them."""


def _takes_two(state: BlackjackState, now: Iterable[Brings], all_paid: Iterable[Brings]) -> bool:
    """True where a player of the payments `now` gets, by all payments of the round, the profile's amount or more."""
    least, rules = state.setup.parameters.second_person_payment_cents, state.setup.hand_rules
    if not least or rules is None:
        return False
    sums: dict[int, Fraction] = {}
    for one in all_paid:
        sums[one.bettor] = sums.get(one.bettor, Fraction(0)) + _at_most(one, rules)
    return any(sums[one.bettor] >= least for one in now if one.brought > 0)


def _at_most(one: Brings, rules: HandRules) -> Fraction:
    """The cents that the player may be paid, 0 for a loss.

    Where no chips make an amount up, it is the next amount above, since people may decide for it later.
    """
    if one.amount.exact <= 0:
        return Fraction(0)
    return one.amount.exact if one.amount.flag is None else Fraction(payable(one.amount, rules)[1])


def _due(table: Table | None) -> tuple[Brings, ...]:
    return () if table is None else table.amounts(settled=False)


def claim_takes_two(
    effect: Callable[[BlackjackState, ActT, TableMs], BlackjackState],
) -> SecondPerson[BlackjackState, ActT]:
    """The second person of an act by which a hand is paid before the settlement; `effect`: that of the act's row."""

    def is_needed(state: BlackjackState, act: ActT) -> bool:
        before, after = _due(state.table), _due(effect(state, act, TableMs(0)).table)
        return _takes_two(state, (one for one in after if one not in before), after)

    return SecondPerson(SUPERVISORS, "payment", is_needed)


def collection_takes_two(state: BlackjackState, gone: tuple[HandId, ...]) -> bool:
    """True where the hands `gone`, which are taken away, were paid by their cards, and this takes two people."""
    due = _due(state.table)
    return _takes_two(state, (one for one in due if one.hand in gone and one.amount.payment in _BY_CARDS), due)


def settlement_takes_two(state: BlackjackState, _act: Act) -> bool:
    """True where the settlement pays somebody, and this takes two people."""
    table = state.table
    if table is None:
        return False
    amounts = table.amounts(settled=table.is_decided)
    return _takes_two(state, (one for one in amounts if not _was_asked_for(table, one)), amounts)


def _was_asked_for(table: Table, one: Brings) -> bool:
    """True for a payment before the settlement, for which an act has asked for a second person."""
    played = table.of(one.hand)
    is_gone = played is not None and played.kept is not None
    return one.amount.payment in _CLAIMED or (is_gone and one.amount.payment in _BY_CARDS)
