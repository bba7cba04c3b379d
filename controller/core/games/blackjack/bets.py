"""What may be bet on a place, and who decides for the bets that lie there."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from controller.core import choices as c
from controller.core.games.blackjack.hand import Answer, PlayRule
from controller.core.hand_rules import HandRules
from controller.core.words import Cents

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


class Bettor(Struct, frozen=True, gc=False):
    """A player, by a number of his own in the round; `seat`: where he sits, None for one who stands."""

    number: int
    seat: int | None = None


class Laid(Struct, frozen=True, gc=False):
    """One bet on a place."""

    bettor: Bettor
    amount: Cents


class BettingPlace(Struct, frozen=True, gc=False):
    """A marked place: who sits there, and the bets in order from the bank outward."""

    seat: int
    holder: Bettor | None = None
    bets: tuple[Laid, ...] = ()

    def sum_of(self, bettor: Bettor | None) -> Cents:
        """What one player has there; everybody, for None."""
        return Cents(sum(one.amount for one in self.bets if bettor is None or one.bettor == bettor))


class Offer(Struct, frozen=True, gc=False):
    """A bet that somebody wants to lay. `places`: on how many other places he has bets."""

    bettor: Bettor
    amount: Cents
    has_consent: bool = False  # of the player who sits there
    places: int = 0


def may_bet(offer: Offer, place: BettingPlace, rules: HandRules) -> Answer:
    """One more bet on a place, before they are closed (pt.bj.14 to 16, house.5 to 7, br.bets, br.players, mo.3)."""
    return next((rule for rule, holds in _STATEMENTS if not holds(offer, place, rules)), None)


_Statement = Callable[[Offer, BettingPlace, HandRules], bool]


def _completes(offer: Offer, place: BettingPlace, rules: HandRules) -> bool:
    """What others have laid, and this, are the maximum exactly (pt.bj.15a)."""
    whole = place.sum_of(None) + offer.amount
    return rules.figures.maximum_completed and bool(place.bets) and whole == rules.limits.maximum and offer.amount > 0


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
)


def decider(place: BettingPlace, rules: HandRules) -> Bettor | None:
    """Who decides for all bets of a place (pt.bj.15b, pt.bj.16b, pt.bj.16c, house.7b, mo.20.1, br.players.2).

    None where nothing is bet.
    """
    if not place.bets:
        return None
    match rules.figures.shared_place:
        case c.SharedPlace.HOLDER:
            return place.holder or _highest(place)[0]
        case c.SharedPlace.SEATED | c.SharedPlace.SEATED_OF_FEW:
            return place.holder or place.bets[0].bettor
        case c.SharedPlace.HIGHEST:
            highest = _highest(place)
            return highest[0] if len(highest) == 1 else place.holder or highest[0]


def _highest(place: BettingPlace) -> list[Bettor]:
    """Who has bet most, of equal ones the lowest seat first, those who stand last."""
    bettors = list(dict.fromkeys(one.bettor for one in place.bets))
    most = max(place.sum_of(bettor) for bettor in bettors)
    highest = [bettor for bettor in bettors if place.sum_of(bettor) == most]
    return sorted(highest, key=lambda one: (one.seat is None, one.seat or 0))
