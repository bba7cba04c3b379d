"""The seats in a round at a table that tracks only cards, and the time until which bets are open at any table."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from controller.core.choices import BetsClose
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.shoe import SHOE_IS_NOT_OVER
from controller.core.custody.state import BANK, Join, with_round
from controller.core.engine.act import Act
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActGuard, ActRule, Case, Guard, P, S
from controller.core.house.state import without_round
from controller.core.house.undoing import BY_ENTRY, by
from controller.core.words import RoundPhase, TableMs

ActT = TypeVar("ActT", bound=Act)


class TakeBets(Act, frozen=True):
    seats: tuple[int, ...]


class CancelBets(Act, frozen=True):
    """All bets are taken back before the announcement, and the round is not played."""


def _close_with_own_card(state: BlackjackState) -> bool:
    return state.setup.procedure.bets_close is BetsClose.OWN_FIRST_CARD


def _deal_has_not_begun(state: BlackjackState) -> bool:
    return state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}


def _first_cards_are_dealt(state: BlackjackState) -> bool:
    """True while the players get their first cards, unless only one of machine and reader has reported the present
    card.
    """
    begun = state.game.phase is RoundPhase.DEALING and all(dealt.seat != BANK for dealt in state.game.dealt)
    return begun and state.custody.join == Join()


def _may_still_bet(state: BlackjackState, seats: tuple[int, ...]) -> bool:
    """True before the deal, and during it until one of these seats or a later seat has its first card (house.4). Always
    True unless the profile closes each seat's bets with its own first card.
    """
    last = max((dealt.seat for dealt in state.game.dealt), default=BANK)
    is_late = _first_cards_are_dealt(state) and all(seat > last for seat in seats)
    return is_late or _deal_has_not_begun(state) or not _close_with_own_card(state)


def seats_have_no_card_yet(
    seats_of: Callable[[BlackjackState, ActT], tuple[int, ...]],
) -> ActGuard[BlackjackState, ActT]:
    """Returns the guard for profiles in which a seat's bets close with its first card: bets are still open for all
    seats of the act. `seats_of`: returns the seats of an act.
    """
    return ActGuard(
        "bets_are_not_closed",
        lambda state, act: _may_still_bet(state, seats_of(state, act)),
        possible=lambda state: _may_still_bet(state, ()),
        rule="bets_close_at_own_card",
    )


def take_bets(state: BlackjackState, act: TakeBets, _at_ms: TableMs) -> BlackjackState:
    late = state.game.seats if state.game.phase is RoundPhase.DEALING else ()  # earlier bets stay (house.4)
    return with_round(state, seats=tuple(sorted({*late, *act.seats})))


def cancel_bets(state: BlackjackState, _act: CancelBets, _at_ms: TableMs) -> BlackjackState:
    return without_round(state)


BETS_ARE_LAID_ONE_BY_ONE = Guard[BlackjackState](
    "bets_are_laid_one_by_one", lambda state: state.setup.hand_rules is None
)
SEATS_EXIST = ActGuard[BlackjackState, TakeBets](
    "seats_exist",
    lambda state, act: bool(act.seats) and _are_of_the_table(state, act.seats) and _once(act.seats),
    lambda state, _act: (("seats", str(state.setup.seats)),),
    case=Case("of-the-round", lambda state, act: _are_of_the_table(state, act.seats)),
)


def _are_of_the_table(state: BlackjackState, seats: tuple[int, ...]) -> bool:
    return all(1 <= seat <= state.setup.seats for seat in seats)


def _once(seats: tuple[int, ...]) -> bool:
    return len(dict.fromkeys(seats)) == len(seats)


BETS_ARE_NOT_CLOSED = Guard[BlackjackState](
    "bets_are_not_closed", lambda state: _close_with_own_card(state) or _deal_has_not_begun(state)
)
NEW_SEATS_HAVE_NO_CARD_YET: Final[ActGuard[BlackjackState, TakeBets]] = seats_have_no_card_yet(
    lambda state, act: tuple(seat for seat in act.seats if seat not in state.game.seats)
)


def _leaves_bets(state: BlackjackState, act: TakeBets) -> bool:
    """True before the deal, and during it if the act names all seats that have bet, or none of them."""
    before = set(state.game.seats)
    return _deal_has_not_begun(state) or before <= set(act.seats) or not before & set(act.seats)


BETS_STAY = ActGuard[BlackjackState, TakeBets]("bets_are_not_closed", _leaves_bets, rule="bets_stay")


TAKING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "take-bets",
        TakeBets,
        DEALER,
        of_the_round(take_bets),
        (
            BETS_ARE_LAID_ONE_BY_ONE,
            SEATS_EXIST,
            BETS_ARE_NOT_CLOSED,
            NEW_SEATS_HAVE_NO_CARD_YET,
            BETS_STAY,
            SHOE_IS_NOT_OVER,
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
    ActRule(
        "cancel-bets",
        CancelBets,
        DEALER,
        of_the_round(cancel_bets),
        round=RoundTrigger.BETS_CANCELLED,
        in_session=(S.LOADED, S.IN_PLAY),
        undone=by("place-bet", "take-bets"),
        money=Money.LAID,
        manner=Manner.DOES,
    ),
)
