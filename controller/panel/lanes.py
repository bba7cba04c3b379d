"""Where each button stands at the bottom of the page.

Facts change the page while a finger is on its way: cards go back and bets are open, a jam stops the play. So an act
has a place of its own for good, and of acts that facts bring one after the other without a touch between them no two
have the same one: the end of a round and the bets of the next, a hold and all that it may interrupt.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from controller.panel.moment import Moment
from controller.panel.offer import Lane, Offer

_BY_LANE: Final = {
    Lane.SECOND: (
        *("last-packet", "complete-loading", "watch-loading", "watch-unloading"),
        *("without-the-rest", "bets-laid", "announce-no-more-bets"),
        *("turn-hole-card", "turn-card", "state-card", "raise-jackpot", "agree-corrections", "begin-putting-back"),
        *("announce-nothing-more", "pay-prizes", "confirm-payments", "change-ball"),
    ),
    Lane.THIRD: (
        *("renumber-deck-set", "refuse-cut", "record-complaint", "announce-last-round", "declare-null-spin"),
        *("correct-grid", "collect-hand", "pay-jackpot-by-hand"),
    ),
    Lane.FOURTH: ("not-this-seat", "end-putting-back", "gather-cards", "give-colour", "agree"),
    Lane.FIFTH: ("confirm-card-dealt", "leave-in-rack", "i-am-here"),
}
_LANES: Final = {name: lane for lane, names in _BY_LANE.items() for name in names}
"""By the name of a button, or by its act where each hand has one; everything else stands first."""

_BY_TURN: Final = {"decide-amount": (Lane.THIRD, Lane.FOURTH)}
"""Of what is one or the other."""

_OF_HOLD: Final = {"take-charge": Lane.UPPER, "i-am-here": Lane.UPPER, "play-on": Lane.LOWER}
"""What begins and what ends a hold stands where nothing else ever does."""

_IN_HOLD: Final = (Lane.FIRST, Lane.SECOND, Lane.THIRD, Lane.FOURTH, Lane.FIFTH)


def placed(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """The procedure's own, each in its place."""
    found: list[Offer] = []
    for one in offers:
        turns = _BY_TURN.get(one.act)
        number = sum(one.act == other.act for other in found)
        own = _LANES.get(one.name, _LANES.get(one.act, Lane.FIRST))
        found.append(replace(one, lane=turns[number % len(turns)] if turns else own))
    return tuple(found)


def placed_in_hold(offers: Iterable[Offer], moment: Moment) -> tuple[Offer, ...]:
    """Those of a hold that stops the play: the first that nobody has touched yet stands apart from what it stops."""
    is_new = moment.hold is not None and moment.hold.phase == "raised"
    lanes = (Lane.UPPER, Lane.LOWER, *_IN_HOLD) if is_new else _IN_HOLD
    others = [one for one in offers if one.name not in _OF_HOLD]
    by_order = dict(zip((one.name for one in others), lanes, strict=False))
    return tuple(replace(one, lane=_OF_HOLD.get(one.name, by_order.get(one.name, Lane.FIFTH))) for one in offers)
