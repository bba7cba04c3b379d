"""Which faces are known to lie outside the machine at once, and whether so many of one there can be (pt.bj.3a).

Proof are cards that were seen and cannot come again: those on the table, and those that left it for the rack or the
burnt cards since the last card went into the machine, by its feed or by hand. What lies face down proves nothing, and
what a supervised count has gone through is forgotten: people have looked at it.
"""

from typing import Final

from controller.core.custody.cards import DECK, Card
from controller.core.custody.state import NO_CARDS_FOUND, CardState, CardStateT, Dealt
from controller.core.engine.replacing import replace
from controller.core.house.holds import raise_hold
from controller.core.words import Device, HoldKind, Place, RoundPhase, TableMs

IMPOSSIBLE_CARD: Final = "impossible"
"""The cause of the hold for a face that was seen more often than there are decks."""

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_OUT_OF_PLAY: Final = (Place.RACK.value, Place.BURNT.value)
_AT: Final = {card: index for index, card in enumerate(DECK)}


def laid_away(state: CardStateT, cards: tuple[Dealt, ...], place: str = Place.RACK.value) -> CardStateT:
    """These cards have left the table for this place: seen ones will not come again before the machine is fed."""
    faces = [_AT[card] for one in cards if (card := one.card) in _AT and card is not None]
    if place not in _OUT_OF_PLAY or not faces:
        return state
    return replace(
        state,
        custody=replace(
            state.custody, away=tuple(count + faces.count(at) for at, count in enumerate(state.custody.away))
        ),
    )


def may_come_again(state: CardStateT) -> CardStateT:
    """Cards went into the machine, or people have looked at all that are out: none is known to lie away."""
    return (
        state
        if state.custody.away is NO_CARDS_FOUND
        else replace(state, custody=replace(state.custody, away=NO_CARDS_FOUND))
    )


def times_seen(state: CardState, card: Card) -> int:
    """How many of this face are known to be out."""
    lying = _faces_lying(state)
    return 0 if lying is None or card not in _AT else lying.count(card) + state.custody.away[_AT[card]]


def _faces_lying(state: CardState) -> list[Card | None] | None:
    """The faces on the table; None while its cards may be elsewhere than the deal has them."""
    if state.game.phase not in _CARDS_LIE or state.custody.book.table < len(state.game.dealt):
        return None
    return [one.card for one in state.game.dealt]


def impossible_cards(state: CardState) -> tuple[Card, ...]:
    """Faces on the table that are seen more often than there are decks."""
    lying = _faces_lying(state) or []
    faces = [card for card in dict.fromkeys(lying) if card in _AT]
    return tuple([card for card in faces if lying.count(card) + state.custody.away[_AT[card]] > state.setup.decks])


def watch_faces(before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """A face has come once more than there can be: one of them was misread, or belongs to no deck. The table holds."""
    if before.game.dealt is after.game.dealt:
        return after
    more = (card for card in impossible_cards(after) if times_seen(after, card) > times_seen(before, card))
    card = next(more, None)
    if card is None:
        return after
    figures = (("card", card), ("seen", str(times_seen(after, card))), ("decks", str(after.setup.decks)))
    details = (("cause", IMPOSSIBLE_CARD), *figures, ("places", _places(after, card)))
    return raise_hold(after, HoldKind.UNEXPECTED_CARD, at_ms, device=Device.SHOE, details=details)


def _places(state: CardState, card: Card) -> str:
    """Seat (0: the bank) and place there of each that lies on the table."""
    lying: dict[int, int] = {}
    places = []
    for one in state.game.dealt:
        lying[one.seat] = lying.get(one.seat, 0) + 1
        if one.card == card:
            places.append(f"{one.seat}/{lying[one.seat]}")
    return " ".join(places)
