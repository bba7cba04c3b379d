"""The place of each button at the bottom of the page.

A report can change the page while a finger moves to a button: for example, bets open again or a jam stops the play. So
each act has a fixed place. Two acts never share a place if one can follow the other without a touch between them.
Examples are the end of a round and the bets of the next, and a hold and the acts that it interrupts. An act that agrees
with another person's request has a place of its own, since the request can come and go at any time.
"""

from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from controller.panel.moment import Moment
from controller.panel.offer import Lane, Offer, Size

_BY_LANE: Final = {
    Lane.SECOND: (
        *("last-packet", "complete-loading", "watch-loading", "begin-watched", "watch-unloading"),
        *("without-the-rest", "bets-laid", "announce-no-more-bets"),
        *("turn-hole-card", "turn-card", "state-card", "raise-jackpot", "agree-corrections", "begin-putting-back"),
        "shuffle-deck",
        *("announce-nothing-more", "pay-prizes", "confirm-payments", "change-ball"),
    ),
    Lane.THIRD: (
        *("renumber-deck-set", "close-packet", "refuse-cut", "record-complaint", "declare-null-spin"),
        *("correct-grid", "pay-jackpot-by-hand"),
    ),
    Lane.FOURTH: ("not-this-seat", "end-putting-back", "gather-cards"),
    Lane.FIFTH: ("confirm-card-dealt", "leave-in-rack", "i-am-here", "give-colour"),
    Lane.AGREE: ("agree",),
    Lane.SIDE: ("announce-last-round", "take-over-shift"),
}
_LANES: Final = {name: lane for lane, names in _BY_LANE.items() for name in names}
"""The place of a button, by the button's name, or by its act where each hand has such a button.

Any other button has the first place.
"""

_AFTER_DECISIONS: Final = {
    **dict.fromkeys(("turn-hole-card", "turn-card", "state-card", "agree-corrections"), Lane.TURN),
    **dict.fromkeys(("draw-card", "confirm-differences", "settled-collected", "pay-jackpot"), Lane.END),
    **dict.fromkeys(("pay-jackpot-by-hand", "decide-amount"), Lane.TURN),
    "record-complaint": Lane.FIFTH,
    "leave-in-rack": Lane.THIRD,
}
"""The places at a table that follows hands, whose decisions take the first two places.

The bank's turn can follow the last hand's decision without a touch.
"""

_OF_HOLD: Final = {"take-charge": Lane.UPPER, "i-am-here": Lane.UPPER, "clear-hold": Lane.LOWER, "play-on": Lane.LOWER}
"""The places of the buttons that begin, clear or end a hold; no other button has these places."""

_GIVE_WAY: Final = {"take-over-shift": 1, "agree": 1}
"""The buttons that stand in the middle of the page where another one has their place at the bottom."""

_IN_HOLD: Final = (Lane.FIRST, Lane.SECOND, Lane.THIRD, Lane.FOURTH, Lane.FIFTH)


def lane_of(offer: Offer, moment: Moment) -> Lane:
    """Returns the place of a button of the procedure. Returns `Lane.FIRST` for a button without a place of its own."""
    lanes = _LANES | _AFTER_DECISIONS if moment.choices else _LANES
    return lanes.get(offer.name, lanes.get(offer.act, Lane.FIRST))


def placed(offers: Iterable[Offer], moment: Moment) -> tuple[Offer, ...]:
    """Returns `offers`, buttons of the procedure, each with its place by `lane_of`."""
    return tuple(replace(one, lane=lane_of(one, moment)) for one in offers)


_AFTER: Final = {"begin-putting-back": "correct-entry", "turn-hole-card": "confirm-differences"}
"""The buttons that are smaller while another one comes first."""


def weighted(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Returns `offers` with a smaller size for some buttons: for a button whose row in `_AFTER` names another button of
    `offers`.
    """
    every = tuple(offers)
    names = {one.name for one in every}
    return tuple(replace(one, size=Size.SECOND) if _AFTER.get(one.name) in names else one for one in every)


def gives_way(offer: Offer) -> int:
    """Returns a button's rank among buttons that share a place. The button with the higher rank leaves the place. A
    button of rank 0 always keeps its place.
    """
    return _GIVE_WAY.get(offer.act or offer.name, 0)


def with_room(offers: Iterable[Offer]) -> tuple[Offer, ...]:
    """Returns `offers` without the buttons that leave their place to another button in `offers` (`gives_way`)."""
    every = tuple(offers)
    first = {one.lane: one for one in sorted(every, key=gives_way, reverse=True)}
    return tuple(one for one in every if not gives_way(one) or first[one.lane] is one)


def placed_in_hold(offers: Iterable[Offer], moment: Moment) -> tuple[Offer, ...]:
    """Returns the buttons of a hold that stops the play, each with its place. Until a person attends the hold, its
    first button has a place apart from the buttons of the interrupted play.
    """
    is_new = moment.hold is not None and moment.hold.phase == "raised"
    every = tuple(offers)
    own = {one.name: _OF_HOLD[one.name] for one in every if one.name in _OF_HOLD}
    lanes = (Lane.UPPER, Lane.LOWER, *_IN_HOLD) if is_new else _IN_HOLD
    free = (lane for lane in lanes if lane not in own.values())
    by_order = dict(zip((one.name for one in every if one.name not in own), free, strict=False))
    return tuple(replace(one, lane=(own | by_order).get(one.name, Lane.FIFTH)) for one in every)
