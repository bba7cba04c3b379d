"""The decisions of hands that are not in turn. Each has a button below its seat, which keeps its place when another one
is taken.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Final, TypeAlias

from controller.panel.moment import Moment
from controller.panel.offer import Offer

Slot: TypeAlias = tuple[str, int]
"""An act, and the number of the player who may ask for it."""

_INSURES: Final = "insure"
_EVEN: Final = "take-even-money"


def stands_at_seat(offer: Offer) -> bool:
    """True if the button is a decision about one seat's hand, other than a decision about an amount."""
    return offer.hand.partition("/")[0].isdecimal() and bool(offer.act) and offer.act != "decide-amount"


def at_seats(moment: Moment, beside: Iterable[Offer]) -> tuple[tuple[Offer | None, ...], ...]:
    """Returns for each seat its decisions among the buttons `beside`, in fixed places; None for an empty place. Returns
    () without a decision.
    """
    open_now = [one for one in beside if stands_at_seat(one)]
    if not open_now:
        return ()
    return tuple(_of_seat(moment, seat, open_now) for seat in range(1, moment.status.figures.seats + 1))


def _of_seat(moment: Moment, seat: int, open_now: list[Offer]) -> tuple[Offer | None, ...]:
    own = [one for one in open_now if one.hand.partition("/")[0] == str(seat)]
    kept = tuple(_places(moment, seat, {one.act for one in open_now}))
    in_place = {_slot(one, seat): one for one in own if "/" not in one.hand and _slot(one, seat) in kept}
    others = tuple(one for one in own if one not in in_place.values())
    return (*(in_place.get(slot) for slot in kept), *others)


def _slot(offer: Offer, seat: int) -> Slot:
    return offer.act, int(offer.known.get("bettor") or seat)


def _places(moment: Moment, seat: int, open_now: Collection[str]) -> Iterator[Slot]:
    """Yields the decisions that a bank's ace brings to the seat, open or taken, while other seats still have them."""
    staked = moment.staked(seat)
    has_blackjack = "blackjack" in {one.called for one in moment.hands(seat)}
    for bet in staked.bets if staked is not None else ():
        if _INSURES in open_now:
            yield _INSURES, bet.bettor
        if has_blackjack and _EVEN in moment.choices and {_INSURES, _EVEN}.intersection(open_now):
            yield _EVEN, bet.bettor
