"""Checks of PROTOCOL.md, sections 7 and 9: signs of life, and permissions withdrawn by silence or a new session."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.parts import (
    LOCKS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    SILENCE_S,
    SWITCHES,
    U16,
    U32,
    Permission,
    is_event,
    lasting,
    lock_of_shuffler,
    permissions,
    permit,
    ready,
    recount,
    switch_of,
    told,
    waiting,
    with_cards,
)
from firmware_protocols.tdp.conform.told import counts, permits
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.link import EVENTS_LOCK, SILENT_AFTER_S, FrameKind, Header, build
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import Jammed, LidOpened, Recounted, ShufflerStatus

NUMBERS: Final = (5, 5, 1, 0, 2**31, 2**32 - 1, 2)
SIGN_EVERY_S: Final = 0.4
NEAR_S: Final = 0.2  # of 2 s of silence: line and computer may be late by half of it


# --- section 7


def heartbeats_are_answered(host: Host) -> None:
    """Each heartbeat is answered under its number, for any number."""
    for number in NUMBERS:
        host.say(FrameKind.HEARTBEAT, number, rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False)))
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
        must("7.2", heard is not None, f"no HEARTBEAT_REPLY {number}")


def a_reply_ends_the_silence(host: Host) -> None:
    if host.status()[1] - host.watch.acked >= EVENTS_LOCK:
        raise Skipped("too-many-wait")
    host.listen(SILENCE_S + 1, alive=False)
    status, _newest = host.status()
    must("7.3", not status.host_silent, f"host_silent in the reply that ends it: {status}")
    host.listen(SILENCE_S, alive=False)
    answer = host.answer(host.query)
    must("7.3", not answer.status.host_silent, f"host_silent in the ANSWER that ends it: {answer.status}")
    host.listen(SILENCE_S, alive=False)
    host.say_hello()
    _body, status = host.read_identity(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY"))
    must("7.3", not status.host_silent, f"host_silent in the IDENTITY that ends it: {status}")


def silence_is_said(host: Host) -> None:
    """An event during a silence has `host_silent` in its status."""
    status = _said_in_silence(host)
    must("7.6", status.host_silent, f"an event in the silence, without host_silent: {status}")


def _said_in_silence(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    """The status of an event made during a silence, with a permission given before it where possible."""
    with suppress(Skipped):
        if host.moves or host.schema.kind is not DeviceKind.SHUFFLER:
            permit(host, lasting(host))
    newest = host.status()[1]
    host.listen(SILENCE_S, alive=False)
    host.hand(Deed.EVENT, alive=False)
    heard = host.listen(QUIET_S, alive=False)
    must("6.17", not any(map(is_event, heard)), f"a new event is told in the silence: {shown(heard)}")
    if not told(host, newest):
        raise Skipped("no-event-waits")
    return host.schema.decode_event(host.watch.events[max(host.watch.events)])[1]


def one_that_cannot_lock_says_its_silence(host: Host) -> None:
    if host.statement.has("lock"):
        raise Skipped("can-lock")
    status = _said_in_silence(host)
    must("9.25", status.host_silent and not status.locked, f"it cannot lock, and says in the silence: {status}")


def _say_nonsense(host: Host) -> None:
    host.last_command += 1
    host.say(FrameKind.COMMAND, host.last_command, b"\xee")


_SIGNS: Final[dict[str, Callable[[Host], None]]] = {
    "a heartbeat with a wrong payload": lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\7\7"),
    "a COMMAND of before": lambda host: host.say(FrameKind.COMMAND, 0x7FFF, b"\2"),
    "a COMMAND that is none": _say_nonsense,
    "an ACK of before": lambda host: host.say(FrameKind.ACK, 0),
    "an ACK with a payload": lambda host: host.say(FrameKind.ACK, 0, b"\1"),
    "HELLO of its opening": lambda host: host.say_hello(),
}


def any_frame_of_the_session_is_a_sign_of_life(host: Host) -> None:
    """Every frame of the session is a sign of life, even where its payload is dropped: waiting events are repeated."""
    number = waiting(host)[0].number
    for name, say in _SIGNS.items():
        host.open()
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        must("7.4", number in came, f"EVENT {number} comes no more, although the host says {name} all the time")


def _say_a_damaged_heartbeat(host: Host) -> None:
    good = build(Header(FrameKind.HEARTBEAT, host.opening, host.boot, 1), b"\0")
    host.say_bytes(good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:])


_NO_SIGNS: Final[dict[str, Callable[[Host], None]]] = {
    "a damaged HEARTBEAT": _say_a_damaged_heartbeat,
    "a frame of no kind": lambda host: host.say_bytes(build(Header(0x55, host.opening, host.boot, 1), b"\0")),
    "HELLO with its boot": lambda host: host.say_hello(boot=host.boot),
    "zeros": lambda host: host.say_bytes(bytes(3)),
}


def nothing_else_is_a_sign_of_life(host: Host) -> None:
    """A frame dropped before its session is read keeps no host alive: waiting events are not repeated for it."""
    number = waiting(host)[0].number
    for name, say in _NO_SIGNS.items():
        host.open()
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        must("7.6", number not in came, f"EVENT {number} comes although the host says nothing but {name}")


def say_for(host: Host, seconds: float, say: Callable[[Host], object]) -> set[int]:
    """The numbers of the events that come while `say` is called again and again."""
    came: set[int] = set()
    for _ in range(round(seconds / SIGN_EVERY_S)):
        say(host)
        came |= {one.number for one in host.events(SIGN_EVERY_S, alive=False)}
    return came


def _with_few_waiting(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    """The status. Raises Skipped where so many events wait that the device is locked for them."""
    status, newest = host.status()
    if newest - host.watch.acked >= EVENTS_LOCK:
        raise Skipped("too-many-wait")
    return status


def a_sign_of_life_keeps_what_is_permitted(host: Host) -> None:
    for name, say in _SIGNS.items():
        if say is _say_nonsense:
            continue  # a device that locks for it breaks 5.6
        host.open()
        permission = lasting(host)
        permit(host, permission)
        say_for(host, SILENCE_S + 0.6, say)
        status = _with_few_waiting(host)
        must("7.4", permission.is_given(status), f"locked although the host says {name} all the time: {status}")


def a_slow_disk_is_no_silence(host: Host) -> None:
    permission = lasting(host)
    permit(host, permission)
    say_for(host, 2 * SILENT_AFTER_S, lambda one: one.say_pulse(not_yet_durable=True))
    status = _with_few_waiting(host)
    must("7.5", permission.is_given(status), f"not_yet_durable for 4 s, and it is locked: {status}")


def silence_locks(host: Host) -> None:
    """Each permission is withdrawn after 2 s of silence, not before, and none comes back with the host."""
    for permission in permissions(host):
        host.open()
        before = permit(host, permission)
        host.listen(SILENT_AFTER_S - NEAR_S, alive=False)
        status = host.status()[0]
        must("7.6", _still(permission, status, before), f"{permission.name} is withdrawn after 1.8 s: {status}")
        if not permission.is_given(status):
            permit(host, permission)
        host.listen(SILENT_AFTER_S + NEAR_S, alive=False)
        status = host.status()[0]
        if not permission.is_locked(status):
            permit(host, permission)
            host.listen(SILENCE_S, alive=False)
            later = host.status()[0]
            must("9.12", permission.is_locked(later), f"{permission.name} behind 2.3 s of silence: {later}")
            raise Broken("7.6", f"{permission.name} behind 2.2 s of silence, withdrawn later: {status}")
        stays_locked(host, permission, status, "7.8", "the host is back")


def _still(permission: Permission, status: Any, before: Any) -> bool:  # noqa: ANN401 (any kind's)
    """True where the permission is given, or its movement has been made."""
    return permission.is_given(status) or counts(status) != counts(before)


def stays_locked(host: Host, permission: Permission, was: Any, duty: str, when: str) -> None:  # noqa: ANN401
    host.listen(1.0)
    status = host.status()[0]
    must(duty, permission.is_locked(status), f"{permission.name} comes back when {when}: {status}")
    must(duty, _out(status) <= _out(was) + 1, f"cards leave behind the lock: {status}, before {was}")


def _out(status: object) -> int:
    """The number of cards that have left a shuffler; 0 for any other kind of device.

    A card in motion may still leave after a lock: the caller allows one.
    """
    return status.cards_out if isinstance(status, ShufflerStatus) else 0


# --- section 9: what withdraws


def a_session_begins_locked(host: Host) -> None:
    for permission in permissions(host):
        host.open()
        permit(host, permission)
        _identity, status = host.open()
        is_equal = not isinstance(status, ShufflerStatus) or status.release_until == status.cards_out
        found = f"{permission.name} in IDENTITY of a new session: {status}"
        must("9.11", permission.is_locked(status) and is_equal, found)
        must("9.23", not status.host_silent, f"host_silent in IDENTITY: {status}")
        stays_locked(host, permission, status, "9.17", "a session has opened")


def a_new_session_withdraws_behind_a_silence(host: Host) -> None:
    """A permission given before a silence is withdrawn in the session after it."""
    for permission in permissions(host):
        host.open()
        permit(host, permission)
        host.listen(SILENCE_S, alive=False)
        _identity, status = host.open()
        must("7.8", permission.is_locked(status), f"{permission.name} in a session behind a silence: {status}")
        stays_locked(host, permission, status, "7.8", "a session has opened")


def the_lid_locks(host: Host) -> None:
    host.has("lid")
    for permission in permissions(host):
        host.open()
        permit(host, permission)
        host.hand(Deed.LID_OPEN)
        opened = host.status_becomes(lambda now: now.lid_open, RECOUNTED_WITHIN_S)
        must("10.33", opened.lid_open, f"the lid is open: {opened}")
        must("9.15", permission.is_locked(opened), f"{permission.name} with the lid open: {opened}")
        host.hand(Deed.LID_CLOSE)
        closed = host.status_becomes(lambda now: not now.lid_open, RECOUNTED_WITHIN_S)
        stays_locked(host, permission, closed, "9.17", "the lid is closed")
    _no_recount_behind(host, Deed.LID_OPEN, Deed.LID_CLOSE)


def a_jam_locks(host: Host) -> None:
    for permission in permissions(host):
        host.open()
        with_cards(host)
        permit(host, permission)
        host.hand(Deed.JAM)
        status = host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S)
        must("9.14", permission.is_locked(status), f"{permission.name} with a jam: {status}")
        host.hand(Deed.CLEAR)
        host.status_becomes(lambda now: not now.path_blocked)
        stays_locked(host, permission, status, "9.17", "the path is free")
        host.apply(lock_of_shuffler(status, jams_ended=status.jams))
        status = host.status_becomes(lambda now: not now.jammed)
        stays_locked(host, permission, status, "9.17", "the jam is ended")
    with_cards(host)
    jam = _no_recount_behind(host, Deed.JAM, Deed.CLEAR)
    if jam is not None:
        host.apply(lock_of_shuffler(jam, jams_ended=jam.jams))
        host.status_becomes(lambda now: not now.jammed)


def protections_stay(host: Host) -> None:
    """A lamp, a lock or a fault picture stays as it is over a new session and over a silence."""
    is_there, say = _protection(host)
    for on in (True,) if host.schema.kind in _LOCK_IS_ONE else (True, False):
        say(on)
        for again in (_in_a_session, _behind_silence):
            status = again(host)
            found = f"a protection that was {'on' if on else 'off'} is not: {status}"
            must("9.18" if on else "9.24", is_there(status) is on, found)


_LOCK_IS_ONE: Final = (DeviceKind.SHOE, DeviceKind.DISPLAY)
"""Kinds on which a silence by itself sets the lock or the fault picture."""


def _in_a_session(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    return host.open()[1]


def _behind_silence(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    host.listen(SILENCE_S, alive=False)
    return host.status()[0]


def _protection(host: Host) -> tuple[Callable[[Any], bool], Callable[[bool], object]]:
    match host.schema.kind:
        case DeviceKind.SHUFFLER:
            switch = switch_of(host)
            return switch.is_on, lambda on: host.apply(switch.ask(host.status()[0], on=on))
        case DeviceKind.SHOE:
            switch = switch_of(host)
            return lambda now: now.locked, lambda on: host.apply(switch.ask(host.status()[0], on=not on))
        case DeviceKind.DISPLAY:
            return lambda now: now.fault_shown, lambda on: host.apply(DisplayApply(100, fault=on))
        case _:
            raise Skipped("nothing-to-permit")


def what_is_shown_stays(host: Host) -> None:
    """Markers and the lamps of slots stay as they are over a new session and over a silence."""
    duty = {DeviceKind.VALUE_DISPLAY: "13.4", DeviceKind.SLOTS: "14.8"}[host.schema.kind]
    switch = SWITCHES[host.schema.kind]
    host.apply(switch.ask(host.status()[0], on=True))
    before = host.status_becomes(switch.is_on)
    for again in (_in_a_session, _behind_silence, _in_a_session):
        status = again(host)
        must(duty, status == before, f"it changes without a command: {status}, before {before}")


def a_recount_is_withdrawn(host: Host) -> None:
    """A new session or a silence withdraws a recount, even one that has begun."""
    host.has("recount")
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    request = (before.recounts + 1) % U16
    for pause_s in (0.0, takes_s / 2):
        host.apply(lock_of_shuffler(before, recount_request=request))
        host.listen(pause_s)
        host.open()
        host.listen(takes_s + 1.0)
        _not_recounted(host, before, "a new session")
    if takes_s < SILENCE_S + 0.3:
        raise Skipped("recount-too-quick")
    host.apply(lock_of_shuffler(before, recount_request=request))
    host.listen(takes_s + 1.0, alive=False)
    _not_recounted(host, before, "a silence")
    host.listen(takes_s)
    _not_recounted(host, before, "a silence")


def _not_recounted(host: Host, before: ShufflerStatus, behind: str) -> None:
    status = host.status()[0]
    must("9.20", status.recounts == before.recounts, f"behind {behind} the recount runs on: {status}")


def _no_recount_behind(host: Host, deed: Deed, undo: Deed) -> ShufflerStatus | None:
    """The status behind an act of hands that takes back a recount, also one that has begun."""
    if not host.statement.has("recount"):
        return None
    host.open()
    begun_s = host.line.now_s()
    before = recount(host, ready(host))
    takes_s = host.line.now_s() - begun_s
    newest = host.status()[1]
    host.apply(lock_of_shuffler(before, recount_request=(before.recounts + 1) % U16))
    host.hand(deed)
    host.listen(takes_s + 1.0)
    host.hand(undo)
    came = [type(one) for one in told(host, newest) if isinstance(one, Recounted | LidOpened | Jammed)]
    must("9.20", came[-1:] != [Recounted], f"behind {deed} the recount runs on: {host.status()[0]}")
    status: ShufflerStatus = host.status_becomes(lambda now: not (now.lid_open or now.path_blocked))
    return status


def the_mouth_is_shut(host: Host) -> None:
    before = with_cards(host)
    for again in (_in_a_session, _behind_silence):
        host.apply(lock_of_shuffler(before, release_until=(host.status()[0].cards_out + 200) % U32))
        host.status_becomes(lambda now: now.mouth_open)
        status = again(host)
        must("9.21", not status.mouth_open, f"the mouth is open: {status}")
        must("9.12", not permits(status), f"permitted still: {status}")


def leave_locked(host: Host) -> None:
    """Leaves the device locked in a new session. Raises Broken where it does not answer."""
    _identity, status = host.open()
    if host.schema.kind in LOCKS:
        host.ask(host.schema.encode_command(LOCKS[host.schema.kind](status)))
        host.listen(QUIET_S / 4)
