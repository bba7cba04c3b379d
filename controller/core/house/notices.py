"""Notices of the house: holds, duties, the jackpot's sign, steps of session and round, reminders at a step.

A reminder tells people of a duty that no device can see. A profile names the reminders of its law.
"""

from typing import Final

from msgspec import Struct

from controller.core.engine.decision import Notice, Values
from controller.core.house.state import KNOWN_AS, Hold, State, link_of
from controller.core.words import HoldPhase, RoundPhase, SessionPhase


class Reminder(Struct, frozen=True, gc=False):
    """A notice when session or round comes to the step `at`, if the profile asks for it; its text: `notice.<name>`."""

    name: str
    at: SessionPhase | RoundPhase


REMINDERS: Final = (
    Reminder("lay-open-in-rows-by-deck", SessionPhase.OPENED),
    Reminder("load-with-care", SessionPhase.LOADING),
    Reminder("cards-out-of-play-to-the-rack", RoundPhase.PLAYING),
    Reminder("only-the-bank-handles-cards", RoundPhase.DEALING),
    Reminder("players-do-not-influence-others", RoundPhase.PLAYING),
    Reminder("totals-are-announced-from-the-left", RoundPhase.PLAYING),
    Reminder("points-are-announced-before-the-banks-second", RoundPhase.PLAYING),
    Reminder("bank-total-is-announced-then-paid-from-the-left", RoundPhase.PLAYING),
    Reminder("stakes-of-a-tie-stay-or-go", RoundPhase.SETTLED),
    Reminder("mix-in-small-groups-on-the-table", SessionPhase.OPENED),
    Reminder("open-the-boxes-on-the-table", SessionPhase.OPENED),
    Reminder("mix-in-small-groups-on-the-table", SessionPhase.GATHERED),
    Reminder("mix-piles-face-up-and-face-down", SessionPhase.GATHERED),
    Reminder("nobody-sits-without-playing", RoundPhase.BETTING),
    Reminder("chips-of-this-table-alone", SessionPhase.IN_PLAY),
    Reminder("chips-for-change-on-the-steps", SessionPhase.IN_PLAY),
    Reminder("marked-chips-are-changed-on-leaving", SessionPhase.IN_PLAY),
    Reminder("collect-what-lost-open-what-won", RoundPhase.PAYING),
    Reminder("pay-in-a-heap-and-say-each-value", RoundPhase.PAYING),
)


def reminders_between(before: State, after: State) -> list[Notice]:
    """The reminders that the profile asks for at the steps which session and round have just reached."""
    steps = ((before.house.session, after.house.session), (before.game.phase, after.game.phase))
    reached = [now for was, now in steps if was is not now]
    return [Notice(one.name) for one in REMINDERS if one.at in reached and one.name in after.setup.reminders]


def of_holds(before: State, after: State) -> list[Notice]:
    """Notices of holds that were raised, raised again, attended, cleared or ended."""
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
    seats = dict.fromkeys(hand.partition("/")[0] for hand in dict(hold.details).get("hands", "").split())
    place = hold.place.value if hold.place else (hold.device.value if hold.device else " ".join(seats))
    return (("id", f"H{hold.id}"), ("kind", hold.kind.value), ("place", place))


def of_duties(before: State, after: State) -> list[Notice]:
    """Notices of duties that were opened or ended."""
    opened = [d for d in after.house.duties if d not in before.house.duties]
    ended = [d for d in before.house.duties if d not in after.house.duties]
    told = [("duty-opened", duty) for duty in opened] + [("duty-ended", duty) for duty in ended]
    return [Notice(key, (("id", f"D{duty.id}"), ("kind", duty.kind.value))) for key, duty in told]


def of_obedience(before: State, after: State) -> list[Notice]:
    """A notice for each connected device that begins to fail commands, or begins to execute them again."""
    told = []
    for device in KNOWN_AS:
        was, link = link_of(before, device).undone > 0, link_of(after, device)
        if link.connected and was != (link.undone > 0):
            told.append(Notice("device-obeys" if was else "device-disobeys", (("device", device.value),)))
    return told


def of_display(before: State, after: State) -> list[Notice]:
    """The notice that the jackpot's sign is disconnected or back. [] if neither, or at a start of the controller. A
    lost sign stops nothing, but its amount may be old.
    """
    was, now = before.devices.display.link.connected, after.devices.display.link.connected
    if was is now or before.house.start_number != after.house.start_number:
        return []
    return [Notice("display-back" if now else "display-lost")]


def of_steps(before: State, after: State) -> list[Notice]:
    """Notices of a new step of session or round, and the reminders for that step."""
    steps: list[Notice] = []
    if before.house.session is not after.house.session:
        steps.append(Notice("session-step", (("session", after.house.session.value),)))
    if before.game.phase is not after.game.phase:
        steps.append(Notice("round-step", (("round", after.game.phase.value), ("number", str(after.game.number)))))
    return [*steps, *reminders_between(before, after)]
