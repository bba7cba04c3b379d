"""The scripted chief supervisor: numbers the deck set, watches loading and unloading, ends holds (pt.bj.51, 54, 55)."""

from controller.core.choices import OpeningCheck
from controller.core.words import HoldKind, Role, SessionPhase
from simulators.people import hands as h
from simulators.people.corrections import say
from simulators.people.doing import LATE_S, STUCK_FEED_S, Doing, Touch, View
from simulators.people.holds import CHIEF, PATIENCE_S, end_hold
from simulators.people.jackpot import choose_marking
from simulators.people.putting_right import put_right

STUCK_UNLOADING_S = 10.0
"""Seconds without a card after which a machine is opened that does not report itself empty."""


def supervise(view: View) -> Doing:
    """Returns the chief supervisor's next deed or act: about errors, corrections, holds, the jackpot, loading or
    unloading.
    """
    slip = view.sight.slip
    if slip is not None and slip.said_by is Role.CHIEF_SUPERVISOR and (doing := say(view, slip)):
        return doing
    if agreement := view.agreement(CHIEF):
        return agreement
    if doing := put_right(view, CHIEF):
        return doing
    for hold in view.status.holds:
        if hold.recorded and (doing := end_hold(view, hold)):
            return doing
    if view.status.holds and view.is_left_alone_for(PATIENCE_S):
        return view.ask("propose-irregular-closing", CHIEF)
    marking = choose_marking(view, CHIEF)
    return marking or _presence(view) or (None if _is_stopped(view) else _session(view))


def _is_stopped(view: View) -> bool:
    """True if a hold stops the feed, so that the chief supervisor opens and hands over no packet."""
    return any(hold.kind is not HoldKind.COMPLAINT for hold in view.status.holds)


def _presence(view: View) -> Doing:
    """Returns the act of signing in to watch the loading or unloading, if the profile demands it (pt.bj.54d, 55a).
    Returns None at other times, and once the chief supervisor is signed in.
    """
    match view.status.session:
        case SessionPhase.OPENED if not _loads_at_once(view):
            return None
        case SessionPhase.OPENED | SessionPhase.MIXED | SessionPhase.LOADING | SessionPhase.TAKING_OUT:
            operation, is_watched = "loading", view.procedure.loading_supervised
        case SessionPhase.CLOSING | SessionPhase.UNLOADING | SessionPhase.CHECKING:
            operation, is_watched = "unloading", view.procedure.unloading_supervised
        case _:
            return None
    if not is_watched:
        return None
    is_here = view.status.is_present(Role.CHIEF_SUPERVISOR, operation)
    return None if is_here else view.ask("sign-in", CHIEF, operation=operation)


def _loads_at_once(view: View) -> bool:
    """True if the session begins with the loading, without display and mixing (mo.2.1.2)."""
    return view.procedure.opening_check is OpeningCheck.NONE and not view.procedure.shuffle_passes


def _session(view: View) -> Doing:
    match view.status.session:
        case SessionPhase.OPENED:
            return _number_deck_set(view)
        case SessionPhase.LOADING:
            return _loading(view)
        case SessionPhase.TAKING_OUT:
            return _taking_out(view) or _look_inside(view)
        case SessionPhase.UNLOADING:
            return _look_inside(view)
        case _:
            return None


def _look_inside(view: View) -> Doing:
    """Returns the deed of opening the lid if the machine delivers no card although some are left in it; else None.

    The machine counts its slots after the lid is closed again.
    """
    is_empty = view.sight.pack is None and not view.sight.tray and view.sight.shown_inside != 0
    is_stuck = is_empty and view.is_quiet_for(STUCK_UNLOADING_S)
    return Touch(h.AtShuffler.OPEN_LID) if is_stuck else None


def _number_deck_set(view: View) -> Doing:
    """Returns the act that gives the deck set its number; None once the screen shows the number."""
    if view.status.figures.deck_set or view.recall.last_done == "number-deck-set":
        return None
    return view.ask("number-deck-set", CHIEF, deck_set=str(view.choices.deck_set(view.status.session_number)))


def _loading(view: View) -> Doing:
    """Returns the chief supervisor's next deed or act of a loading: cut a packet, open it, or close it once its cards
    are counted in.

    If cards are left over, or the count forbids the end of the loading, people take the loaded cards out again
    (pt.bj.54b).
    """
    sight = view.sight
    if view.status.allows("close-packet", Role.CHIEF_SUPERVISOR):
        if _waits_for_packet(view):
            return Touch(h.HandOverPacket(_next_packet(view)))
        is_fed = not sight.packet and (not sight.hopper or view.is_quiet_for(STUCK_FEED_S)) and view.book_has_caught_up
        return view.ask("close-packet", CHIEF) if is_fed else None
    if sight.hopper and not sight.packet:
        return Touch(h.EmptyHopper(h.FreedTo.OUTSIDE))  # the machine has counted all cards and did not take these
    if sight.packet:
        return view.ask("open-packet", CHIEF)
    if sight.outside and view.status.count("outside"):
        return Touch(h.HandOverPacket(_next_packet(view)))
    is_offered = view.status.allows("complete-loading", Role.CHIEF_SUPERVISOR)
    has_failed = sight.outside or not is_offered  # cards are left over, or the count does not permit an end
    return view.ask("take-out-loading", CHIEF) if has_failed and view.book_has_caught_up else None


def _waits_for_packet(view: View) -> bool:
    """True if a person has opened the feed before the packet was cut, as at the panel, where one press does both."""
    sight, packets = view.sight, view.status.loading.packets
    is_empty = bool(packets) and not packets[-1] and view.book_has_caught_up
    return is_empty and bool(sight.outside) and not (sight.packet or sight.hopper)


def _next_packet(view: View) -> int:
    """Returns the size of the next packet, chosen so that the planned number of cards is left outside."""
    left = view.choices.cards
    for size in view.choices.packets(view.status.session_number):
        left -= size
        if left < view.sight.outside:
            return view.sight.outside - left
    return view.sight.outside


def _taking_out(view: View) -> Doing:
    sight = view.sight
    if sight.hopper:
        return Touch(h.EmptyHopper(h.FreedTo.OUTSIDE))
    if sight.tray and (not sight.shown_inside or view.is_quiet_for(LATE_S)):
        return Touch(h.AtShuffler.EMPTY_TRAY)
    if sight.rack or sight.burnt:
        return Touch(h.AtTable.ORDER_DECKS)  # all cards are loaded again next
    return view.ask("confirm-taken-out", CHIEF) if view.book_has_caught_up else None
