"""Helpers for the checks of all kinds of device: a state to switch, permissions, more events, a lock at the end."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from msgspec import Struct, structs

from firmware_protocols.tdp.conform.arrivals import ON_THE_WAY_S
from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import (
    SETTLES_WITHIN_S,
    Broken,
    Event,
    Heard,
    Host,
    Skipped,
    must,
    there,
)
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, EVENT_RETRY_S, SILENT_AFTER_S, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersApply

OK: Final = 0
BAD_COMMAND: Final = 1
REFUSED_HOST_SILENT: Final = 5
QUIET_S: Final = 0.4  # long enough for a forbidden answer to come
SILENCE_S: Final = SILENT_AFTER_S + 0.3
LATENESS_S: Final = 0.1  # of the line and of this computer
SHOWN_AT_ONCE_S: Final = 0.4  # for a lock, a lamp, a flag
RECOUNTED_WITHIN_S: Final = 60.0  # as long as a real carousel takes
FED_WITHIN_S: Final = 20.0
FEW: Final = 40  # cards that are enough for a check
U16: Final = 2**16
U32: Final = 2**32

IsSo = Callable[[Any], bool]


def lock_of_shuffler(status: ShufflerStatus, **wishes: bool | int) -> ShufflerApply:
    """The command that moves no card, ends no jam, asks for no recount and keeps the lamp. `wishes`: other fields."""
    older_than_a_latched_jam = (status.jams - 1) % U16
    lock = ShufflerApply(
        status.cards_out,
        lamp=status.lamp_lit,
        jams_ended=older_than_a_latched_jam,
        recount_request=status.recounts,
    )
    return structs.replace(lock, **wishes)


LOCKS: Final[dict[DeviceKind, Callable[[Any], object]]] = {
    DeviceKind.SHUFFLER: lambda status: lock_of_shuffler(status, lamp=not status.lamp_lit),
    DeviceKind.SHOE: lambda _status: ShoeApply(locked=True),
    DeviceKind.DISPLAY: lambda status: DisplayApply(status.shown_cents, fault=True),
}
"""The command that leaves a device of each kind locked; it is sent after each check.

A shuffler's command also turns its lamp on or off, so that each check begins with another lamp than the one before, and
finds out where its own acts change the lamp.
"""


# --- a state that can be switched and seen, and moves no card


class Asks(Protocol):
    """A function that makes the command for one of the two states of a switch (`on`), given the device's status."""

    def __call__(self, now: Any, /, *, on: bool) -> object: ...  # noqa: ANN401 (any kind's)


class Switch(Struct, frozen=True):
    """Two states of a device, on and off. `ask`: makes the command for one. `is_on`: tests a status for the first."""

    ask: Asks
    is_on: IsSo

    def is_turned(self, *, on: bool) -> IsSo:
        """Returns a test that a status shows the state on or, if not `on`, the state off."""
        return lambda now: self.is_on(now) is on


SWITCHES: Final[dict[DeviceKind, Switch]] = {
    DeviceKind.SHUFFLER: Switch(lambda now, *, on: lock_of_shuffler(now, lamp=on), lambda now: now.lamp_lit),
    DeviceKind.SHOE: Switch(lambda _now, *, on: ShoeApply(locked=not on), lambda now: not now.locked),
    DeviceKind.DISPLAY: Switch(
        lambda _now, *, on: DisplayApply(cents=700 if on else 300),
        lambda now: (now.shown_cents, now.fault_shown) == (700, False),
    ),
    DeviceKind.VALUE_DISPLAY: Switch(
        lambda _now, *, on: MarkersApply(red=700 if on else 300), lambda now: now.red == 700
    ),
    DeviceKind.SLOTS: Switch(lambda now, *, on: SlotsApply(now.collections, lit=int(on)), lambda now: now.lit == 1),
}


def switch_of(host: Host) -> Switch:
    """The two states between which the checks switch this kind of device. Raises Skipped for a sensor, for a shoe
    without a lock, and for a jammed shuffler.
    """
    if host.schema.kind not in SWITCHES:
        raise Skipped("nothing-to-switch")
    if host.schema.kind is DeviceKind.SHOE:
        host.has("lock")
    if host.schema.kind is DeviceKind.SHUFFLER and host.status()[0].jammed:
        raise Skipped("jammed")
    return SWITCHES[host.schema.kind]


def shows_within_s(host: Host) -> float:
    """The seconds within which a status must show the effect of a command answered OK."""
    is_picture = host.schema.kind in (DeviceKind.DISPLAY, DeviceKind.VALUE_DISPLAY)
    return SETTLES_WITHIN_S if is_picture else SHOWN_AT_ONCE_S + LATENESS_S / 2


def turn(host: Host, *, on: bool) -> None:
    """Switches the device to the state on or off, and waits until the status shows it.

    Raises Skipped if the device has no such states, or if the status does not follow, which another check judges.
    Raises Broken without an answer.
    """
    switch = switch_of(host)
    host.apply(switch.ask(host.status()[0], on=on))
    if switch.is_on(host.status_becomes(switch.is_turned(on=on))) is not on:
        raise Skipped("not-permitted")


def switched(host: Host, *, on: bool) -> bytes:
    """The payload of the COMMAND that switches the device to the state on or off.

    Raises Skipped if the device has no such states, Broken without an answer.
    """
    return host.schema.encode_command(switch_of(host).ask(host.status()[0], on=on))


# --- a permission, and the states that withdraw it


class Permission(Struct, frozen=True):
    """A permission that a device can get. `ask`: makes the command for the permission. `is_given`: True if a status
    shows the permission. `is_locked`: True if a status shows a complete lock. `takes_cards`: True if the permission
    needs cards inside.
    """

    name: str
    ask: Callable[[Any], object]
    is_given: IsSo
    is_locked: IsSo
    takes_cards: bool = False


def _locked_shuffler(status: ShufflerStatus) -> bool:
    return not permits(status)


_SHUFFLERS: Final = (
    Permission("feed", lambda now: lock_of_shuffler(now, feed_open=True), lambda now: now.feed_open, _locked_shuffler),
    Permission(
        "release",
        lambda now: lock_of_shuffler(now, release_until=(now.cards_out + 200) % U32),
        lambda now: owed(now) > 0,
        _locked_shuffler,
        takes_cards=True,
    ),
    Permission(
        "unload",
        lambda now: lock_of_shuffler(now, unload=True),
        lambda now: now.unloading,
        _locked_shuffler,
        takes_cards=True,
    ),
)
PERMISSIONS: Final[dict[DeviceKind, tuple[Permission, ...]]] = {
    DeviceKind.SHUFFLER: _SHUFFLERS,
    DeviceKind.SHOE: (
        Permission("unlock", lambda _now: ShoeApply(locked=False), lambda now: not now.locked, lambda now: now.locked),
    ),
    DeviceKind.DISPLAY: (
        Permission(
            "amount", lambda _now: DisplayApply(100), lambda now: not now.fault_shown, lambda now: now.fault_shown
        ),
        Permission(
            "amount of 0", lambda _now: DisplayApply(0), lambda now: not now.fault_shown, lambda now: now.fault_shown
        ),
    ),
}


def permissions(host: Host) -> tuple[Permission, ...]:
    """The permissions that this kind of device can get. Raises Skipped for a kind without permissions, and if no
    permission can be given now.
    """
    if host.schema.kind not in PERMISSIONS:
        raise Skipped("nothing-to-permit")
    if host.schema.kind is DeviceKind.SHOE:
        host.has("lock")
    if host.schema.kind is DeviceKind.SHUFFLER:
        ready(host)
    return PERMISSIONS[host.schema.kind]


def permissions_of(host: Host) -> tuple[Permission, ...]:
    """The permissions that this kind of device can get, in any state of the device; empty if the kind has none."""
    has_lock = host.schema.kind is not DeviceKind.SHOE or host.statement.has("lock")
    return PERMISSIONS.get(host.schema.kind, ()) if has_lock else ()


def lasting(host: Host) -> Permission:
    """A permission that lasts for some seconds: the first of this kind of device. Raises Skipped like `permissions`.

    A shuffler with a loaded hopper gets its second, since the first, the feed, makes 48 events within 4 s and then
    ends.
    """
    first, *others = permissions(host)
    return others[0] if others and getattr(host.status()[0], "hopper_loaded", False) else first


def permit(host: Host, permission: Permission) -> Any:  # noqa: ANN401 (any kind's status)
    """Gives the device the permission, and returns the status that shows it. Raises Skipped if no status shows it,
    which another check judges. Raises Broken without an answer.
    """
    if permission.takes_cards:
        with_cards(host)
    host.apply(permission.ask(host.status()[0]))
    status = host.status_becomes(permission.is_given)
    if not permission.is_given(status):
        raise Skipped("not-permitted")
    return status


def ready(host: Host) -> ShufflerStatus:
    """The status of a shuffler that can move cards now. Raises Skipped if the shuffler cannot move cards."""
    status: ShufflerStatus = host.status()[0]
    for is_so, why in (
        (status.jammed, "jammed"),
        (status.lid_open, "lid-open"),
        (status.counts_unknown, "counts-unknown"),
    ):
        if is_so:
            raise Skipped(why)
    return status


def with_cards(host: Host) -> ShufflerStatus:
    """The status of a shuffler with cards inside. If only a few cards are inside, first has the shuffler feed more.
    Raises Skipped.
    """
    before = ready(host)
    if before.inside < FEW:
        host.apply(lock_of_shuffler(before, feed_open=True))
        if not host.status()[0].hopper_loaded:
            host.load()
        now = host.status_becomes(lambda one: one.inside >= FEW, FED_WITHIN_S)
        host.apply(lock_of_shuffler(now))
        host.listen(QUIET_S)
        forget_all_but(host, 3)
    now = ready(host)
    if not now.inside:
        raise Skipped("no-card-inside")
    return now


def let_a_card_pass(host: Host) -> None:
    """Unlocks a shoe and has a card pass its reader. Raises Skipped if no card passes."""
    if host.statement.has("lock"):
        permit(host, permissions(host)[0])
    before = host.status()[0].passages
    host.hand(Deed.EVENT)
    if host.status_becomes(lambda now: now.passages != before).passages == before:
        raise Skipped("no-card-passed")


def stays_locked(host: Host, permission: Permission, was: Any, duty: str, when: str) -> None:  # noqa: ANN401
    host.listen(1.0)
    status = host.status()[0]
    must(duty, permission.is_locked(status), f"{permission.name} comes back when {when}: {status}")
    must(duty, out_of(status) <= out_of(was) + 1, f"cards leave behind the lock: {status}, before {was}")


def out_of(status: object) -> int:
    """The number of cards that have left a shuffler; 0 for any other kind of device.

    The caller must allow one card more, since a moving card may still leave after a lock.
    """
    return status.cards_out if isinstance(status, ShufflerStatus) else 0


# --- events


def waiting(host: Host, at_least: int = 1) -> list[Event]:
    """Opens a new session and returns the waiting events, which the device sends again in it. Makes more events first
    if fewer than `at_least` wait. Raises Skipped.
    """
    few = at_least - (host.status()[1] - host.watch.acked)
    if few > 0:
        make_events(host, few)
    host.open()
    found = {one.number: one for one in host.events(ON_THE_WAY_S)}
    if len(found) < at_least:
        wait = host.status()[1] - host.watch.acked
        must("4.6", wait < at_least, f"{wait} events wait, {len(found)} are sent in a new session")
        raise Skipped("no-event-waits")
    return [found[number] for number in sorted(found)]


def make_events(host: Host, count: int) -> None:
    """Makes the device or hands cause at least `count` events. Raises Skipped if device and hands cannot."""
    match host.schema.kind:
        case DeviceKind.SLOTS:
            for _ in range(count):
                now = host.status()[0]
                host.apply(SlotsApply((now.collections + 1) % U16, lit=now.lit, blinking=now.blinking))
        case DeviceKind.SHUFFLER if host.moves and host.statement.has("recount"):
            for _ in range(count):
                recount(host, ready(host))
        case _:
            newest = host.status()[1]
            host.hand(Deed.EVENT, count)
            is_told = host.schema.kind is not DeviceKind.SHUFFLER or host.status()[1] >= newest + 2 * count
            must("10.33", is_told, f"a lid was moved {count} times, {host.status()[1] - newest} events")


def recount(host: Host, before: ShufflerStatus, **wishes: bool | int) -> ShufflerStatus:
    """Makes the shuffler recount once and returns the status after the recount. Returns the shuffler's last status if
    it does not recount. `wishes`: further fields of the command.
    """
    request = (before.recounts + 1) % U16
    host.apply(lock_of_shuffler(before, recount_request=request, **wishes))
    made: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    return made


def is_counted(request: int) -> IsSo:
    """Returns a test that a status shows the recount with the number `request` as done."""
    return lambda now: bool(now.recounts == request)


def told(host: Host, since: int) -> list[object]:
    """Returns the events after event `since`, decoded, in order. First receives and acknowledges all waiting events."""
    host.listen(EVENT_RETRY_S + LATENESS_S if host.status()[1] > host.watch.acked else 0.0)
    hear_through(host, host.status()[1])
    later = sorted(one for one in host.watch.events if one > since)
    return [host.schema.decode_event(host.watch.events[one])[0] for one in later]


def hear_through(host: Host, newest: int) -> None:
    """Receives and acknowledges the events up to `newest`. Leaves out an event that does not come."""
    for number in range(host.watch.acked + 1, newest + 1):
        if number not in host.watch.events:
            host.listen(EVENT_RETRY_MAX_S + QUIET_S, until=_is_number(number))
        if number not in host.watch.events:
            break
        host.acknowledge(number)
    if newest > host.watch.acked:
        host.acknowledge(newest)


def _is_number(number: int) -> Callable[[Heard], bool]:
    return lambda one: one.header.number == number and is_event(one)


def is_event(one: Heard) -> bool:
    return one.header.kind == FrameKind.EVENT


def forget_all_but(host: Host, kept: int) -> None:
    """Receives and acknowledges all waiting events but the last `kept`."""
    hear_through(host, host.status()[1] - kept)


def comes_again(host: Host, duty: str, number: int, found: str) -> None:
    """Raises Broken if the device does not repeat event `number`: for `duty` if the device has dropped the event, for
    6.9 if the event still waits. `found`: the words of the finding.
    """
    if number in {one.number for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}:
        return
    host.say_hello()
    identity = host.read_identity(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY"))[0]
    must(duty, identity.oldest_event <= number, f"{found}: oldest_event {identity.oldest_event}")
    raise Broken("6.9", f"EVENT {number} waits, and does not come again in {EVENT_RETRY_MAX_S + QUIET_S} s")


def answers(heard: list[Heard]) -> list[Heard]:
    """The frames in `heard` that answer frames other than HELLO. Leaves out EVENTs, which come unasked."""
    return [one for one in heard if one.header.kind not in (FrameKind.EVENT, FrameKind.IDENTITY)]
