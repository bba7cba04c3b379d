"""What people hear of the house: holds, duties, the display, steps of session and round, reminders."""

from controller.core.engine.decision import Notice, Values
from controller.core.house.prompts import prompts_between
from controller.core.house.state import Hold, State
from controller.core.words import HoldPhase


def of_holds(before: State, after: State) -> list[Notice]:
    """Holds raised, raised again, attended, cleared, ended."""
    if before.house.holds is after.house.holds:
        return []
    old = {hold.id: hold for hold in before.house.holds}
    new = {hold.id: hold for hold in after.house.holds}
    found = [_of_hold(old.get(hold.id), hold) for hold in after.house.holds]
    ended = [Notice("hold-ended", _hold_values(hold)) for hold in before.house.holds if hold.id not in new]
    return [notice for notice in found if notice is not None] + ended


def _of_hold(before: Hold | None, after: Hold) -> Notice | None:
    if before is None or after.times > before.times:
        return Notice("hold-raised", _hold_values(after))
    if after.phase is before.phase:
        return None
    match after.phase:
        case HoldPhase.ATTENDED:
            return Notice("hold-attended", _hold_values(after))
        case HoldPhase.CLEARED:
            return Notice("hold-cleared", _hold_values(after))
        case HoldPhase.RAISED | HoldPhase.ENDED:
            return Notice("hold-raised", _hold_values(after))


def _hold_values(hold: Hold) -> Values:
    place = hold.place.value if hold.place else (hold.device.value if hold.device else "")
    return (("id", f"H{hold.id}"), ("kind", hold.kind.value), ("place", place))


def of_duties(before: State, after: State) -> list[Notice]:
    """Duties opened and ended."""
    if before.house.duties is after.house.duties:
        return []
    opened = [d for d in after.house.duties if d not in before.house.duties]
    ended = [d for d in before.house.duties if d not in after.house.duties]
    return [Notice("duty-opened", (("id", f"D{d.id}"), ("kind", d.kind.value))) for d in opened] + [
        Notice("duty-ended", (("id", f"D{d.id}"), ("kind", d.kind.value))) for d in ended
    ]


def of_display(before: State, after: State) -> list[Notice]:
    """The sign stops nothing, but what stands on it may be old while nobody can tell."""
    if before.devices.display is after.devices.display:
        return []
    was, now = before.devices.display.link.connected, after.devices.display.link.connected
    if was is now or before.house.start_number != after.house.start_number:
        return []
    return [Notice("display-back" if now else "display-lost")]


def of_steps(before: State, after: State) -> list[Notice]:
    """Session and round at another step, and what people are reminded of there."""
    if before.house.session is after.house.session and before.game.phase is after.game.phase:
        return []
    steps: list[Notice] = []
    if before.house.session is not after.house.session:
        steps.append(Notice("session-step", (("session", after.house.session.value),)))
    if before.game.phase is not after.game.phase:
        steps.append(Notice("round-step", (("round", after.game.phase.value), ("number", str(after.game.number)))))
    return [*steps, *prompts_between(before, after)]
