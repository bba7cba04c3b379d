"""Checks of PROTOCOL.md, sections 7 and 9: signs of life, and permissions withdrawn by a silence or a new session."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import Broken, Heard, Host, Skipped, must, there
from firmware_protocols.tdp.conform.one_write import in_one_write
from firmware_protocols.tdp.conform.parts import (
    LOCKS,
    OK,
    PERMISSIONS,
    QUIET_S,
    SILENCE_S,
    SWITCHES,
    U16,
    U32,
    Permission,
    forget_all_but,
    lasting,
    lock_of_shuffler,
    permissions,
    permit,
    stays_locked,
    switch_of,
    switched,
    waiting,
    with_cards,
)
from firmware_protocols.tdp.conform.pictures import ALL_SHOWN
from firmware_protocols.tdp.conform.silence_checks import of_silence, seen_in_silence
from firmware_protocols.tdp.conform.state_checks import goes_on
from firmware_protocols.tdp.conform.told import counts
from firmware_protocols.tdp.link import EVENTS_LOCK, PROTOCOL_MAJOR, SILENT_AFTER_S, FrameKind, Header, build
from firmware_protocols.tdp.schema import DeviceKind, Nature

NUMBERS: Final = (0x5000, 0x5000, 0x41, 0, 2**31, 2**32 - 1, 0x42)  # none that a beat has meanwhile

SIGN_EVERY_S: Final = 0.4
NEAR_S: Final = 0.2  # of 2 s of silence: line and computer may be late by half of it
EXACTLY_S: Final = 0.05  # the same of a simulated line


# --- section 7


def heartbeats_are_answered(host: Host) -> None:
    """Checks that each heartbeat is answered under its own number, whatever the number is."""
    for number, is_slow in zip(NUMBERS, (False, True, True, False, True, False, True), strict=True):
        host.say(FrameKind.HEARTBEAT, number, rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(is_slow)))
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
        must("7.2", heard is not None, f"no HEARTBEAT_REPLY {number}")
    with in_one_write(host):
        for _ in range(2):
            host.say(FrameKind.HEARTBEAT, NUMBERS[0], b"\0")
    for found in (f"no HEARTBEAT_REPLY {NUMBERS[0]}", f"HEARTBEAT {NUMBERS[0]} twice in one write, one reply"):
        must("7.2", host.first(FrameKind.HEARTBEAT_REPLY, NUMBERS[0]) is not None, found)


def a_reply_ends_the_silence(host: Host) -> None:
    if host.status()[1] - host.watch.acked >= EVENTS_LOCK:
        raise Skipped("too-many-wait")
    for is_slow in (False, True):
        host.listen(SILENCE_S + 1, alive=False)
        status, _newest = host.status(not_yet_durable=is_slow)
        must("7.3", not status.host_silent, f"host_silent in the reply that ends it: {status}")
    for is_again in (False, True):
        host.listen(SILENCE_S, alive=False)
        answer = host.ask(host.query, number=host.last_command) if is_again else host.answer(host.query)
        must("5.2", answer is not None, f"no ANSWER to COMMAND {host.last_command} again, behind a silence")
        is_silent = answer is not None and answer.status.host_silent
        must("7.3", not is_silent, f"host_silent in the ANSWER that ends it: {answer}")
    goes_on(host, "behind a silence")
    host.listen(SILENCE_S, alive=False)
    host.say_hello()
    _body, status = host.read_identity(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY"))
    must("9.23", not status.host_silent, f"host_silent in the IDENTITY that ends it: {status}")


def the_frame_that_ends_a_silence_is_done(host: Host) -> None:
    """Checks that a COMMAND, an ACK or a HELLO that ends a silence has the same effect as at any other time."""
    with suppress(Skipped):
        number = waiting(host, 2)[0].number
        host.listen(SILENCE_S, alive=False)
        host.acknowledge(number)
        must("6.12", _oldest(host) > number, f"ACK {number} ends a silence: EVENT {number} waits still")
        host.listen(SILENCE_S, alive=False)
        host.say_hello(committed=number + 1)
        must("4.8", _oldest(host) > number + 1, f"HELLO ends a silence: EVENT {number + 1}, committed, waits still")
    switch = switch_of(host)
    for on in (True, False, True):
        wish = switched(host, on=on)
        host.listen(SILENCE_S, alive=False)
        answer = host.answer(wish)
        must("7.8", answer.result == OK, f"a COMMAND that ends a silence: result {answer.result}")
        status = host.status_becomes(switch.is_turned(on=on))
        must("5.9", switch.is_on(status) is on, f"a COMMAND that ends a silence is answered OK and not done: {status}")
    for permission in PERMISSIONS.get(host.schema.kind, ()):
        if host.schema.kind is DeviceKind.SHUFFLER and not host.moves:
            continue
        wish = host.schema.encode_command(permission.ask(host.status()[0]))
        host.listen(SILENCE_S, alive=False)
        answer = host.answer(wish)
        must("7.8", answer.result == OK, f"{permission.name}, that ends a silence: result {answer.result}")


def _oldest(host: Host) -> int:
    host.listen(QUIET_S)
    host.say_hello()
    heard = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
    return host.read_identity(heard)[0].oldest_event


def _say_nonsense(host: Host) -> None:
    host.last_command += 1
    host.say(FrameKind.COMMAND, host.last_command, b"\xee")


def _say_empty(host: Host) -> None:
    host.last_command += 1
    host.say(FrameKind.COMMAND, host.last_command)


_SIGNS: Final[dict[str, Callable[[Host], None]]] = {
    "the same heartbeat": lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\0"),
    "a heartbeat with a wrong payload": lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\7\7"),
    "a COMMAND of before": lambda host: host.say(FrameKind.COMMAND, 0x7FFF, b"\2"),
    "a COMMAND that is none": _say_nonsense,
    "a COMMAND without an id": _say_empty,
    "a heartbeat of no value": lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\2"),
    "a heartbeat without its flag": lambda host: host.say(FrameKind.HEARTBEAT, 1),
    "an ACK of before": lambda host: host.say(FrameKind.ACK, 0),
    "an ACK of an event to come": lambda host: host.say(FrameKind.ACK, host.watch.newest + 2**16),
    "an ACK with a payload": lambda host: host.say(FrameKind.ACK, 0, b"\1"),
    "HELLO of its opening": lambda host: host.say_hello(),
    "HELLO of its opening, cut short": lambda host: host.say(FrameKind.HELLO, 0, b"\1\0\0", boot=0),
}
_OF_TIME: Final = {"an ACK of before": "6.13", "an ACK of an event to come": "6.13", "HELLO of its opening": "4.3"}
"""The duty of a frame that puts off the events which wait, and leaves the device awake; 6.9 for any other."""


def any_frame_of_the_session_is_a_sign_of_life(host: Host) -> None:
    """Checks that any frame of the session is a sign of life, even if its payload is dropped. While the host sends only
    this frame, waiting events must still be repeated.
    """
    number = waiting(host)[0].number
    for name, say in _SIGNS.items():
        host.open()
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        if number not in came:
            is_silent, is_gone = seen_in_silence(host)[1].host_silent, _oldest(host) > number
            found = f"EVENT {number} comes no more, although the host says {name} all the time"
            raise Broken("7.4" if is_silent else "6.6" if is_gone else _OF_TIME.get(name, "6.9"), found)


def _say_a_damaged_heartbeat(host: Host) -> None:
    good = build(Header(FrameKind.HEARTBEAT, host.opening, host.boot, 0x6003), b"\0")
    host.is_wrong(0x6003, "2.5")
    host.say_bytes(good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:])


def _say_tagged(host: Host) -> None:
    for kind, payload in ((FrameKind.HEARTBEAT, b"\0"), (FrameKind.COMMAND, host.query), (FrameKind.ACK, b"")):
        host.say(kind, 0x6005, payload, key=_NO_PAIR)


_NO_PAIR: Final = bytes(range(4, 36))
_NO_SIGNS: Final[dict[str, tuple[str, Callable[[Host], object]]]] = {
    "a damaged HEARTBEAT": ("7.6", _say_a_damaged_heartbeat),
    "a frame of no kind": (
        "7.6",
        lambda host: host.say_bytes(build(Header(0x55, host.opening, host.boot, 1), b"\0")),
    ),
    "a frame of a device": (
        "7.6",
        lambda host: host.say_bytes(build(Header(FrameKind.HEARTBEAT_REPLY, host.opening, host.boot, 1), b"\0")),
    ),
    "HELLO with its boot": ("7.6", lambda host: host.say_hello(boot=host.boot)),
    "HELLO with a number": ("7.6", lambda host: host.say_hello(number=1)),
    "zeros": ("7.6", lambda host: host.say_bytes(bytes(3))),
    "noise": ("7.6", lambda host: host.say_bytes(b"\1" * 240 + bytes(1))),
    "frames under a tag": ("2.2", _say_tagged),
    "HELLO of another major": (
        "4.2",
        lambda host: host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), boot=0),
    ),
    "a frame of another opening": (
        "3.7",
        lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\0", opening=host.opening + 1),
    ),
    "a frame of the opening before": ("3.7", lambda host: host.say(FrameKind.ACK, 0, opening=host.opening - 1)),
    "a frame of another boot": ("3.7", lambda host: host.say(FrameKind.HEARTBEAT, 1, b"\0", boot=host.boot + 1)),
}
"""Frames that are no sign of life, each behind the duty that is broken where it is taken for one."""


def nothing_else_is_a_sign_of_life(host: Host) -> None:
    """Checks that other bytes are no sign of life: damaged frames, unknown kinds, zeros, a HELLO with a boot or a
    number. No waiting event may come while the host sends only such bytes.
    """
    number = waiting(host)[0].number
    for name, (duty, say) in _NO_SIGNS.items():
        host.open()
        say_for(host, SILENCE_S, say)
        came = say_for(host, SILENT_AFTER_S, say)
        must(duty, number not in came, f"EVENT {number} comes although the host says nothing but {name}")
    host.open()
    host.status()
    for _ in range(round((SILENT_AFTER_S - 2 * NEAR_S) / SIGN_EVERY_S)):
        host.say_hello(opening=host.opening - 1)
        if any(one.header.kind == FrameKind.IDENTITY for one in host.listen(SIGN_EVERY_S, alive=False)):
            return  # another check says so
    host.listen(2 * NEAR_S + SILENCE_S - SILENT_AFTER_S, alive=False)
    status = seen_in_silence(host)[1]
    must("7.6", status.host_silent, f"HELLOs of an older opening are taken for a sign of life: {status}")


def say_for(host: Host, seconds: float, say: Callable[[Host], object]) -> set[int]:
    """Calls `say` every 0.4 s for `seconds`, without heartbeats, and returns the numbers of the events that come."""
    came: set[int] = set()
    for _ in range(round(seconds / SIGN_EVERY_S)):
        say(host)
        came |= {one.number for one in host.events(SIGN_EVERY_S, alive=False)}
    return came


def with_few_waiting(host: Host) -> Any:  # noqa: ANN401 (any kind's)
    """Returns the status. Raises Skipped if 48 or more events wait, since the device is then locked."""
    status, newest = host.status()
    if newest - host.watch.acked >= EVENTS_LOCK:
        raise Skipped("too-many-wait")
    return status


def lasts_long(host: Host, permission: Permission) -> None:
    """Checks that the permission lasts under ordinary heartbeats. Raises Skipped if the permission ends by itself; the
    check would then prove nothing.
    """
    permit(host, permission)
    host.listen(2 * SILENT_AFTER_S)
    if not permission.is_given(with_few_waiting(host)):
        raise Skipped("not-permitted")


def a_sign_of_life_keeps_what_is_permitted(host: Host) -> None:
    lasts_long(host, lasting(host))
    for name, say in _SIGNS.items():
        if say in (_say_nonsense, _say_empty):
            continue  # a device that locks for it breaks 5.6
        host.open()
        permission = lasting(host)
        permit(host, permission)
        say_for(host, SILENCE_S + 0.6, say)
        status = with_few_waiting(host)
        must("7.4", permission.is_given(status), f"locked although the host says {name} all the time: {status}")


def an_older_hello_is_no_sign_of_life(host: Host) -> None:
    """Checks that HELLOs of an older opening are no sign of life: the device withdraws the permission while the host
    sends only such HELLOs.
    """
    permission = lasting(host)
    permit(host, permission)
    say_for(host, SILENT_AFTER_S - 2 * NEAR_S, lambda one: one.say_hello(opening=one.opening - 1))
    host.listen(2 * NEAR_S + SILENCE_S - SILENT_AFTER_S, alive=False)
    status = host.status()[0]
    if not permission.is_locked(status):
        found = f"HELLOs of an older opening keep it unlocked: {status}"
        raise Broken(of_silence(host, permission, "7.6"), found)


def silence_locks(host: Host) -> None:
    """Checks that each permission is withdrawn after 2 s of silence and no sooner, and does not come back with the
    host.
    """
    for permission in permissions(host):
        host.open()
        for end in _ENDS:
            _a_silence_locks(host, permission, end)


def _ask(host: Host) -> None:
    host.answer(host.query)


_ENDS: Final[tuple[Callable[[Host], object], ...]] = (
    lambda host: host.status(),
    _ask,
    lambda host: host.acknowledge(host.watch.acked),
)
"""The frames that end a silence, one after the other in one session."""


def _near_s(host: Host) -> float:
    return EXACTLY_S if host.bench.is_quick else NEAR_S


def _a_silence_locks(host: Host, permission: Permission, end: Callable[[Host], object]) -> None:
    before, near_s = permit(host, permission), _near_s(host)
    host.listen(SILENT_AFTER_S - near_s, alive=False)
    status = host.status()[0]
    must(
        "7.6",
        _still(permission, status, before),
        f"{permission.name} is withdrawn after {SILENT_AFTER_S - near_s:.2f} s: {status}",
    )
    if not permission.is_given(status):
        permit(host, permission)
    host.listen(SILENT_AFTER_S + near_s, alive=False)
    end(host)
    status = host.status()[0]
    if not permission.is_locked(status):
        permit(host, permission)
        host.listen(SILENCE_S, alive=False)
        later = host.status()[0]
        if not permission.is_locked(later):
            found = f"{permission.name} behind 2.3 s of silence: {later}"
            raise Broken(of_silence(host, permission, "9.12"), found)
        duty = of_silence(host, permission, "7.6") if end is _ENDS[0] else "7.8"  # the other frames gave it back
        raise Broken(
            duty, f"{permission.name} behind {SILENT_AFTER_S + near_s:.2f} s of silence, withdrawn later: {status}"
        )
    stays_locked(host, permission, status, "7.8", "the host is back")


def _still(permission: Permission, status: Any, before: Any) -> bool:  # noqa: ANN401 (any kind's)
    """True if the permission is still given, or if the counts show that its movement was made."""
    return permission.is_given(status) or counts(status) != counts(before)


def a_silence_is_taken_in_any_motion(host: Host) -> None:
    """Checks that the device notices a silence in time even while a motor runs."""
    for name, begin in _MOTIONS.items():
        host.open()
        with_cards(host)
        for _ in range(LOADS if name == "a feed" else 0):
            host.load()
        forget_all_but(host, 0)
        if name == "a recount" and not host.statement.has("recount"):
            continue
        host.apply(begin(host.status()[0]))
        said_s, near_s = host.line.now_s(), _near_s(host)
        host.say_pulse()
        for after_s, is_silent in ((SILENT_AFTER_S - near_s, False), (SILENT_AFTER_S + near_s, True)):
            host.listen(said_s + after_s - host.line.now_s(), alive=False)
            status, wait = _looked_at(host)
            found = f"host_silent {status.host_silent} in {name}, {wait} wait: {status}"
            must("7.6", status.host_silent is (is_silent or wait >= EVENTS_LOCK), found)


_MOTIONS: Final[dict[str, Callable[[Any], object]]] = {
    "a recount": lambda now: lock_of_shuffler(now, recount_request=(now.recounts + 1) % U16),
    "an unloading": lambda now: lock_of_shuffler(now, unload=True),
    "a feed": lambda now: lock_of_shuffler(now, feed_open=True),
}
LOADS: Final = 4  # of ten cards each


def _looked_at(host: Host) -> tuple[Any, int]:
    """Returns the status and the number of waiting events. It asks by a HELLO of another major version, no sign of
    life.
    """
    opening = (host.opening + 1) % U32
    host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), opening=opening, boot=0)

    def is_it(one: Heard) -> bool:
        return (one.header.kind, one.header.host_opening) == (FrameKind.IDENTITY, opening)

    heard = host.listen(host.answers_within_s, alive=False, until=is_it)[-1:]
    one = there("4.2", next(filter(is_it, heard), None), "no IDENTITY to a HELLO of another major, in a silence")
    body, status = host.read_identity(one)
    return status, body.next_event - body.oldest_event


def leave_locked(host: Host) -> None:
    """Opens a new session and locks the device, without judging the answer. Raises Broken without an IDENTITY.

    A value display and slots get a complete picture instead; a sensor gets no command.
    """
    _identity, status = host.open()
    command = LOCKS.get(host.schema.kind, ALL_SHOWN.get(host.schema.kind))
    has_one = any(row.nature is Nature.EFFECT for row in host.schema.commands)  # a sensor has none
    if command is not None and has_one and host.schema.kind in SWITCHES:
        host.ask(host.schema.encode_command(command(status)))
        host.listen(QUIET_S / 4)
