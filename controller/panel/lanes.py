"""The place of each button at the bottom of the page.

A report can change the page while a finger moves to a button: cards go back and bets are open, or a jam stops the play.
So each act has a fixed place. Acts that can follow each other without a touch between them never share a place: the end
of a round and the bets of the next, a hold and the acts that it interrupts.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from controller.panel.moment import Moment
from controller.panel.offer import Lane, Offer

_BY_LANE: Final = {
    Lane.SECOND: (
        *("last-packet", "complete-loading", "watch-loading", "watch-unloading"),
        *("without-the-rest", "bets-laid", "announce-no-more-bets"),
        *("turn-hole-card", "turn-card", "state-card", "raise-jackpot", "agree-corrections", "begin-putting-back"),
        "shuffle-deck",
        *("announce-nothing-more", "pay-prizes", "confirm-payments", "change-ball"),
    ),
    Lane.THIRD: (
        *("renumber-deck-set", "refuse-cut", "record-complaint", "declare-null-spin"),
        *("correct-grid", "collect-hand", "pay-jackpot-by-hand"),
    ),
    Lane.FOURTH: ("not-this-seat", "end-putting-back", "gather-cards", "agree", "announce-last-round"),
    Lane.FIFTH: ("confirm-card-dealt", "leave-in-rack", "i-am-here", "give-colour"),
}
_LANES: Final = {name: lane for lane, names in _BY_LANE.items() for name in names}
"""The place of a button, by the button's name, or by its act where each hand has such a button.

Any other button has the first place.
"""

_BY_TURN: Final = {"decide-amount": (Lane.THIRD, Lane.FOURTH)}
"""The places that alternatives of one act take in turn."""

_OF_HOLD: Final = {"take-charge": Lane.UPPER, "i-am-here": Lane.UPPER, "play-on": Lane.LOWER}
"""The places of the buttons that begin or end a hold; no other button has these places."""

_GIVE_WAY: Final = {"agree": 2, "announce-last-round": 1}
"""The buttons that stand in the middle of the page where another one has their place at the bottom."""

_IN_HOLD: Final = (Lane.FIRST, Lane.SECOND, Lane.THIRD, Lane.FOURTH, Lane.FIFTH)


def placed(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Returns the procedure's own buttons, each with its place."""
    found: list[Offer] = []
    for one in offers:
        turns = _BY_TURN.get(one.act)
        number = sum(one.act == other.act for other in found)
        own = _LANES.get(one.name, _LANES.get(one.act, Lane.FIRST))
        found.append(replace(one, lane=turns[number % len(turns)] if turns else own))
    return tuple(found)


def gives_way(offer: Offer) -> int:
    """Returns how early the button leaves the bottom where its place is taken; 0 for a button that never does."""
    return _GIVE_WAY.get(offer.act or offer.name, 0)


def with_room(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Returns the placed buttons without those that give way: a narrow place has room for one button."""
    every = tuple(offers)
    first = {one.lane: one for one in sorted(every, key=gives_way, reverse=True)}
    return tuple(one for one in every if not gives_way(one) or first[one.lane] is one)


def placed_in_hold(offers: Iterable[Offer], moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons of a hold that stops the play, each with its place.

    The first button of a hold that no person attends yet stands apart from the buttons of the interrupted play.
    """
    is_new = moment.hold is not None and moment.hold.phase == "raised"
    every = tuple(offers)
    own = {one.name: _OF_HOLD[one.name] for one in every if one.name in _OF_HOLD}
    lanes = (Lane.UPPER, Lane.LOWER, *_IN_HOLD) if is_new else _IN_HOLD
    free = (lane for lane in lanes if lane not in own.values())
    by_order = dict(zip((one.name for one in every if one.name not in own), free, strict=False))
    return tuple(replace(one, lane=(own | by_order).get(one.name, Lane.FIFTH)) for one in every)
