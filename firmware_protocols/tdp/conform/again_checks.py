"""Checks of PROTOCOL.md, section 5: a refused command stays refused when the same COMMAND comes again, even if the
cause of the refusal has ended.
"""

from typing import Any, Final

from msgspec import Struct

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Broken, Host, Skipped, must
from firmware_protocols.tdp.conform.parts import (
    LOCKS,
    OK,
    PERMISSIONS,
    QUIET_S,
    RECOUNTED_WITHIN_S,
    SWITCHES,
    U16,
    Permission,
    forget_all_but,
    lock_of_shuffler,
    permissions,
    permit,
    with_cards,
)
from firmware_protocols.tdp.link import EVENTS_LOCK
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shuffler import ShufflerStatus

_OF_A_SHUFFLER: Final = ("release_until", "feed_open", "unloading", "jammed", "recounts")


class Said(Struct, frozen=True, gc=False):
    """A command that the device has answered and should not have executed. `result`: the result in the answer."""

    payload: bytes
    result: int


def say(host: Host, message: object) -> Said:
    """Sends `message` as a COMMAND. Returns the payload of the COMMAND, with the result in the device's answer."""
    payload = host.schema.encode_command(message)
    return Said(payload, host.answer(payload).result)


def is_not_done(host: Host, said: Said, when: str) -> None:
    """Repeats the last COMMAND, `said`. Checks that the device answers it with the first result and does not execute
    it. Raises Broken. `when`: the device's present state, in the words of a finding, such as "the lid is shut".
    """
    before = host.status()[0]
    again = host.ask(said.payload, number=host.last_command)
    found = f"{when}, COMMAND {host.last_command} again: {again and again.result}, {said.result} the first time"
    must("5.2", again is not None and again.result == said.result, found)
    host.listen(QUIET_S)
    after = host.status()[0]
    is_same = _what_is_told(after) == _what_is_told(before)
    duty = "5.2" if said.result else "5.5"
    must(duty, is_same, f"{when}, COMMAND {host.last_command} again is executed: {after}, before {before}")


def _what_is_told(status: Any) -> object:  # noqa: ANN401 (any kind's)
    """Returns the fields of a status that a command sets. For a device other than a shuffler, returns the whole status.

    The other fields of a shuffler may change meanwhile, since its last card may still be moving.
    """
    is_shuffler = isinstance(status, ShufflerStatus)
    return [getattr(status, name) for name in _OF_A_SHUFFLER] if is_shuffler else status


def a_lock_under_the_same_number_is_not_done(host: Host) -> None:
    """Checks that the device does not execute a command that locks and comes under the number of the command that has
    given the permission.
    """
    for permission in permissions(host):
        before = permit(host, permission)
        again = host.ask(host.schema.encode_command(_lock(host, before)), number=host.last_command)
        must("5.2", again is not None and again.result == OK, f"COMMAND {host.last_command} again: {again}")
        host.listen(QUIET_S)
        status, newest = host.status()
        is_full = newest - host.watch.acked >= EVENTS_LOCK
        if not is_full and not permission.is_given(status) and _lasts(host, permission):
            found = f"a lock under the number of {permission.name} is executed: {status}, before {before}"
            raise Broken("5.5", found)
        host.apply(_lock(host, status))
        host.listen(QUIET_S)
        forget_all_but(host, _LEFT)


def _lasts(host: Host, permission: Permission) -> bool:
    """True if the device keeps the permission for `QUIET_S` without a lock."""
    permit(host, permission)
    host.listen(QUIET_S)
    return permission.is_given(host.status()[0])


def _lock(host: Host, now: Any) -> object:  # noqa: ANN401 (any kind's status)
    return lock_of_shuffler(now) if host.schema.kind is DeviceKind.SHUFFLER else LOCKS[host.schema.kind](now)


_LEFT: Final = 3


# --- at 48 events


def say_at_48(host: Host) -> Said | None:
    """Sends a command that the device must not execute while 48 events wait, and returns it with its result.

    None, without sending, if the device has no such command.
    """
    kind = host.schema.kind
    if kind not in SWITCHES or (kind is DeviceKind.SHOE and not host.statement.has("lock")):
        return None
    now = host.status()[0]
    if kind is DeviceKind.SHUFFLER:
        return say(host, PERMISSIONS[kind][1].ask(now)) if host.moves else None
    return say(host, SWITCHES[kind].ask(now, on=kind is DeviceKind.SHOE or not SWITCHES[kind].is_on(now)))


# --- at a lid, and in a jam


def a_refusal_is_kept(host: Host) -> None:
    """Checks that a command refused by an open lid is refused again under its number after the lid is closed."""
    host.has("lid")
    with_cards(host)
    for place in range(len(PERMISSIONS[DeviceKind.SHUFFLER]) + host.statement.has("recount")):
        host.hand(Deed.LID_OPEN)
        said = say(host, _wishes(host.status_becomes(lambda now: now.lid_open))[place])
        host.hand(Deed.LID_CLOSE)
        host.status_becomes(lambda now: not now.lid_open)
        if said.result != OK:  # `Watch` says so
            is_not_done(host, said, "the lid is shut")


def _wishes(now: ShufflerStatus) -> list[object]:
    moves = [permission.ask(now) for permission in PERMISSIONS[DeviceKind.SHUFFLER]]
    return [*moves, lock_of_shuffler(now, recount_request=(now.recounts + 1) % U16)]


def a_refused_word_for_a_jam_is_kept(host: Host) -> None:
    """Checks that a refused command to end a jam is refused again under its number after the path is cleared and the
    lid closed.
    """
    with_cards(host)
    host.hand(Deed.JAM)
    if not host.status_becomes(lambda now: now.jammed, RECOUNTED_WITHIN_S).jammed:
        raise Skipped("no-card-inside")
    said = say(host, _word(host))
    host.hand(Deed.CLEAR)
    host.status_becomes(lambda now: not now.path_blocked, RECOUNTED_WITHIN_S)
    if host.statement.has("path_sensors") and said.result != OK:
        is_not_done(host, said, "the path is free")
    if host.statement.has("lid") and host.status()[0].jammed:
        host.hand(Deed.LID_OPEN)
        host.status_becomes(lambda now: now.lid_open)
        said = say(host, _word(host))
        host.hand(Deed.LID_CLOSE)
        host.status_becomes(lambda now: not now.lid_open)
        if said.result != OK:
            is_not_done(host, said, "the lid is shut")
    host.apply(_word(host))


def _word(host: Host) -> object:
    now = host.status()[0]
    return lock_of_shuffler(now, jams_ended=now.jams)
