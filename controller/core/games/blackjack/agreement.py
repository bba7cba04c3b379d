"""A person's word about a card takes a second person's before money moves.

A corrected card is annulled, moved or named anew at once, and one that the reader has not seen has the name that the
dealer says: the cards lie as people say, and the round goes on. Where the table follows bets, dealer and player could
gain by it, or supervisor and player. So the round is not settled, and no prize is paid, before a second person has
agreed: to a dealer's word a supervisor, to a supervisor's the dealer or another supervisor. Nothing takes the word
back; an incident decides what is wrong all the same.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeVar

from controller.core.custody.state import Corrector
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DELIBERATE_MS, ActGuard, ActRule, Guard
from controller.core.words import Role, TableMs

ActT = TypeVar("ActT", bound=Act)
_Effect = Callable[[BlackjackState, ActT, TableMs], BlackjackState]


class AgreeCorrections(Act, frozen=True):
    """The corrections of this round are as they were recorded."""


def needs_agreement(state: BlackjackState, act: Act) -> BlackjackState:
    """Where bets are followed, another person has to agree with this one before money moves."""
    who = Corrector(act.person, act.role)
    if state.setup.hand_rules is None or who in state.game.corrected_by:
        return state
    return replace(state, game=replace(state.game, corrected_by=(*state.game.corrected_by, who)))


def corrects(effect: _Effect[ActT]) -> _Effect[ActT]:
    """The effect of a correction: another person agrees, unless it only asks for a ruling and moves no card."""

    def done(state: BlackjackState, act: ActT, at_ms: TableMs) -> BlackjackState:
        after = effect(state, act, at_ms)
        return after if _cards(after) == _cards(state) else needs_agreement(after, act)

    return done


def _cards(state: BlackjackState) -> tuple[object, ...]:
    return state.game.dealt, state.custody.set_aside, state.custody.book


def _is_another(state: BlackjackState, act: AgreeCorrections) -> bool:
    by = state.game.corrected_by
    is_a_second_dealer = act.role is Role.DEALER and any(one.role is Role.DEALER for one in by)
    return not is_a_second_dealer and all(one.person != act.person for one in by)


def _says_by(state: BlackjackState, _act: Act | None = None) -> Values:
    return (("by", " ".join(str(one.person) for one in state.game.corrected_by)),)


def payment_takes_two(state: BlackjackState, _act: Act) -> bool:
    """One player is paid an amount from which the casino asks for a second person."""
    least, table = state.setup.parameters.second_person_payment_cents, state.table
    if not least or table is None:
        return False
    paid: dict[int, Fraction] = {}
    for one in table.amounts(settled=table.is_decided):
        if one.brought > 0:
            paid[one.bettor] = paid.get(one.bettor, Fraction(0)) + one.brought
    return max(paid.values(), default=Fraction(0)) >= least


CORRECTIONS_ARE_AGREED = Guard[BlackjackState](
    "corrections_are_agreed", lambda state: not state.game.corrected_by, _says_by
)
A_CORRECTION_WAITS = Guard[BlackjackState]("a_correction_waits", lambda state: bool(state.game.corrected_by))
ANOTHER_PERSON_AGREES = ActGuard[BlackjackState, AgreeCorrections]("another_person_agrees", _is_another, _says_by)


def agree_corrections(state: BlackjackState, _act: AgreeCorrections, _at_ms: TableMs) -> BlackjackState:
    return replace(state, game=replace(state.game, corrected_by=()))


AGREEMENT_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "agree-corrections",
        AgreeCorrections,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        agree_corrections,
        (A_CORRECTION_WAITS, ANOTHER_PERSON_AGREES),
        hold_ms=DELIBERATE_MS,
        own_pin=True,
        money=Money.AGREED,
    ),
)
