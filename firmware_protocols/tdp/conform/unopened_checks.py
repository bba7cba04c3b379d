"""Checks a device that has started and has no session yet. The device must be locked and silent, and accept only a
correct HELLO. A faulty device may keep a duty in a session, and break it before the first session of a boot.
"""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from typing import Any, Final

from firmware_protocols.framing import DELIMITER
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Heard, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.parts import (
    PERMISSIONS,
    QUIET_S,
    SILENCE_S,
    SWITCHES,
    U32,
    is_event,
    permissions_of,
    told,
)
from firmware_protocols.tdp.conform.silence_checks import TOLD
from firmware_protocols.tdp.conform.told import counts
from firmware_protocols.tdp.link import (
    EVENT_WINDOW,
    IDENTIFY_WITHIN_S,
    NO_SESSION_EVERY_S,
    PROTOCOL_MAJOR,
    FrameKind,
    Header,
    build,
)
from firmware_protocols.tdp.schema import DeviceKind

MOVES: Final = EVENT_WINDOW + 3  # an odd number, behind which a chip lies that lay not, or the other way round
MOVED_S: Final = 1.0  # until a deed of hands is told
_WAITS_S: Final = (QUIET_S, QUIET_S, 3.0)
_TRIES: Final = round(IDENTIFY_WITHIN_S / QUIET_S)
_HELLO: Final = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, 0, 0, 0))
_A_KEY: Final = bytes(range(5, 37))


def before_its_first_session_it_waits(host: Host) -> None:
    """Checks that before the first session of a boot only a correct HELLO opens a session or wakes the device, and that
    the device executes no command.
    """
    host.hand(Deed.POWER, alive=False)
    boot, status, _body = looked_at(host)
    host.boot = boot
    status = _moved(host, status)
    oldest = looked_at(host)[2].oldest_event
    host.watch.expects(host.opening + 1)  # where a wrong HELLO opens its session, that is the break
    _is_asleep(host, status)
    for name, (duty, say) in _WRONG.items():
        host.listen(2 * NO_SESSION_EVERY_S, alive=False)
        say(host)
        heard = host.listen(QUIET_S, alive=False)
        is_denied = {one.header.kind for one in heard} == {FrameKind.NO_SESSION}
        must("3.5" if is_denied else duty, not heard, f"before the first session of a boot, {name}: {shown(heard)}")
        _opened_nothing(host, duty, name)
    for payload in _commands(host):
        host.say(FrameKind.COMMAND, 1, payload, opening=host.opening + 1)
    for opening in (0, host.opening, host.opening + 1):
        host.say(FrameKind.ACK, 1, opening=opening)
    heard = host.listen(SILENCE_S, alive=False)
    must("6.17", not any(map(is_event, heard)), f"before the first session of a boot: {shown(heard)}")
    after = looked_at(host)[1]
    _is_asleep(host, after)
    must("3.7", after == status, f"a COMMAND before the first session of a boot is executed: {after}, before {status}")
    identity = host.open()[0]
    must("3.7", host.ask(host.query) is not None, "COMMAND 1 of the first session is used up by one before it")
    _were_made_in_silence(host, identity.next_event)
    is_there = oldest in host.watch.events or identity.oldest_event <= oldest
    must("3.7", is_there, f"an ACK before the first session takes EVENT {oldest}: {identity}")
    _are_stored(host)


def _are_stored(host: Host) -> None:
    """Checks that the device stores the counts that changed before its first session, so that it has them after the
    next start.
    """
    was = counts(host.status()[0])
    host.hand(Deed.POWER, alive=False)
    now = counts(looked_at(host)[1])
    is_so = now == was or host.schema.kind not in (DeviceKind.SHUFFLER, DeviceKind.SHOE)
    must("9.5", is_so, f"counts of before the first session, behind one more start: {now}, before {was}")
    host.open()


def _were_made_in_silence(host: Host, end: int) -> None:
    """Checks that the events before event `end`, which were made before the first session, have `host_silent` in their
    status.
    """
    told(host, 0)
    for number, body in host.watch.events.items():
        event, status = host.schema.decode_event(body)
        is_so = number >= end or status.host_silent
        must("7.7", is_so, f"EVENT {number}, before the first session of a boot: {event}, {status}")


def _moved(host: Host, before: Any) -> Any:  # noqa: ANN401 (any kind's)
    """Makes hands do something before the first session. Checks that an event reports the change of the status. Returns
    the status.
    """
    newest = looked_at(host)[2].next_event
    is_moved = False
    with suppress(Skipped):
        host.hand(Deed.EVENT, MOVES if host.bench.is_quick else 1, alive=False)
        is_moved = host.schema.kind is DeviceKind.SHUFFLER  # its lid, whatever the status shows behind it
    host.watch.hands = Deed.POWER  # the start is what changes the status by right
    host.listen(MOVED_S, alive=False)
    _boot, status, body = looked_at(host)
    is_told = body.next_event > newest or (status == before and not is_moved)
    must(
        TOLD.get(host.schema.kind, "6.2"), is_told, f"before the first session {status}, and no event, before {before}"
    )
    return status


def looked_at(host: Host) -> tuple[int, Any, rows.IdentityBody]:
    """Returns boot, status and identity of the device. The function asks by a HELLO of another major version, which
    opens no session and is no sign of life.
    """
    for _ in range(_TRIES):
        opening = (host.opening + 9) % U32
        host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), opening=opening, boot=0)
        heard = host.listen(QUIET_S, alive=False, until=partial(_is_identity_of, opening))
        if any(_is_identity_of(opening, one) for one in heard):
            break
    ours = next((one for one in heard if _is_identity_of(opening, one)), None)
    one = there("4.2", ours, "no IDENTITY to a HELLO of another major")
    body, status = host.read_identity(one)
    return one.header.device_boot, status, body


def _is_identity_of(opening: int, one: Heard) -> bool:
    return (one.header.kind, one.header.host_opening) == (FrameKind.IDENTITY, opening)


def _is_asleep(host: Host, status: Any) -> None:  # noqa: ANN401 (any kind's)
    must("7.7", status.host_silent, f"before the first session of a boot the host is not silent: {status}")
    for permission in permissions_of(host):
        must("9.16", permission.is_locked(status), f"before the first session of a boot: {status}")


def _opened_nothing(host: Host, duty: str, name: str) -> None:
    """Checks that no HELLO so far has opened a session: the device refuses a heartbeat of each opening."""
    for opening in (host.opening, host.opening + 1, host.opening + 3, host.opening + 9):
        # The one behind a damaged frame may be lost, and a line may stall.
        heard = next(filter(None, (_heard_by(host, opening, wait_s) for wait_s in _WAITS_S)), [])
        kinds = {one.header.kind for one in heard}
        found = f"before the first session of a boot, behind {name}: {shown(heard)}"
        must("4.13", bool(kinds), found)
        must("7.7", kinds != {FrameKind.NO_SESSION, FrameKind.EVENT}, found)
        must(duty, kinds == {FrameKind.NO_SESSION}, found)


def _heard_by(host: Host, opening: int, wait_s: float) -> list[Heard]:
    host.listen(2 * NO_SESSION_EVERY_S, alive=False)
    host.say(FrameKind.HEARTBEAT, 1, b"\0", opening=opening)
    return host.listen(wait_s, alive=False)


def _commands(host: Host) -> Iterator[bytes]:
    yield host.query
    if host.schema.kind in SWITCHES and (host.moves or host.schema.kind is not DeviceKind.SHUFFLER):
        status = host.schema.decode_status(_block_of(host))
        yield from (host.schema.encode_command(SWITCHES[host.schema.kind].ask(status, on=on)) for on in (True, False))
        yield from (host.schema.encode_command(one.ask(status)) for one in PERMISSIONS.get(host.schema.kind, ()))


def _block_of(host: Host) -> bytes:
    return host.schema.encode_status(looked_at(host)[1])


def _say_major(host: Host) -> None:
    host.say(FrameKind.HELLO, 0, bytes((PROTOCOL_MAJOR + 1, 0)), opening=host.opening + 3, boot=0)
    host.listen(QUIET_S, alive=False)


def _hello(host: Host, payload: bytes = _HELLO, *, boot: int = 0, number: int = 0, key: bytes | None = None) -> None:
    host.say(FrameKind.HELLO, number, payload, opening=host.opening + 1, boot=boot, key=key)


def _say_damaged(host: Host) -> None:
    good = build(Header(FrameKind.HELLO, (host.opening + 1) % U32, 0, 0), _HELLO)
    host.say_bytes(good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:] + DELIMITER)


_WRONG: Final[dict[str, tuple[str, Callable[[Host], None]]]] = {
    "a HELLO of another major": ("4.2", _say_major),
    "a HELLO with the boot": ("3.8", lambda host: _hello(host, boot=host.boot)),
    "a HELLO with the boot before": ("3.8", lambda host: _hello(host, boot=host.boot - 1 or host.boot)),
    "a HELLO with a number": ("3.8", lambda host: _hello(host, number=1)),
    "a HELLO that is too short": ("3.2", lambda host: _hello(host, _HELLO[:-1])),
    "a HELLO that is too long": ("3.2", lambda host: _hello(host, _HELLO + b"\0")),
    "a HELLO with a nonce and no tag": ("3.2", lambda host: _hello(host, _HELLO + bytes(16))),
    "a HELLO with a tag": ("2.2", lambda host: _hello(host, key=_A_KEY)),
    "a damaged HELLO": ("2.5", _say_damaged),
    "a key": ("18.13", lambda host: host.say(FrameKind.PAIR, 0, _A_KEY, opening=host.opening + 1, key=None)),
    "a frame of a device": ("3.2", lambda host: host.say(FrameKind.IDENTITY, 0, _HELLO, opening=host.opening + 1)),
    "a frame of no kind": ("3.2", lambda host: host.say(0x55, 0, _HELLO, opening=host.opening + 1)),
}
"""Frames that are dropped, with the duties to drop them."""
