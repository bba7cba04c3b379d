"""What dealer and chief supervisor do about a card dealt wrongly, and where somebody has to decide (pt.bj.17, 18, 19).

Whoever notices says so at once by an act, and hands follow what the book then says. Where the table does not take it
any more (the next card lies, the next act is done) a ruling is asked for, and what is ruled is done.
"""

from typing import Final

from controller.core.words import Cause, HoldKind, Role, RoundPhase, SessionPhase
from simulators.people import hands as h
from simulators.people.doing import Ask, Doing, Touch, View
from simulators.people.slips import ACTS, Slip, SlipKind, values_of

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_NO_HANDS_BUT_THE_DEALERS: Final = frozenset((HoldKind.UNREAD_CARD, HoldKind.COMPLAINT))
_DEVICE_TROUBLE: Final = (HoldKind.DEVICE_LOST, HoldKind.JAM, HoldKind.LID)


def is_something_said(view: View) -> bool:
    """Whether somebody has noticed what the dealer must see to before anything else."""
    return view.sight.slip is not None or view.sight.ruling_wanted is not None


def see_to_it(view: View) -> Doing:
    """The next thing for the dealer about what was noticed; until it is said he deals no card."""
    slip = view.sight.slip
    return _call(view, view.sight.ruling_wanted) if slip is None else _say(view, slip)


def _dealer(view: View, ask: Ask) -> Ask | None:
    return view.asked(Role.DEALER, ask)


def _say(view: View, slip: Slip) -> Doing:
    """The act that says it, even if the screen does not offer it; where it was refused, somebody must decide."""
    if view.status.session is not SessionPhase.IN_PLAY or view.status.held_by(HoldKind.RULING):
        return Touch(h.ForgetSlip())
    ask = Ask(ACTS[slip.kind], values_of(slip), as_dealer_at_table=True)
    if view.recall.last_done == ask.act:
        return Touch(h.ForgetSlip())
    if not view.book_has_caught_up:
        return None
    if slip.kind is SlipKind.WRONG_SEAT and slip.lies != slip.belongs:
        return Touch(h.MoveLaid())
    if view.recall.guard(ask) is None:
        return ask
    return _asked_for(view, Cause.DEAL_BEYOND_REPAIR) or Touch(h.ForgetSlip())


def _call(view: View, cause: Cause | None) -> Doing:
    """Asks for a ruling while there is still something to rule on."""
    is_over = view.status.round not in _CARDS_LIE or view.status.held_by(HoldKind.RULING)
    if cause is None or is_over:
        return Touch(h.RulingIsCalled())
    return _asked_for(view, cause)


def _asked_for(view: View, cause: Cause) -> Ask | None:
    return _dealer(view, Ask("call-for-ruling", {"cause": cause.value}, as_dealer_at_table=True))


def follow_the_book(view: View, next_to_ask: int) -> Doing:
    """A correction or a ruling says where the last card belongs: hands bring it there."""
    status, sight = view.status, view.sight
    if len(sight.table) == status.count("table") and sight.aside == status.count("pending"):
        return None
    is_plain = status.session is SessionPhase.IN_PLAY and not status.journal.waiting
    if not is_plain or any(hold.kind not in _NO_HANDS_BUT_THE_DEALERS for hold in status.holds):
        return None
    match view.unbooked:
        case {"table": 1, "rack": -1, **others} if not others:
            return Touch(h.TakeOffTable(1))
        case {"table": 1, "pending": -1, **others} if not others:
            return Touch(h.SetAside())
        case {"table": -1, "pending": 1, **others} if not others:
            return Touch(h.GiveAside(next_to_ask))
        case {"pending": 1, "rack": -1, **others} if not others:
            return Touch(h.TidyAside())
        case _:
            return None


# --- the chief supervisor


def rule(view: View) -> Doing:
    """The chief supervisor decides; what the table does not take is not insisted on."""
    trouble = view.status.held_by(*_DEVICE_TROUBLE)
    outcome = view.choices.ruling(view.status.session_number, view.status.round_number, of_a_device=trouble)
    for said in (outcome, "continue"):
        if asked := view.asked(Role.CHIEF_SUPERVISOR, Ask("make-ruling", {"outcome": said})):
            return asked
    return None
