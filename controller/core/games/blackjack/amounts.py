"""Decisions about amounts that the table's chips cannot make up: people choose the next amount above or below.

If a law leaves the rounding open, the program does not round. The exact amount stays beside the decided amount.
"""

from fractions import Fraction
from typing import Any, Final

from controller.core.custody.round import of_the_round
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED
from controller.core.games.blackjack.hands import Brings, Decided, HandId
from controller.core.games.blackjack.money import may_be_paid, payable
from controller.core.games.blackjack.state import BlackjackState
from controller.core.hand_rules import Rate
from controller.core.house.correct_entry import differs_further
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import ActGuard, ActRule, R, always
from controller.core.house.undoing import AGAIN
from controller.core.money import in_units
from controller.core.words import Cents, Role, RoundPhase, TableMs


class DecideAmount(Act, frozen=True):
    """People decide the amount that is paid or lost in place of an amount that no chips make up. `bettor`: None for the
    seat's own player.

    A later decision replaces an earlier one, and changes an unsettled difference.
    """

    seat: int
    amount: Cents
    hand: int | None = None
    bettor: int | None = None


def unpayable(state: BlackjackState) -> tuple[Brings, ...]:
    """Returns the amounts of the played round, or between rounds of the last round, that no chips make up, decided or
    not. Empty at a table that tracks only cards.
    """
    table = state.table
    if table is None:
        return ()
    is_played = state.game.phase is RoundPhase.PLAYING
    brought = table.amounts(settled=table.is_decided) if is_played else state.takings.last
    return tuple(one for one in brought if one.amount.flag is not None)


def amount_meant(state: BlackjackState, act: DecideAmount) -> Brings | None:
    """Returns the amount that `act` decides: the first undecided amount of the player on the hand. If all amounts are
    decided, returns an amount with another decision. Returns None if the player has no such amount.
    """
    whose = (HandId(act.seat, act.hand or 1), act.bettor or act.seat)
    his = [one for one in unpayable(state) if (one.hand, one.bettor) == whose and one.paid != act.amount]
    return min(his, key=lambda one: one.paid is not None, default=None)


def _is_payable(state: BlackjackState, act: DecideAmount) -> bool:
    rules, meant = state.setup.hand_rules, amount_meant(state, act)
    return rules is None or meant is None or may_be_paid(act.amount, meant.amount, rules)


def _bounds(state: BlackjackState, act: DecideAmount | None) -> Values:
    rules, meant = state.setup.hand_rules, None if act is None else amount_meant(state, act)
    if rules is None or meant is None:
        return (("below", "-"), ("above", "-"))
    below, above = (in_units(Fraction(cents)).lstrip("+") for cents in payable(meant.amount, rules))
    return (("below", below), ("above", above))


AMOUNT_WAITS_FOR_PEOPLE = ActGuard[BlackjackState, DecideAmount](
    "amount_waits_for_people",
    lambda state, act: amount_meant(state, act) is not None,
    possible=lambda state: bool(unpayable(state)),
)
CHIPS_MAKE_IT_UP = ActGuard[BlackjackState, DecideAmount]("chips_make_it_up", _is_payable, _bounds)


def decide_amount(state: BlackjackState, act: DecideAmount, _at_ms: TableMs) -> BlackjackState:
    meant = amount_meant(state, act)
    if meant is None:
        return state
    if state.game.phase is RoundPhase.PLAYING:
        said = Decided(meant.hand, meant.bettor, meant.amount.payment, act.amount)
        stakes = replace(state.game.stakes, decided=(*_without(state.game.stakes.decided, meant), said))
        return replace(state, game=replace(state.game, stakes=stakes))
    paid = replace(meant, paid=act.amount)
    last = tuple(paid if one is meant else one for one in state.takings.last)
    bank = Fraction(state.takings.bank.pays, state.takings.bank.of) + meant.brought - paid.brought
    return replace(state, takings=replace(state.takings, last=last, bank=Rate(bank.numerator, bank.denominator)))


def _without(decided: tuple[Decided, ...], meant: Brings) -> tuple[Decided, ...]:
    """Returns `decided` without the decision that applies to the amount `meant`. Unchanged if no decision applies."""
    had = (meant.hand, meant.bettor, meant.amount.payment, meant.paid)
    at = next((at for at, one in enumerate(decided) if (one.hand, one.bettor, one.payment, one.paid) == had), None)
    return decided if at is None else (*decided[:at], *decided[at + 1 :])


AMOUNT_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "decide-amount",
        DecideAmount,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        of_the_round(differs_further(decide_amount)),
        (HANDS_ARE_FOLLOWED, AMOUNT_WAITS_FOR_PEOPLE, CHIPS_MAKE_IT_UP),
        in_round=(R.PLAYING, R.SETTLED, R.COLLECTED, R.PUTTING_BACK, R.IDLE, R.BETTING),
        falls_away=always,
        undone=AGAIN,
        money=Money.ROUNDED,
        manner=Manner.DECIDES,
    ),
)
