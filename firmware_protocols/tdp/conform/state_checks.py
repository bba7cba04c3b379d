"""Checks the duties of the link in a state that another check has brought about: jammed, open, full, failed, started.

A faulty device may keep a duty as long as nothing is wrong, and break it in one of these states.
"""

from typing import Final

from firmware_protocols.framing import DELIMITER, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import Heard, Host, must, shown, there
from firmware_protocols.tdp.conform.parts import (
    BAD_COMMAND,
    QUIET_S,
    SWITCHES,
    U32,
    is_event,
    permissions_of,
)
from firmware_protocols.tdp.conform.pictures import as_it_is
from firmware_protocols.tdp.link import EVENTS_KEPT, HEADER, NO_SESSION_EVERY_S, PROTOCOL_MAJOR, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.value_display import COLOURS

_ANOTHER_MAJOR: Final = bytes((PROTOCOL_MAJOR + 1, 0)) + b"\5" * 8
_NEVER: Final = 0x6001  # the number of heartbeats that are to be dropped
_DAMAGED: Final = 0x6002  # that of one whose CRC is wrong
_OF_NO_LENGTH: Final = 0x6003  # that of those whose payload has another length
_KEPT: Final = {
    "jammed": "10.30",
    "jams": "10.30",
    "lamp_lit": "9.18",
    "lid_open": "10.33",
    "counts_unknown": "9.7",
    "error": "11.9",
    "chips": "14.2",
    "collections": "14.2",
}
"""The fields of a status that no session changes, with the duty that a change breaks."""
_IN_FORCE: Final = ("locked", "lit", "blinking", "fault_shown", "feed_open", "unloading")
_KEPT_BY: Final = {DeviceKind.SHOE: {"counts_unknown": "11.2"}}


_SHOWN_ON: Final = {
    DeviceKind.VALUE_DISPLAY: dict.fromkeys(COLOURS, "13.4"),
    DeviceKind.SLOTS: dict.fromkeys(("lit", "blinking"), "14.8"),
}
"""The fields that a kind goes on showing in a new session, with the duty that a change breaks."""


def goes_on(host: Host, state: str) -> None:
    """Checks that the device keeps the duties of the link in its present state, in the open session and in a new one.
    The new session is open afterwards. Raises Broken.

    `state`: the present state, in the words of a finding.
    """
    _a_query_leaves(host, state)
    _answers_again(host, state)
    _hears_hellos(host, state)
    _drops_the_rest(host, state)
    _hears_behind_noise(host, state)
    _refuses_another_session(host, state)
    before = host.status()[0]
    _identity, after = host.open()
    for name, duty in {**_KEPT, **_KEPT_BY.get(host.schema.kind, {})}.items():
        is_same = getattr(after, name, None) == getattr(before, name, None)
        must(duty, is_same, f"{state}: behind a new session {name} is another: {after}, before {before}")
    for name, duty in _SHOWN_ON.get(host.schema.kind, {}).items():
        is_same = getattr(after, name) == getattr(before, name)
        must(duty, is_same, f"{state}: behind a new session {name} is another: {after}, before {before}")
    _answers_again(host, f"{state}, in a new session")
    _asks_for_all(host)


def _may_ask(host: Host) -> bool:
    return host.moves or host.schema.kind is not DeviceKind.SHUFFLER


def _asks_for_all(host: Host) -> None:
    """Asks the device for each permission, and withdraws it. `Watch` tests if each result is right in the present
    state.
    """
    for permission in permissions_of(host) if _may_ask(host) else ():
        host.apply(permission.ask(host.status()[0]))
        host.apply(as_it_is(host, host.status()[0]))


def _answers_again(host: Host, state: str) -> None:
    """Checks that a repeated COMMAND gets its first result. It does so with a bad command, a query, one that permits
    and one that locks.
    """
    for payload in _commands(host):
        first = host.answer(payload).result
        must("5.6", payload != b"\xee" or first == BAD_COMMAND, f"{state}: a bad COMMAND, result {first}")
        must("5.11", payload != host.query or not first, f"{state}: a query, result {first}")
        for _ in range(2):
            again = host.ask(payload, number=host.last_command)
            is_same = again is not None and again.result == first
            must("5.2", is_same, f"{state}: COMMAND {host.last_command} again: {again}; {first} the first time")


def _a_query_leaves(host: Host, state: str) -> None:
    """Checks that a query changes nothing. A faulty device clears what it has just reported."""
    before = host.status()[0]
    host.answer(host.query)
    after = host.status()[0]
    for name in (*_KEPT, *_IN_FORCE):
        is_same = getattr(after, name, None) == getattr(before, name, None)
        must("5.11", is_same, f"{state}: behind a query {name} is another: {after}, before {before}")


def _commands(host: Host) -> list[bytes]:
    now = host.status()[0]
    wishes = [one.ask(now) for one in permissions_of(host)[:1] if _may_ask(host)]
    wishes += [as_it_is(host, now)] if host.schema.kind in SWITCHES else []
    return [b"\xee", host.query, *(host.schema.encode_command(one) for one in wishes)]


def _hears_hellos(host: Host, state: str) -> None:
    """Checks that the device answers two kinds of HELLO, which must change nothing: one of another major version, and
    one that acknowledges no event.
    """
    oldest = _oldest(host)
    for boot, number in ((0, 0), (host.boot, 0), (0, 7), (host.boot + 1, U32 - 1)):
        host.say(FrameKind.HELLO, number, _ANOTHER_MAJOR, opening=host.opening + 3, boot=boot)
        found = f"{state}: no IDENTITY to a HELLO of another major, boot {boot}, number {number}"
        there("4.2", host.first(FrameKind.IDENTITY, 0), found)
    for boot, number in ((host.boot, 0), (0, host.watch.newest), (host.boot + 1, host.watch.newest)):
        body = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, 0, boot % U32, number))
        host.say(FrameKind.HELLO, 0, body + host.proof.nonce, boot=0)
        there("4.3", host.first(FrameKind.IDENTITY, 0), f"{state}: no IDENTITY to HELLO again")
        found = f"{state}: a commit of {number} of boot {boot} acknowledges"
        must("4.9", _oldest(host) == oldest, found)
    must("4.3", host.ask(host.query) is not None, f"{state}: HELLO again, and COMMAND {host.last_command} is not heard")


def _oldest(host: Host) -> int:
    host.say_hello()
    heard = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY to HELLO again")
    return host.read_identity(heard)[0].oldest_event


def _drops_the_rest(host: Host, state: str) -> None:
    """Checks that frames which the device must drop get no answer and acknowledge nothing."""
    oldest = _oldest(host)
    host.listen(2 * NO_SESSION_EVERY_S)
    for say in (_say_hellos, _say_commands, _say_heartbeats):
        say(host)
    wrong = [one for one in host.listen(QUIET_S) if _is_wrong(one)]
    duty = _broken_by(host, wrong[0]) if wrong else "3.2"
    must(duty, not wrong, f"{state}: frames that are to be dropped are answered by {shown(wrong)}")
    must("5.3", host.ask(host.query) is not None, f"{state}: COMMAND {host.last_command} is used up by other numbers")
    newest = host.status()[1]
    for number in (0, newest + 1, newest + 2**16, U32 - 1):
        host.acknowledge(number)
    is_same = _oldest(host) == oldest or host.watch.newest - oldest >= EVENTS_KEPT
    must("6.13", is_same, f"{state}: ACKs of no event acknowledge, the oldest was {oldest}")
    host.say(FrameKind.ACK, newest, b"\0")
    is_same = _oldest(host) == oldest or host.watch.newest - oldest >= EVENTS_KEPT
    must("3.2", is_same, f"{state}: an ACK with a payload acknowledges, the oldest was {oldest}")


def _hears_behind_noise(host: Host, state: str) -> None:
    """Checks that the device receives a good frame after a damaged one."""
    for data in (_damaged(host), b"\1" * 240 + DELIMITER, DELIMITER + b"\x7f\1\2" + DELIMITER):
        host.is_wrong(_DAMAGED, "2.5")
        host.say_bytes(data)
        number = host.say_pulse()
        is_heard = host.first(FrameKind.HEARTBEAT_REPLY, number) is not None
        must("2.7", is_heard, f"{state}: behind a frame that is dropped HEARTBEAT {number} is not heard")


def _damaged(host: Host) -> bytes:
    whole = encode_frame(HEADER.pack(FrameKind.HEARTBEAT, host.opening, host.boot, _DAMAGED) + b"\0")
    return DELIMITER + whole[:-2] + bytes(((whole[-2] ^ 0x40) or 0xFF,)) + DELIMITER


def _broken_by(host: Host, one: Heard) -> str:
    """Returns the number of the duty that the device breaks by answering with `one` a frame that it must drop."""
    match one.header.kind:
        case FrameKind.IDENTITY:
            return "3.8" if one.header.host_opening == host.opening else "4.7"
        case FrameKind.ANSWER:
            return "5.3"
        case FrameKind.HEARTBEAT_REPLY:
            return {_DAMAGED: "2.5", _OF_NO_LENGTH: "3.2"}.get(one.header.number, "3.3")
        case FrameKind.NOT_PROVEN:
            return "18.1"
        case _:
            return "3.2"


def _is_wrong(one: Heard) -> bool:
    dropped = (_NEVER, _DAMAGED, _OF_NO_LENGTH)
    is_pulse = one.header.kind == FrameKind.HEARTBEAT_REPLY and one.header.number not in dropped
    return not is_event(one) and not is_pulse


def _say_hellos(host: Host) -> None:
    host.say_hello(opening=host.opening - 1)
    host.say_hello(boot=host.boot)
    host.say_hello(number=1)


def _say_commands(host: Host) -> None:
    for number in (-1, 2, 2**8 + 1, 2**16 + 1, 2**31):
        host.say(FrameKind.COMMAND, host.last_command + number, host.query)


def _say_heartbeats(host: Host) -> None:
    for payload in (b"\2", b"\x80", b"", b"\0\0"):
        host.say(FrameKind.HEARTBEAT, _NEVER if len(payload) == 1 else _OF_NO_LENGTH, payload)
    host.say(0x55, _NEVER, b"\0")
    host.is_wrong(_DAMAGED, "2.5")
    host.say_bytes(_damaged(host))


def _refuses_another_session(host: Host, state: str) -> None:
    host.listen(2 * NO_SESSION_EVERY_S)
    host.say(FrameKind.COMMAND, host.last_command + 1, b"\xee", opening=host.opening + 1)
    heard = there("4.13", host.first(FrameKind.NO_SESSION, 0), f"{state}: no NO_SESSION to a frame of another session")
    must("4.13", heard.header.device_boot == host.boot, f"{state}: NO_SESSION of boot {heard.header.device_boot}")
    answer = host.ask(host.query)
    is_free = answer is not None and not answer.result
    must("3.7", is_free, f"{state}: COMMAND {host.last_command} is used up by a frame of another session")
