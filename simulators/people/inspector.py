"""The scripted table inspector. He cuts if no player does (pt.bj.8d, br.prep.4b), and rules if the profile says so
(br.staff.3).
"""

from controller.core.words import HoldKind, Role, SessionPhase
from simulators.people.corrections import rule
from simulators.people.doing import Doing, View
from simulators.people.holds import decide_complaint
from simulators.people.shoe import cut


def inspect(view: View) -> Doing:
    """Returns the table inspector's next deed or act: an agreement, a ruling, a complaint or the cut; None if none is
    due.
    """
    if agreement := view.agreement(Role.TABLE_INSPECTOR):
        return agreement
    recorded = {hold.kind for hold in view.status.holds if hold.recorded}
    if HoldKind.RULING in recorded:
        return rule(view, Role.TABLE_INSPECTOR)
    if HoldKind.COMPLAINT in recorded:
        return decide_complaint(view, Role.TABLE_INSPECTOR)
    return _cut(view)


def _cut(view: View) -> Doing:
    shoe, pack = view.status.shoe, view.sight.pack
    is_cutting = view.status.session is SessionPhase.MIXED and not view.status.holds
    if shoe is None or pack is None or not is_cutting or shoe.cut_offered_to is not None:
        return None
    players = view.choices.players(view.status.session_number, shoe.filling)
    return cut(view, pack, Role.TABLE_INSPECTOR, None) if shoe.players == list(players) else None
