"""Bets on a place: laying them and taking them back, at a table that tracks bets and hands."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec import Struct

from controller.core import choices as c
from controller.core.custody.complaints import PLAYER_HAS_A_NUMBER
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.shoe import SHOE_IS_NOT_OVER
from controller.core.custody.state import with_round
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.seats import BETS_ARE_NOT_CLOSED, seats_have_no_card_yet
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED, as_the_rules_say
from controller.core.games.blackjack.hand import Answer, PlayRule
from controller.core.games.blackjack.hands import BettingPlace, Bettor, Laid, hands_of
from controller.core.games.blackjack.state import BlackjackState, with_jackpot, with_stakes
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActGuard, ActRule, Guard, P, R, S
from controller.core.house.state import round_moved, without_round
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import Cents, TableMs


class PlaceBet(Act, frozen=True):
    """A player bets on a place. `bettor`: the player's seat, or a number above all seats' numbers for a player without
    a seat; None for the player at the place. `consent`: True if the player at the place agrees.
    """

    seat: int
    amount: Cents
    bettor: int | None = None
    consent: bool | None = None


class WithdrawBet(Act, frozen=True):
    """A player takes his bets on a place back before the announcement."""

    seat: int
    bettor: int | None = None


class ChangeBet(Act, frozen=True):
    """A player's stake on a place gets another amount before the announcement. `amount`: the whole new stake. The
    player's side bets and jackpot chip stay. `consent`: as for `PlaceBet`.
    """

    seat: int
    amount: Cents
    bettor: int | None = None
    consent: bool | None = None


BET_REACHES_THE_MINIMUM: Final = PlayRule("bet_reaches_the_minimum")
BET_IS_A_MULTIPLE: Final = PlayRule("bet_is_a_multiple")
BET_IS_WITHIN_THE_MAXIMUM: Final = PlayRule("bet_is_within_the_maximum")
PLACE_IS_WITHIN_THE_MAXIMUM: Final = PlayRule("place_is_within_the_maximum")
VACANT_PLACE_IS_WITHIN_THE_MAXIMUM: Final = PlayRule("vacant_place_is_within_the_maximum")
HOLDER_HAS_BET: Final = PlayRule("holder_has_bet")
HOLDER_CONSENTS: Final = PlayRule("holder_consents")
BETTOR_IS_SEATED: Final = PlayRule("bettor_is_seated")
PLACE_HAS_ROOM: Final = PlayRule("place_has_room")
BETTOR_HAS_A_PLACE_LEFT: Final = PlayRule("bettor_has_a_place_left")
PLACE_STAYS_COMPLETED: Final = PlayRule("place_stays_completed")


class Offer(Struct, frozen=True, gc=False):
    """A bet that a player wants to lay. `places`: the number of other places on which this player has bets."""

    bettor: Bettor
    amount: Cents
    has_consent: bool = False  # the player at the place agrees
    places: int = 0


def may_bet(offer: Offer, place: BettingPlace, rules: HandRules) -> Answer:
    """Returns the first rule that forbids one more bet on the place. None if the bet is permitted (pt.bj.14 to 16,
    house.5 to 7, br.bets, br.players, mo.3).
    """
    return next((rule for rule, holds in _STATEMENTS if not holds(offer, place, rules)), None)


_Statement = Callable[[Offer, BettingPlace, HandRules], bool]


def _completes(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    """True if the bet brings another player's place exactly to the table's maximum (pt.bj.15a)."""
    may_complete = rules.figures.maximum_completed and bool(place.bets) and _is_of_another(offer, place)
    return may_complete and offer.amount > 0 and place.sum_of(None) + offer.amount == rules.limits.maximum


def _reaches_minimum(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    return offer.amount >= rules.limits.minimum or _completes(offer, place, rules)


def _is_multiple(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    if not rules.figures.bets_in_multiples or _completes(offer, place, rules):
        return True
    return offer.amount % rules.limits.minimum == 0


def _is_within_maximum(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    return offer.amount + place.sum_of(offer.bettor) <= rules.limits.maximum


def _place_is_within_maximum(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    return place.holder is None or _total_is_within_maximum(offer, place, rules)


def _vacant_place_is_within_maximum(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    return place.holder is not None or _total_is_within_maximum(offer, place, rules)


def _total_is_within_maximum(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    is_limited = rules.figures.place_total_limited
    return not is_limited or offer.amount + place.sum_of(None) <= rules.limits.maximum


def _is_of_another(offer: Offer, place: BettingPlace) -> bool:
    return place.holder is not None and place.holder != offer.bettor


def _holder_has_bet(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    if not (rules.figures.holder_bets_first and _is_of_another(offer, place)):
        return True
    return place.sum_of(place.holder) > 0


def _holder_consents(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    asks = rules.figures.others_bets is c.OthersBets.CONSENT and _is_of_another(offer, place)
    return not asks or offer.has_consent


def _is_seated(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    return rules.figures.standing_on_vacant or place.holder is not None or offer.bettor.seat is not None


def _has_room(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    if rules.figures.shared_place is not c.SharedPlace.SEATED_OF_FEW:
        return True
    there = {one.bettor.number for one in place.bets} | {offer.bettor.number}
    return len(there) <= rules.figures.bettors_per_place


def _has_place_left(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    most = rules.figures.places_per_player
    return not most or place.sum_of(offer.bettor) > 0 or offer.places < most


def _stays_completed(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    """True unless the bet leaves, on the place, another player's amount that is permitted only as a completion
    (pt.bj.15a).
    """
    others = (replace(offer, amount=one.amount) for one in place.bets if one.bettor != offer.bettor)
    alone = BettingPlace(place.seat)
    is_completed = any(not (_reaches_minimum(one, alone, rules) and _is_multiple(one, alone, rules)) for one in others)
    return not is_completed or place.sum_of(None) + offer.amount == rules.limits.maximum


_STATEMENTS: Final[tuple[tuple[PlayRule, _Statement], ...]] = (
    (BET_REACHES_THE_MINIMUM, _reaches_minimum),
    (BET_IS_A_MULTIPLE, _is_multiple),
    (BET_IS_WITHIN_THE_MAXIMUM, _is_within_maximum),
    (PLACE_IS_WITHIN_THE_MAXIMUM, _place_is_within_maximum),
    (VACANT_PLACE_IS_WITHIN_THE_MAXIMUM, _vacant_place_is_within_maximum),
    (HOLDER_HAS_BET, _holder_has_bet),
    (HOLDER_CONSENTS, _holder_consents),
    (BETTOR_IS_SEATED, _is_seated),
    (PLACE_HAS_ROOM, _has_room),
    (BETTOR_HAS_A_PLACE_LEFT, _has_place_left),
    (PLACE_STAYS_COMPLETED, _stays_completed),
)


def place_now(state: BlackjackState, seat: int, *more: Laid) -> BettingPlace:
    """Returns the place at this seat with its holder and its present bets, followed by the bets `more`."""
    places = state.game.stakes.places
    place = next((one for one in places if one.seat == seat), BettingPlace(seat))
    place = replace(place, bets=(*place.bets, *more))
    return _held(state, place, (*places, place))


def _held(state: BlackjackState, place: BettingPlace, places: tuple[BettingPlace, ...]) -> BettingPlace:
    """Returns the place with the seat's own player as its holder, or without a holder if this player is not known to
    sit there.

    The player is known to sit there after a bet on any of `places`, or after people's statement.
    """
    has_bet_somewhere = any(laid.bettor.seat == place.seat for one in places for laid in one.bets)
    sits = place.holder is not None or has_bet_somewhere or place.seat in (state.custody.shoe_game.players or ())
    return replace(place, holder=Bettor(place.seat, place.seat) if sits else None)


class OfABettor(Protocol):
    """An act about a bet. `bettor`: the player's seat, or a number above any seat's; None for the player at `seat`."""

    @property
    def seat(self) -> int: ...
    @property
    def bettor(self) -> int | None: ...


def bettor_named(state: BlackjackState, act: OfABettor) -> Bettor:
    return _numbered(state, act.bettor or act.seat)


def _numbered(state: BlackjackState, number: int) -> Bettor:
    return Bettor(number, number if number <= state.setup.seats else None)


def has_bet(state: BlackjackState, bettor: int) -> bool:
    """True if the player `bettor` has a main bet on any place, as a side bet requires (mo.13)."""
    return any(laid.bettor.number == bettor for place in state.game.stakes.places for laid in place.bets)


# --- effects


def _laid(state: BlackjackState, places: tuple[BettingPlace, ...]) -> BlackjackState:
    """Returns the state with exactly these bets, and with the hands and seats that follow from them."""
    rules = state.setup.hand_rules
    if rules is None:
        return state
    places = tuple(sorted((_held(state, one, places) for one in places), key=lambda one: one.seat))
    state = with_stakes(state, places=places, hands=hands_of(places, rules))
    return with_round(state, seats=tuple(one.seat for one in places))


def _elsewhere(state: BlackjackState, seat: int) -> tuple[BettingPlace, ...]:
    return tuple(one for one in state.game.stakes.places if one.seat != seat)


def place_bet(state: BlackjackState, act: PlaceBet, _at_ms: TableMs) -> BlackjackState:
    laid = place_now(state, act.seat, Laid(bettor_named(state, act), act.amount))
    return _laid(state, (*_elsewhere(state, act.seat), laid))


def withdraw_bet(state: BlackjackState, act: WithdrawBet, _at_ms: TableMs) -> BlackjackState:
    """Returns the state without the player's bets on the place, and without side bets and jackpot chips that need them.
    If no bet is left, the round is cancelled.
    """
    left = place_without(state, act)
    state = _laid(state, (*_elsewhere(state, act.seat), *((left,) if left.bets else ())))
    side = tuple(one for one in state.game.stakes.side if one.seat in state.game.seats and has_bet(state, one.bettor))
    state = _chips_returned(with_stakes(state, side=side))
    return state if state.game.seats else round_moved(without_round(state), RoundTrigger.BETS_CANCELLED)


def change_bet(state: BlackjackState, act: ChangeBet, _at_ms: TableMs) -> BlackjackState:
    """Returns the state in which the player's bets on the place are one bet of the act's amount, in the place of the
    first of them.
    """
    place, bettor = place_now(state, act.seat), bettor_named(state, act)
    others = place_without(state, act).bets
    first = next((at for at, one in enumerate(place.bets) if one.bettor == bettor), len(others))
    bets = (*others[:first], Laid(bettor, act.amount), *others[first:])
    return _laid(state, (*_elsewhere(state, act.seat), replace(place, bets=bets)))


def place_without(state: BlackjackState, act: OfABettor) -> BettingPlace:
    """Returns the place of the act with its holder, and without the bets of the act's player."""
    place, bettor = place_now(state, act.seat), bettor_named(state, act)
    return replace(place, bets=tuple(one for one in place.bets if one.bettor != bettor))


def _chips_returned(state: BlackjackState) -> BlackjackState:
    """Returns the state without the jackpot chips of players whose main bet at that place was withdrawn (pt.bj.45b)."""
    left = tuple(
        chip
        for chip in state.game.jackpot.chips
        if place_now(state, chip.seat).sum_of(_numbered(state, chip.bettor)) > 0
    )
    return state if left == state.game.jackpot.chips else with_jackpot(state, chips=left)


# --- guards

SEAT_EXISTS = ActGuard[BlackjackState, Any](
    "seats_exist",
    lambda state, act: 1 <= act.seat <= state.setup.seats and act.bettor != 0,
    lambda state, _act: (("seats", str(state.setup.seats)),),
)
BET_LIES_THERE = ActGuard[BlackjackState, WithdrawBet | ChangeBet](
    "bet_lies_there",
    lambda state, act: place_now(state, act.seat).sum_of(bettor_named(state, act)) > 0,
    possible=lambda state: bool(state.game.stakes.places),
)


def _holders_have_bet(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    if rules is None or not rules.figures.holder_bets_first:
        return True
    return all(one.holder is None or one.sum_of(one.holder) > 0 for one in state.game.stakes.places)


HOLDERS_HAVE_BET = Guard[BlackjackState](HOLDER_HAS_BET, _holders_have_bet)  # a player may have taken his bet back


def _may_bet(state: BlackjackState, table: Table, act: PlaceBet) -> Answer:
    return may_bet(_offered(state, act), place_now(state, act.seat), table.rules)


def _may_change(state: BlackjackState, table: Table, act: ChangeBet) -> Answer:
    return may_bet(_offered(state, act), place_without(state, act), table.rules)


def _offered(state: BlackjackState, act: PlaceBet | ChangeBet) -> Offer:
    bettor = bettor_named(state, act)
    places = sum(one.sum_of(bettor) > 0 for one in state.game.stakes.places if one.seat != act.seat)
    return Offer(bettor, act.amount, has_consent=act.consent is True, places=places)


_OF_WHO_COMES: Final = frozenset((BETTOR_IS_SEATED, PLACE_HAS_ROOM, BETTOR_HAS_A_PLACE_LEFT))
_RULES: Final = tuple(rule for rule, _ in _STATEMENTS)
PLACE_IS_BET_ON = as_the_rules_say(_may_bet, *_RULES)
STAKE_MAY_CHANGE = as_the_rules_say(_may_change, *(rule for rule in _RULES if rule not in _OF_WHO_COMES))
SEAT_HAS_NO_CARD_YET: Final[ActGuard[BlackjackState, PlaceBet]] = seats_have_no_card_yet(
    lambda _state, act: (act.seat,)
)


BETTING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-bet",
        PlaceBet,
        DEALER,
        of_the_round(place_bet),
        (
            HANDS_ARE_FOLLOWED,
            SEAT_EXISTS,
            PLAYER_HAS_A_NUMBER,
            BETS_ARE_NOT_CLOSED,
            SEAT_HAS_NO_CARD_YET,
            *PLACE_IS_BET_ON,
            SHOE_IS_NOT_OVER,
            DIFFERENCES_ARE_SETTLED,  # those of the last round: a void round ends its own alone
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "withdraw-bet",
        WithdrawBet,
        DEALER,
        of_the_round(withdraw_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BET_LIES_THERE),
        in_round=(R.BETTING,),
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "change-bet",
        ChangeBet,
        DEALER,
        of_the_round(change_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BET_LIES_THERE, *STAKE_MAY_CHANGE),
        in_round=(R.BETTING,),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
)
