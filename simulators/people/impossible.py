"""The chief supervisor's acts about doubtful faces: renames cards by their true faces, or calls for a ruling after a
count.
"""

from typing import Final

from controller.core.house.hold_table import Evidence
from controller.core.words import HoldKind, Role
from simulators.people.doing import Ask, View
from simulators.people.status import ShownHold


def is_told_by(hold: ShownHold) -> bool:
    """True if the screen lists, for this hold, the places of cards whose face was seen too often."""
    return hold.kind is HoldKind.UNEXPECTED_CARD and "places" in hold.about


def card_in(hold: ShownHold) -> str | None:
    """Returns the face that the screen names for this hold; None if the screen names no face."""
    return hold.about.get("card")


def name_misread(view: View, hold: ShownHold) -> Ask | None:
    """Returns the act that renames the next listed card whose true face differs from the face seen too often. Returns
    None if there is no such card.
    """
    asks = [ask for place in hold.about["places"].split() if (ask := _anew(view, hold, place))]
    done = [ask.words for ask in asks].index(view.recall.last_words) + 1 if _is_under_way(view, asks) else 0
    return next((one for ask in asks[done:] if (one := view.asked(ask))), None)


def name_doubted(view: View, hold: ShownHold) -> Ask | None:
    """Returns the act that gives the next card of a doubtful reading its true face. Returns None if no doubted card is
    left.
    """
    if Evidence.DOUBTED_CARDS_ARE_NAMED not in hold.unmet:
        return None
    places = (told.partition(":")[0] for told in hold.about.get("doubted", "-").split() if told != "-")
    return next((ask for place in places if (ask := _named(view, place))), None)


def _named(view: View, place: str) -> Ask | None:
    seat, position = map(int, place.split("/"))
    there = [laid.face for laid in view.sight.table if laid.seat == seat][position - 1 : position]
    if not there or there[0] is None:
        return None
    return view.ask("rename-card", Role.CHIEF_SUPERVISOR, seat=str(seat), position=str(position), card=there[0])


def _is_under_way(view: View, asks: list[Ask]) -> bool:
    return any(ask.words == view.recall.last_words for ask in asks)


def _anew(view: View, hold: ShownHold, place: str) -> Ask | None:
    seat, position = map(int, place.split("/"))
    there = [laid.face for laid in view.sight.table if laid.seat == seat][position - 1 : position]
    told = card_in(hold)
    if not there or there[0] is None or told is None or there[0] == told:
        return None
    return Ask("rename-card", {"seat": str(seat), "position": str(position), "card": there[0]}, Role.CHIEF_SUPERVISOR)


COUNTS: Final = frozenset(("state-count", "state-whole-count"))


def call_for_ruling(view: View) -> Ask | None:
    """Returns the act that calls for a ruling, if the last accepted act was a count of the cards; else None."""
    if view.recall.last_done not in COUNTS:
        return None
    return view.ask("call-for-ruling", Role.CHIEF_SUPERVISOR, cause="deal-beyond-repair")
