"""The deeds and acts of dealer and chief supervisor about a wrongly dealt card, and about rulings (pt.bj.17, 18, 19).

A person who notices an error reports it by an act. Hands then move the cards to where the book has them. If the table
refuses the act (after the next card or the next act), people ask for a ruling and carry it out.
"""

from typing import Final

from controller.core.words import Cause, HoldKind, Role, RoundPhase, SessionPhase
from simulators.people import hands as h
from simulators.people.dealing_errors import ACTS, DealingError, DealingErrorKind, values_of
from simulators.people.doing import SETTLED_S, Ask, Doing, Touch, View
from simulators.people.out_of_play import carry

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_NO_HANDS_BUT_THE_DEALERS: Final = frozenset(
    (HoldKind.UNREAD_CARD, HoldKind.COMPLAINT, HoldKind.JACKPOT_OWED, HoldKind.JACKPOT_DOUBTED)
)
_DEVICE_TROUBLE: Final = (HoldKind.DEVICE_LOST, HoldKind.JAM, HoldKind.LID)


def is_something_said(view: View) -> bool:
    """True while people still deal with a noticed dealing error or a wanted ruling. The dealer then does nothing else,
    and waits if a supervisor must report the error.
    """
    return view.sight.slip is not None or view.sight.ruling_wanted is not None


def see_to_it(view: View) -> Doing:
    """Returns the dealer's next deed or act about a dealing error or a wanted ruling.

    Returns None while a supervisor must report the error, and while the book lacks a card that people see.
    """
    slip = view.sight.slip
    if slip is None:
        return _call(view, view.sight.ruling_wanted)
    return say(view, slip) if slip.said_by is Role.DEALER else None


def say(view: View, slip: DealingError) -> Doing:
    """Returns the next deed or act about the dealing error `slip`, by the person who reports it. Returns None while the
    book lacks a card that people see.

    First a card at a wrong seat is moved. Then the person reports the error, even if the screen offers no such act. If
    the table refuses the report, the person calls for a ruling. The last deed drops the error once it is reported, or
    once neither report nor ruling is possible.
    """
    if view.status.session is not SessionPhase.IN_PLAY or view.status.held_by(HoldKind.RULING):
        return Touch(h.AboutDealingError.FORGET_SLIP)
    ask = Ask(ACTS[slip.kind], values_of(slip), slip.said_by)
    if view.recall.last_done == ask.act:
        return Touch(h.AboutDealingError.FORGET_SLIP)
    if not view.book_has_caught_up:
        return None
    if slip.kind is DealingErrorKind.WRONG_SEAT and slip.lies != slip.belongs:
        return Touch(h.AboutDealingError.MOVE_LAID)
    if view.recall.guard(ask) is None:
        return ask
    return _asked_for(view, Cause.DEAL_BEYOND_REPAIR, slip.said_by) or Touch(h.AboutDealingError.FORGET_SLIP)


def _call(view: View, cause: Cause | None) -> Doing:
    """Returns the act that calls for a ruling. If a ruling is no longer needed or possible, returns the deed that ends
    the request.
    """
    is_over = view.status.round not in _CARDS_LIE or view.status.held_by(HoldKind.RULING)
    if cause is None or is_over:
        return Touch(h.AboutDealingError.RULING_IS_CALLED)
    return _asked_for(view, cause, Role.DEALER)


def call_for_uncounted(view: View) -> Doing:
    """Returns the act that calls for a ruling if two cards came at once and the devices counted one. Returns None
    otherwise, and until nothing has changed for SETTLED_S seconds: the devices may still report the card.
    """
    can_be_ruled_on = view.status.round in _CARDS_LIE and not view.status.holds
    if not (can_be_ruled_on and _is_one_uncounted(view) and view.is_quiet_for(SETTLED_S)):
        return None
    return _asked_for(view, Cause.DEAL_BEYOND_REPAIR, Role.DEALER)


def _is_one_uncounted(view: View) -> bool:
    return view.sight.aside > view.status.count("pending")


def _asked_for(view: View, cause: Cause, role: Role) -> Ask | None:
    return view.ask("call-for-ruling", role, cause=cause.value)


def follow_the_book(view: View, give: h.GiveAside) -> Doing:
    """Returns the deed that moves cards to the place where the book has them. `give`: the deed that deals the card laid
    aside.

    Returns None if the cards lie in that place already, if other people must act first, or if no single deed explains
    the difference.
    """
    status, sight = view.status, view.sight
    if len(sight.table) == status.count("table") and sight.aside == status.count("pending"):
        return None
    is_plain = status.session is SessionPhase.IN_PLAY and not status.journal.waiting
    if not is_plain or any(hold.kind not in _NO_HANDS_BUT_THE_DEALERS for hold in status.holds):
        return None
    if hand := carry(view) or _laid_back(view) or _collected(view):
        return Touch(hand)
    match view.unbooked:
        case {"table": cards, "rack": gone, **others} if cards == -gone > 0 and not others:  # one ruling behind another
            return Touch(h.TakeOffTable(cards))
        case {"table": 1, "burnt": -1, **others} if not others:
            return Touch(h.TakeOffTable(1, to_burnt=True))
        case {"table": 1, "pending": -1, **others} if not others:
            return Touch(h.AboutDealingError.SET_ASIDE)
        case {"table": -1, "pending": 1, **others} if not others:
            return Touch(give)
        case {"pending": 1, "rack": -1, **others} if not others:
            return Touch(h.TidyAside())
        case {"pending": 1, "burnt": -1, **others} if not others:
            return Touch(h.TidyAside(to_burnt=True))
        case _:
            return None


def _laid_back(view: View) -> h.LayBack | None:
    """Returns the deed that lays cards from the rack back on the table, after a correction has moved them so in the
    book; else None.
    """
    unbooked, is_put_right = view.unbooked, view.status.round in _CARDS_LIE and view.log.corrected > 0
    if not is_put_right or not unbooked.keys() <= {"table", "rack", "burnt"} or unbooked.get("table", 0) >= 0:
        return None
    return h.LayBack(-unbooked["table"], max(0, -unbooked.get("burnt", 0)))


def _collected(view: View) -> h.CollectTable | None:
    """Returns the deed that collects a round's cards, if the book already has the cards in the rack; else None.

    A page of the panel states the collection together with the settlement, before hands have collected the cards.
    """
    lying = len(view.sight.table)
    is_stated = lying > 1 and view.unbooked == {"table": lying, "rack": -lying}
    return h.CollectTable(view.status.session_number, view.status.round_number) if is_stated else None


# --- rulings


def rule(view: View, role: Role) -> Doing:
    """Returns the next deed or act of `role` for a ruling. Returns None if the profile names another role for rulings.

    If the ruling's outcome needs a spare device, people first send for the device. If the table then refuses the
    ruling, people send the device back and make a ruling with the outcome "continue".
    """
    if role is not view.procedure.incident_authority:
        return None
    outcome = _outcome(view)
    if outcome in _SPARE and not view.sight.spare_is_called:
        return Touch(h.AboutDealingError.SEND_FOR_SPARE)
    seats = view.choices.seats(view.status.session_number, view.status.round_number)
    seat = {"seat": str(seats[0])} if outcome == "turn-given-back" else {}
    if asked := view.ask("make-ruling", role, outcome=outcome, **seat):
        return asked
    if view.sight.spare_is_called:
        return Touch(h.AboutDealingError.SEND_SPARE_BACK)
    return view.ask("make-ruling", role, outcome="continue")


_WITH_ITS_CARDS: Final = "spare-device-cards-replaced"
_SPARE: Final = ("spare-device", _WITH_ITS_CARDS)


def _outcome(view: View) -> str:
    """Returns the outcome of the ruling: a void round if a card came that no device counted, else a random outcome.
    Chooses a spare device only for a lost device.
    """
    if _is_one_uncounted(view):
        return "round-void"
    lost = view.status.held_by(HoldKind.DEVICE_LOST) and view.sight.spare_for is not None
    ruled = next((hold.id for hold in view.status.holds if hold.kind is HoldKind.RULING), "")
    return view.choices.ruling(
        view.status.session_number,
        ruled,
        of_a_device=view.status.held_by(*_DEVICE_TROUBLE),
        spare=_of_a_spare(view) if lost else (),
    )


def _of_a_spare(view: View) -> tuple[str, ...]:
    """Returns the outcomes of a ruling by which a spare device replaces the failed one.

    The spare device comes with new cards if a card is damaged, with old or new cards if a card was withdrawn, and with
    the old cards otherwise.
    """
    if view.status.held_by(HoldKind.DAMAGED_CARD):
        return (_WITH_ITS_CARDS,)
    return _SPARE if view.status.count("withdrawn") else _SPARE[:1]


# --- the technician


def bring_spare(view: View) -> Doing:
    """Returns the deed of bringing the spare device that was called, or of sending the spare device back if the failed
    device works again. Returns None if no spare device was called, and during a hold for the ruling.
    """
    if not view.sight.spare_is_called or view.status.held_by(HoldKind.RULING):
        return None
    failed = view.sight.spare_for
    is_lost = any(
        hold.kind is HoldKind.DEVICE_LOST and failed is not None and hold.device == failed.value
        for hold in view.status.holds
    )
    return Touch(h.AtTable.BRING_SPARE if is_lost else h.AboutDealingError.SEND_SPARE_BACK)
