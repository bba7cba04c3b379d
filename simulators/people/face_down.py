"""Players' face-down cards: when each is shown, and how its face comes into the book (mo.6.2, mo.6.4).

A player may show cards early; all other cards are shown for the settlement. No decision in this module depends on a
face. So even the time of the turning reveals no hidden face.
"""

from collections.abc import Iterator

from controller.protocol.status import FaceDownStatus
from simulators.people import hands as h
from simulators.people.by_word import is_dealt_by_word
from simulators.people.doing import Ask, Doing, Touch, View

BANK = 0


def show_cards(view: View, next_wanted: int | None) -> Doing:
    """Returns the dealer's next deed or act about players' face-down cards. Returns None if no card is to be shown now.

    `next_wanted`: the seat that gets the next card (0: the bank); None if no card is wanted.
    """
    for card in view.status.face_down:
        if card.seat != BANK and _is_shown_now(view, card.seat, next_wanted):
            return _turn(view, card)
    return None


def _is_shown_now(view: View, seat: int, next_wanted: int | None) -> bool:
    """True if the player at this seat shows the cards now: at the settlement, or earlier if the player wants that and
    gets no more cards (mo.6.3, in turn).
    """
    if next_wanted is None:
        return True
    has_decided = next_wanted == BANK or seat < next_wanted
    return has_decided and view.choices.shows_early(view.status.session_number, view.status.round_number, seat)


def _turn(view: View, card: FaceDownStatus) -> Doing:
    """Returns the deed of turning the seat's cards. Once they are open, returns the act that enters this card's face in
    the book.

    The face comes from the seal or from people's statement. If both are refused, returns a call for a ruling.
    """
    if any(laid.seat == card.seat and laid.face is None for laid in view.sight.table):
        return Touch(h.ShowCards(card.seat))
    return next(filter(None, (view.asked(ask) for ask in _ways(view, card))), None)


def _ways(view: View, card: FaceDownStatus) -> Iterator[Ask]:
    place = {"seat": str(card.seat), "position": str(card.position)}
    if not is_dealt_by_word(view):
        yield Ask("turn-card", place)
    faces = [laid.face for laid in view.sight.table if laid.seat == card.seat and laid.face]
    for face in faces[card.position - 1 : card.position]:
        yield Ask("turn-card", place | {"card": face})
    if view.status.is_held:
        return  # the hold ends before the card is turned
    # The card has left the table without a known face.
    yield Ask("call-for-ruling", {"cause": "deal-beyond-repair"})
