"""The dealer's acts that state a dealt card, if no device has counted the card or the shoe has not reported it. These
acts come before any other deed of dealing. The table's book thus first gets the cards on the table.
"""

from typing import Final

from controller.core.choices import Machine
from controller.core.words import RoundPhase, SessionPhase
from simulators.people.doing import LATE_S, Ask, Doing, Touch, View
from simulators.people.hands import TakeOffTable

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_WHERE_CARDS_ARE_DEALT: Final = frozenset(("table", "rack", "burnt", "inside"))


def is_dealt_by_word(view: View) -> bool:
    """True if no device reports the dealt cards, so that only people state them."""
    return view.procedure.machine is Machine.BOX


def is_told(view: View) -> bool:
    """True if the book agrees well enough with the cards for the dealer to deal on. Always True at a shuffler.

    During a deal, False if book and cards differ (at a shoe once nothing has changed for LATE_S seconds). After a deal,
    False if more or fewer cards have left the box than the book says (at a shoe while the round's cards are to be
    collected). False, too, if a card to be collected is among the burnt cards in the book.
    """
    if view.sight.pack is None or not view.unbooked:
        return True
    if _is_dealing(view):
        return not is_dealt_by_word(view) and not view.is_quiet_for(LATE_S)
    if view.status.session is not SessionPhase.IN_PLAY:
        return True
    if _is_to_collect(view) and _is_booked_as_burnt(view):
        return False
    return not _has_left_the_machine(view) or not (is_dealt_by_word(view) or _is_to_collect(view))


def tell(view: View) -> Doing:
    """Returns the dealer's next deed or act about cards on which table and book differ: states or retracts a dealt
    card, moves a card off the table, or calls for a count.

    Returns None during a hold, while an entry waits, and while a shoe may still report the card.
    """
    unbooked, status = view.unbooked, view.status
    if status.is_held or status.journal.waiting or not (is_dealt_by_word(view) or view.is_quiet_for(LATE_S)):
        return None
    burnt = view.procedure.burn_place.value
    if status.session is SessionPhase.LOADED and unbooked.get("table", 0) > 0:  # the card lies before no player
        is_to_be_burnt = unbooked.get(burnt, 0) <= 0
        return Touch(TakeOffTable(1 if is_to_be_burnt else unbooked["table"], to_burnt=is_to_be_burnt))
    laid = unbooked.get("table", 0) + unbooked.get(burnt, 0)
    if unbooked.keys() <= _WHERE_CARDS_ARE_DEALT and laid + unbooked.get("inside", 0) == 0:
        said = view.ask("confirm-card-dealt") if laid > 0 else None
        taken_back = view.ask("retract-card") if laid == -1 and not unbooked.get(burnt, 0) else None
        if said or taken_back:
            return said or taken_back
    return view.ask("call-for-count")


def name_card(view: View) -> Ask | None:
    """Returns the act that states the face of the first open card for which the table permits the act. Returns None if
    there is no such card, if the book lacks cards that people see, and at a table that does not follow hands.
    """
    if view.status.money is None or not view.book_has_caught_up:
        return None
    for seat in dict.fromkeys(card.seat for card in view.sight.table):
        faces = [card.face for card in view.sight.table if card.seat == seat]
        for position, face in enumerate(faces, 1):
            values = {"seat": str(seat), "position": str(position), "card": face or ""}
            said = Ask("state-card", values) if face else None
            if said and view.asked(said):
                return said
    return None


def _is_to_collect(view: View) -> bool:
    return view.status.round is RoundPhase.SETTLED


def _is_booked_as_burnt(view: View) -> bool:
    """True if a card on the table is among the burnt cards in the book, after a report (mo.5.1.1). Such a card must not
    go to the rack with the collected cards.
    """
    return view.unbooked.get("table", 0) > 0 > view.unbooked.get("burnt", 0)


def _has_left_the_machine(view: View) -> bool:
    """True if the number of cards outside the machine differs from the book's."""
    return view.unbooked.get("inside", 0) != 0


def _is_dealing(view: View) -> bool:
    match view.status.session:
        case SessionPhase.LOADED:
            return True
        case SessionPhase.IN_PLAY:
            return view.status.round in _CARDS_LIE
        case _:
            return False
