"""Corrections of cards, with which a second person must agree before money moves.

A correction takes effect at once, and the round goes on: a card is annulled, moved or renamed, or the dealer names a
card that the reader could not read. If the table follows bets, the person who corrects could profit from a false
correction together with a player. So until a second person has agreed, the round is not settled, no hand or prize is
paid, no hand is surrendered, and no cards are taken away.

A supervisor agrees with a dealer's correction; the dealer or another supervisor agrees with a supervisor's. If dealer
and supervisor have both corrected, each agrees with the other's correction. To undo a wrong correction, people take its
entry back or rename its card. An agreement with it then lapses. Moving away a card that was kept for the next round
(mo.6.1b) counts as a correction of that next round.
"""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import UNSET, UnsetType

from controller.core.custody.state import CardState, CardStateT, Corrector, with_custody, with_round
from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CARDS_LIE, DELIBERATE_MS, ActGuard, ActRule, Guard, always
from controller.core.house.undoing import by
from controller.core.words import Role, TableMs

ActT = TypeVar("ActT", bound=Act)


class AgreeCorrections(Act, frozen=True):
    """A second person agrees with the corrections of this round as they were recorded."""


def needs_agreement(state: CardStateT, act: Act) -> CardStateT:
    """The state in which another person must agree with the correction `act` before money moves. Unchanged at a table
    that does not follow bets.
    """
    who = Corrector(act.person, act.role)
    if state.setup.hand_rules is None or who in state.game.corrected_by:
        return state
    return with_round(state, corrected_by=(*state.game.corrected_by, who))


def corrects(
    effect: Callable[[CardStateT, ActT, TableMs], CardStateT],
) -> Callable[[CardStateT, ActT, TableMs], CardStateT]:
    """Returns `effect`, wrapped: if `effect` changes the book, a dealt card of the round or the card laid aside,
    another person must agree.
    """

    def done(state: CardStateT, act: ActT, at_ms: TableMs) -> CardStateT:
        after = effect(state, act, at_ms)
        return after if _cards(after) == _cards(state) else needs_agreement(after, act)

    return done


def discards(
    effect: Callable[[CardStateT, ActT, TableMs], CardStateT],
) -> Callable[[CardStateT, ActT, TableMs], CardStateT]:
    """Returns `effect`, wrapped: if `effect` lowers the number of pending cards, another person must agree.

    A card laid aside is pending, and goes to the next seat that asks (pt.bj.18d-e). Its removal gives every later card
    to another hand. Between two rounds only the removal of a card kept for the next round needs an agreement, for which
    the next round then asks.
    """

    def done(state: CardStateT, act: ActT, at_ms: TableMs) -> CardStateT:
        after, kept = effect(state, act, at_ms), state.custody.set_aside
        if after.custody.book.pending >= state.custody.book.pending:
            return after
        if state.game.phase in CARDS_LIE:
            return needs_agreement(after, act)
        return _next_round_needs_agreement(after, act) if kept is not None and kept.outlives_round else after

    return done


def _next_round_needs_agreement(state: CardStateT, act: Act) -> CardStateT:
    who = Corrector(act.person, act.role)
    if state.setup.hand_rules is None or who in moved_between_rounds(state):
        return state
    return with_custody(state, kept_moved_by=(*moved_between_rounds(state), who))


def moved_between_rounds(state: CardState) -> tuple[Corrector, ...]:
    """The people who have moved away a card that was kept for the next round, since the last round ended."""
    by = state.custody.kept_moved_by
    return () if isinstance(by, UnsetType) else by


def corrected_before(state: CardStateT) -> CardStateT:
    """The state of a round that has just begun. If people moved away a card kept for this round, another person must
    agree.
    """
    if not moved_between_rounds(state):
        return state
    return with_custody(with_round(state, corrected_by=moved_between_rounds(state)), kept_moved_by=UNSET)


def _cards(state: CardState) -> tuple[object, ...]:
    return state.game.dealt, state.custody.set_aside, state.custody.book


def _left(state: CardState, act: AgreeCorrections) -> tuple[Corrector, ...]:
    """The correctors with whom the person of `act` cannot agree: this person and, if this is a dealer, all other
    dealers.
    """
    by = state.game.corrected_by
    return tuple(one for one in by if one.person == act.person or one.role is act.role is Role.DEALER)


def _is_another(state: CardState, act: AgreeCorrections) -> bool:
    return len(_left(state, act)) < len(state.game.corrected_by)


def _says_by(state: CardState, _act: Act | None = None) -> Values:
    return (("by", " ".join(str(one.person) for one in state.game.corrected_by)),)


CORRECTIONS_ARE_AGREED = Guard[CardState]("corrections_are_agreed", lambda state: not state.game.corrected_by, _says_by)
A_CORRECTION_WAITS = Guard[CardState]("a_correction_waits", lambda state: bool(state.game.corrected_by))
ANOTHER_PERSON_AGREES = ActGuard[CardState, AgreeCorrections]("another_person_agrees", _is_another, _says_by)


def agree_corrections(state: CardStateT, act: AgreeCorrections, _at_ms: TableMs) -> CardStateT:
    return with_round(state, corrected_by=_left(state, act))


AGREEMENT_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "agree-corrections",
        AgreeCorrections,
        (Role.DEALER, Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR),
        agree_corrections,
        (A_CORRECTION_WAITS, ANOTHER_PERSON_AGREES),
        hold_ms=DELIBERATE_MS,
        own_pin=True,
        falls_away=always,
        undone=by("correct-entry", "rename-card"),
        money=Money.AGREED,
        manner=Manner.ATTESTS,
    ),
)
