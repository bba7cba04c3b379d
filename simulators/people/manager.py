"""The scripted room manager: agrees to irregular closings and other acts, and reports duties (pt.bj.51b, 55b)."""

from controller.core.words import Role, SessionPhase
from simulators.people.doing import Doing, View
from simulators.people.jackpot import approve, state_pool


def manage(view: View) -> Doing:
    """Returns the room manager's next act, such as an agreement or, after the closing, the report of a duty; None if
    none is due.
    """
    if ending := view.ask("confirm-irregular-closing", Role.ROOM_MANAGER):
        return ending
    if agreement := view.agreement(Role.ROOM_MANAGER):
        return agreement
    if stating := state_pool(view, Role.ROOM_MANAGER) or approve(view):
        return stating
    if view.status.session is not SessionPhase.CLOSED:
        return None
    for duty in view.status.duties:
        reference = f"SRIJ {view.status.session_number}/{duty.id}"
        return view.ask("report-duty", Role.ROOM_MANAGER, duty=duty.id, reference=reference)
    return None
