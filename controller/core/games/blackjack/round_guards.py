"""Guards of a round: seats, cards that are owed, the card that lies face down, complaints."""

from controller.core.choices import BetsClose
from controller.core.custody.game import lies_face_down, seats_in_play
from controller.core.custody.opening import READER_IS_READY, SHUFFLER_IS_READY
from controller.core.custody.state import BANK, Dealt, Join
from controller.core.engine.act import Act
from controller.core.games.blackjack.acts import CollectHand, PlaceBet, TakeBets
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.rule import ActGuard, Case, Guard
from controller.core.words import RoundPhase, SessionPhase

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


def _close_with_own_card(state: BlackjackState) -> bool:
    return state.setup.procedure.bets_close is BetsClose.OWN_FIRST_CARD


def _deal_has_not_begun(state: BlackjackState) -> bool:
    return state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}


def _own_card_has_not_come(state: BlackjackState, act: Act | None) -> bool:
    late = _first_cards_are_dealt(state) and _is_before_own_card(state, act)
    return late or _deal_has_not_begun(state) or not _close_with_own_card(state)


def _first_cards_are_dealt(state: BlackjackState) -> bool:
    """The first cards go round, and none of them is between reader and count."""
    begun = state.game.phase is RoundPhase.DEALING and all(dealt.seat != BANK for dealt in state.game.dealt)
    return begun and state.custody.join == Join()


def _is_before_own_card(state: BlackjackState, act: Act | None) -> bool:
    last = state.game.dealt[-1].seat if state.game.dealt else BANK
    match act:
        case TakeBets(seats=seats):
            return all(seat > last for seat in seats if seat not in state.game.seats)
        case PlaceBet(seat=seat):
            return seat > last
        case _:
            return True


def _leaves_bets(state: BlackjackState, act: TakeBets) -> bool:
    """Once the deal has begun everybody who bet before still does, or only new bets are named."""
    before = set(state.game.seats)
    return _deal_has_not_begun(state) or before <= set(act.seats) or not before & set(act.seats)


BETS_ARE_NOT_CLOSED = Guard[BlackjackState](
    "bets_are_not_closed", lambda state: _close_with_own_card(state) or _deal_has_not_begun(state)
)
SEATS_HAVE_NO_CARD_YET = ActGuard[BlackjackState, Act](
    "bets_are_not_closed",
    _own_card_has_not_come,
    possible=lambda state: _own_card_has_not_come(state, None),
    rule="bets_close_at_own_card",
)
BETS_STAY = ActGuard[BlackjackState, TakeBets]("bets_are_not_closed", _leaves_bets, rule="bets_stay")
BURN_IS_DONE = Guard[BlackjackState]("burn_is_done", lambda state: state.house.session is not SessionPhase.LOADED)
DEVICES_ARE_READY = Guard[BlackjackState](
    "devices_are_ready",
    lambda state: (not state.setup.has_shuffler or SHUFFLER_IS_READY.holds(state)) and READER_IS_READY.holds(state),
)


def _cards_needed(state: BlackjackState) -> int:
    return (len(state.game.seats) + 1) * state.setup.parameters.reserve_cards_per_hand


CARDS_ARE_ENOUGH = Guard[BlackjackState](
    "cards_are_enough",
    lambda state: state.custody.book.inside >= _cards_needed(state),
    lambda state: (("inside", str(state.custody.book.inside)), ("needed", str(_cards_needed(state)))),
)


def _cards_of(state: BlackjackState, act: CollectHand) -> tuple[Dealt, ...]:
    return tuple(one for one in state.game.dealt if one.seat == act.seat and act.hand in {None, one.hand})


HAND_LIES_ON_THE_TABLE = ActGuard[BlackjackState, CollectHand](
    "hand_lies_on_the_table",
    lambda state, act: act.seat in seats_in_play(state) and (act.hand is None or bool(_cards_of(state, act))),
    possible=lambda state: bool(seats_in_play(state)),
)
HAND_IS_SHOWN = ActGuard[BlackjackState, CollectHand](  # seen first: on a bust, a claim or at the settlement
    "hand_is_shown", lambda state, act: not any(map(lies_face_down, _cards_of(state, act)))
)
