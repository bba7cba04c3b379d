"""The dealer's word where no device counts, or the shoe has not: a card that was dealt is said, and put right.

Before anything else is dealt or asked for, the table's book knows the cards as they lie there.
"""

from typing import Final

from controller.core.choices import Machine
from controller.core.words import RoundPhase, SessionPhase
from simulators.people.doing import LATE_S, Ask, Doing, Touch, View
from simulators.people.hands import TakeOffTable

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_WHERE_CARDS_ARE_DEALT: Final = frozenset(("table", "rack", "burnt", "inside"))


def is_dealt_by_word(view: View) -> bool:
    """True where people alone tell the dealt cards: a box tells none."""
    return view.procedure.machine is Machine.BOX


def is_told(view: View) -> bool:
    """True where the book has the cards that lie there, or none need be told.

    What a shoe has not told for a while, it tells no more: in a deal, and before a round's cards are collected (one may
    be among them that nobody waits for any more, since the round was voided).
    """
    if view.sight.pack is None or not view.unbooked:
        return True
    if _is_dealing(view):
        return not is_dealt_by_word(view) and not view.is_quiet_for(LATE_S)
    if view.status.session is not SessionPhase.IN_PLAY or not _has_left_the_machine(view):
        return True
    return not is_dealt_by_word(view) and not _is_to_collect(view)


def tell(view: View) -> Doing:
    """The card that lies there is confirmed; one that was confirmed and was not dealt is taken back.

    Where that is not enough, everything is counted.
    """
    unbooked, status = view.unbooked, view.status
    if status.is_held or status.journal.waiting or not (is_dealt_by_word(view) or view.is_quiet_for(LATE_S)):
        return None
    burnt = view.procedure.burn_place.value
    if status.session is SessionPhase.LOADED and unbooked.get("table", 0) > 0:  # it lies before nobody
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
    """An open card that no device has read is named where hands are followed; None: each has its name."""
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


def _has_left_the_machine(view: View) -> bool:
    """More or fewer cards lie about than the book has there."""
    return view.unbooked.get("inside", 0) != 0


def _is_dealing(view: View) -> bool:
    match view.status.session:
        case SessionPhase.LOADED:
            return True
        case SessionPhase.IN_PLAY:
            return view.status.round in _CARDS_LIE
        case _:
            return False
