"""Checks of PROTOCOL.md, sections 6, 7 and 9: hands do something at the device while the host is silent."""

from contextlib import suppress
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.parts import (
    QUIET_S,
    SILENCE_S,
    Permission,
    is_event,
    lasting,
    permit,
    ready,
    told,
)
from firmware_protocols.tdp.display import DisplayApply, DisplayFaulted
from firmware_protocols.tdp.link import PROTOCOL_MAJOR, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ReaderErrorCleared, ReaderErrorRaised
from firmware_protocols.tdp.shuffler import LidClosed, LidOpened
from firmware_protocols.tdp.slots import SlotsChanged


def hands_are_told_behind_a_silence(host: Host) -> None:
    """Checks that the device reports after a silence what hands did in it: a shoe's error and its end, a lid opened and
    closed, a chip that came and went.
    """
    for deeds, wanted in _DONE_IN_SILENCE.get(host.schema.kind, ()):
        if host.schema.kind is DeviceKind.SHUFFLER:
            ready(host)
            if not host.statement.has("lid"):
                continue
        if getattr(host.status()[0], "error", False):
            host.hand(Deed.MEND)
            host.status_becomes(lambda now: not now.error)
        newest = host.status()[1]
        host.listen(SILENCE_S, alive=False)
        for deed in deeds:
            host.hand(deed, alive=False)
            host.listen(QUIET_S, alive=False)
        came = [type(one) for one in told(host, newest)]
        for duty, kind in wanted:
            times = [one for _duty, one in wanted].count(kind)
            must(duty, came.count(kind) >= times, f"{deeds} in a silence; told {came}")


_DONE_IN_SILENCE: Final = {
    DeviceKind.SHOE: (((Deed.FAULT, Deed.MEND), (("11.9", ReaderErrorRaised), ("11.9", ReaderErrorCleared))),),
    DeviceKind.SHUFFLER: (((Deed.LID_OPEN, Deed.LID_CLOSE), (("10.33", LidOpened), ("10.33", LidClosed))),),
    DeviceKind.SLOTS: (((Deed.EVENT, Deed.EVENT), (("14.2", SlotsChanged), ("14.2", SlotsChanged))),),
}


def a_fault_of_a_silence_is_told(host: Host) -> None:
    """Checks that a panel reports when it sticks at an amount and cannot show the fault picture of a silence. Judges
    nothing if the device knows of the fault before the silence, or has another way to show the picture.
    """
    _shows_an_amount(host)
    host.listen(SILENCE_S, alive=False)
    if not host.status()[0].fault_shown:
        return  # an amount stays in a silence, and another check says so
    _shows_an_amount(host)
    newest = host.status()[1]
    host.hand(Deed.FAULT)
    host.listen(SETTLES_WITHIN_S)
    is_known = host.status()[1] != newest
    host.listen(SILENCE_S + SETTLES_WITHIN_S, alive=False)
    status = host.status()[0]
    is_told = any(isinstance(one, DisplayFaulted) for one in told(host, newest))
    host.hand(Deed.MEND)
    found = f"it cannot show the fault picture of a silence, and tells of nothing: {status}"
    must("12.3", is_known or is_told or status.fault_shown, found)


def _shows_an_amount(host: Host) -> None:
    host.apply(DisplayApply(600))
    if host.status_becomes(lambda now: not now.fault_shown).fault_shown:
        raise Skipped("not-permitted")


def silence_is_said(host: Host) -> None:
    """Checks that an event made in a silence has `host_silent` in its status."""
    status = _said_in_silence(host)
    must("7.6", status.host_silent, f"an event in the silence, without host_silent: {status}")


TOLD: Final = {
    DeviceKind.SHUFFLER: "10.33",
    DeviceKind.SHOE: "11.5",
    DeviceKind.DISPLAY: "12.3",
    DeviceKind.VALUE_DISPLAY: "13.2",
    DeviceKind.SLOTS: "14.2",
}
"""The duty to tell of the event that hands cause."""


def _said_in_silence(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    """Makes hands cause an event in a silence, and returns the event's status. If possible, gives a permission before
    the silence.
    """
    with suppress(Skipped):
        if host.moves or host.schema.kind is not DeviceKind.SHUFFLER:
            permit(host, lasting(host))
    newest = host.status()[1]
    host.listen(SILENCE_S, alive=False)
    host.hand(Deed.EVENT, alive=False)
    heard = host.listen(QUIET_S, alive=False)
    made, silent = seen_in_silence(host)
    duty = "6.17" if silent.host_silent else "7.6"  # it does not know of the silence yet
    must(duty, not any(map(is_event, heard)), f"a new event is told in the silence: {shown(heard)}")
    if not told(host, newest):
        raise Skipped("no-event-waits")
    status = host.schema.decode_event(host.watch.events[max(host.watch.events)])[1]
    is_late = made == newest and silent.host_silent and not status.host_silent
    found = f"hands do something in a silence, and its event is made behind it: {status}"
    must(TOLD.get(host.schema.kind, "6.2"), not is_late, found)
    return status


def seen_in_silence(host: Host) -> tuple[int, Any]:
    """Returns the newest event and the status of the device. The host asks by a HELLO of another major version, which
    does not end the silence.
    """
    host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), opening=host.opening + 9, boot=0)
    heard = there("4.2", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to another major")
    body, status = host.read_identity(heard)
    return body.next_event - 1, status


def of_silence(host: Host, permission: Permission, otherwise: str) -> str:
    """Returns the duty that is broken if a permission is still given after a silence. The duty is 7.8 if the device
    withdraws the permission and gives it back at the end of the silence.

    Otherwise the duty is `otherwise`. If `otherwise` is no duty of silences, but a silence without any frame leaves the
    permission as well, the duty is 9.12, or 7.6 if the device does not notice the silence.
    """
    with suppress(Skipped):
        permit(host, permission)
        host.listen(SILENCE_S, alive=False)
        then = seen_in_silence(host)[1]
        after = host.status()[0]
        if then.host_silent and permission.is_locked(then) and not permission.is_locked(after):
            return "7.8"
        if otherwise not in _OF_SILENCES and not permission.is_locked(then):
            return "9.12" if then.host_silent else "7.6"
    return otherwise


_OF_SILENCES: Final = ("7.6", "9.12")
HOUR_S: Final = 4296.0  # 2^32 microseconds, and a part of the 2 s for which such a count begins anew
LONG_S: Final = 66.5  # 65,536 ms, and a part of the 2 s for which a count of two bytes begins anew


def a_long_silence_stays_one(host: Host) -> None:
    """Checks that the host still counts as silent after more milliseconds than two bytes can count, and
    after more microseconds than four can.
    """
    for long_s in (LONG_S, HOUR_S) if host.bench.is_quick else (LONG_S,):
        host.status()
        host.listen(long_s, alive=False)
        status = seen_in_silence(host)[1]
        must("7.6", status.host_silent, f"{long_s:.1f} s of silence, and no host_silent: {status}")


def one_that_cannot_lock_says_its_silence(host: Host) -> None:
    if host.statement.has("lock"):
        raise Skipped("can-lock")
    status = _said_in_silence(host)
    must("9.25", status.host_silent and not status.locked, f"it cannot lock, and says in the silence: {status}")
