"""The scripted technician: comes when called, plugs cables in, repairs broken parts and attests
the repair (pt.bj.51e).
"""

from controller.core.words import HoldKind, HoldPhase, Role, SessionPhase
from simulators.people import hands as h
from simulators.people.corrections import bring_spare
from simulators.people.doing import Doing, Touch, View
from simulators.people.status import ShownHold

_ROLE = Role.TECHNICIAN
_HIS = (HoldKind.DEVICE_LOST, HoldKind.JOURNAL_FAULT)
_NOBODY_WAITS = (SessionPhase.CLOSED, SessionPhase.CHECKING)


def repair(view: View) -> Doing:
    """Returns the technician's next deed or act, about spare or lost devices, pulled cables or broken parts; None if
    none is due.
    """
    if doing := bring_spare(view):
        return doing
    for hold in view.status.holds:
        if hold.kind in _HIS and hold.recorded and (doing := _bring_back(view, hold)):
            return doing
    if view.sight.unplugged and view.status.session in _NOBODY_WAITS:
        return Touch(h.Plug(view.sight.unplugged[0]))
    return _when_called(view) if view.sight.technician_here else None


def _bring_back(view: View, hold: ShownHold) -> Doing:
    """Returns the technician's next deed or act at a hold for a lost device, or for a fault of the journal; None if
    time must pass.

    The technician takes charge, plugs the cable in, and states the repair once the controller sees the device again.
    """
    unplugged = [device for device in view.sight.unplugged if device.value == hold.device]
    if unplugged and hold.phase is not HoldPhase.RAISED:
        return Touch(h.Plug(unplugged[0]))
    return view.take_step(hold, _ROLE)


def _when_called(view: View) -> Doing:
    if view.sight.broken:
        return Touch(h.AtTable.REPAIR_MACHINE)
    attended = (hold for hold in view.status.holds if hold.phase is HoldPhase.ATTENDED)
    if attested := next(filter(None, (view.take_step(hold, _ROLE) for hold in attended)), None):
        return attested
    return None if view.status.holds else Touch(h.AtTable.TECHNICIAN_LEAVES)
