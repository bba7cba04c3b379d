"""The parts for checks of every kind of device: a thing to switch, one to permit, more events, a locked end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Protocol

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import SETTLES_WITHIN_S, Broken, Event, Heard, Host, Skipped, must, there
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.conform.watch import ON_THE_WAY_S
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, SILENT_AFTER_S, FrameKind
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersApply

OK: Final = 0
BAD_COMMAND: Final = 1
REFUSED_HOST_SILENT: Final = 5
QUIET_S: Final = 0.4  # long enough for an answer that must not come
SILENCE_S: Final = SILENT_AFTER_S + 0.3
LATENESS_S: Final = 0.1  # of a line, of this computer
SHOWN_AT_ONCE_S: Final = 0.4  # a lock, a lamp, a flag
RECOUNTED_WITHIN_S: Final = 60.0  # a real carousel
FED_WITHIN_S: Final = 20.0
FEW: Final = 40  # cards that last for a check
U16: Final = 2**16
U32: Final = 2**32

IsSo = Callable[[Any], bool]


def lock_of_shuffler(status: ShufflerStatus, **wishes: bool | int) -> ShufflerApply:
    """Nothing moves, no jam ends, no recount is asked for, the lamp stays; but for these wishes."""
    older_than_a_latched_jam = (status.jams - 1) % U16
    lock = ShufflerApply(
        status.cards_out,
        lamp=status.lamp_lit,
        jams_ended=older_than_a_latched_jam,
        recount_request=status.recounts,
    )
    return structs.replace(lock, **wishes)


LOCKS: Final[dict[DeviceKind, Callable[[Any], object]]] = {
    DeviceKind.SHUFFLER: lambda status: lock_of_shuffler(status, lamp=False),
    DeviceKind.SHOE: lambda _status: ShoeApply(locked=True),
    DeviceKind.DISPLAY: lambda status: DisplayApply(status.shown_cents, fault=True),
}
"""What is said to a device behind each check, so that it is left locked."""


# --- something that can be switched and seen, and moves no card


class Asks(Protocol):
    """A maker of the command for a state, by the device's status."""

    def __call__(self, now: Any, /, *, on: bool) -> object: ...  # noqa: ANN401 (any kind's)


@dataclass(frozen=True, slots=True)
class Switch:
    """Two states of a device of a kind: what asks for each, and whether a status is the second."""

    ask: Asks
    is_on: IsSo

    def is_turned(self, *, on: bool) -> IsSo:
        """The test that a status is the one or the other."""
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
    """Raises Skipped where nothing can be switched without cards; a sensor has nothing that can."""
    if host.schema.kind not in SWITCHES:
        raise Skipped("nothing-to-switch")
    if host.schema.kind is DeviceKind.SHOE:
        host.has("lock")
    if host.schema.kind is DeviceKind.SHUFFLER and host.status()[0].jammed:
        raise Skipped("jammed")
    return SWITCHES[host.schema.kind]


def shows_within_s(host: Host) -> float:
    """When its status must show what was answered OK."""
    is_picture = host.schema.kind in (DeviceKind.DISPLAY, DeviceKind.VALUE_DISPLAY)
    return SETTLES_WITHIN_S if is_picture else SHOWN_AT_ONCE_S + LATENESS_S / 2


def turn(host: Host, *, on: bool) -> None:
    """It is switched so. Raises Skipped where it is not: another check asks for that."""
    switch = switch_of(host)
    host.apply(switch.ask(host.status()[0], on=on))
    if switch.is_on(host.status_becomes(switch.is_turned(on=on))) is not on:
        raise Skipped("not-permitted")


def switched(host: Host, *, on: bool) -> bytes:
    """The payload of the COMMAND that asks for it."""
    return host.schema.encode_command(switch_of(host).ask(host.status()[0], on=on))


# --- something that is permitted, and withdrawn by whatever withdraws


@dataclass(frozen=True, slots=True)
class Permission:
    """The command that asks for it; the test that a status shows it; the test that a status shows all locked."""

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
    ),
}


def permissions(host: Host) -> tuple[Permission, ...]:
    """Raises Skipped where nothing is ever permitted, or nothing can be now."""
    if host.schema.kind not in PERMISSIONS:
        raise Skipped("nothing-to-permit")
    if host.schema.kind is DeviceKind.SHOE:
        host.has("lock")
    if host.schema.kind is DeviceKind.SHUFFLER:
        ready(host)
    return PERMISSIONS[host.schema.kind]


def lasting(host: Host) -> Permission:
    """One that stands for some seconds: a feed with a full hopper makes 48 events in four."""
    first, *others = permissions(host)
    return others[0] if others and host.status()[0].hopper_loaded else first


def permit(host: Host, permission: Permission) -> Any:  # noqa: ANN401 (any kind's status)
    """It stands, and the status with it. Raises Skipped where the device shows none: another check asks for that."""
    if permission.takes_cards:
        with_cards(host)
    host.apply(permission.ask(host.status()[0]))
    status = host.status_becomes(permission.is_given)
    if not permission.is_given(status):
        raise Skipped("not-permitted")
    return status


def ready(host: Host) -> ShufflerStatus:
    """The status of a shuffler that may move cards. Raises Skipped."""
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
    """The status of a shuffler with cards inside: fed, where few are left. Raises Skipped."""
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
    """One goes by a shoe's reader, its lock open. Raises Skipped where none does."""
    if host.statement.has("lock"):
        permit(host, permissions(host)[0])
    before = host.status()[0].passages
    host.hand(Deed.EVENT)
    if host.status_becomes(lambda now: now.passages != before).passages == before:
        raise Skipped("no-card-passed")


# --- events


def waiting(host: Host, at_least: int = 1) -> list[Event]:
    """Events that wait, sent again in a new session; more are made where fewer wait. Raises Skipped."""
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
    """So many more at least, if the device can make them by itself or hands can. Raises Skipped."""
    match host.schema.kind:
        case DeviceKind.SLOTS:
            for _ in range(count):
                host.apply(SlotsApply((host.status()[0].collections + 1) % U16))
        case DeviceKind.SHUFFLER if host.moves and host.statement.has("recount"):
            for _ in range(count):
                recount(host, ready(host))
        case _:
            host.hand(Deed.EVENT, count)


def recount(host: Host, before: ShufflerStatus, **wishes: bool | int) -> ShufflerStatus:
    """One recount made, or what the status is when it was not."""
    request = (before.recounts + 1) % U16
    host.apply(lock_of_shuffler(before, recount_request=request, **wishes))
    made: ShufflerStatus = host.status_becomes(is_counted(request), RECOUNTED_WITHIN_S)
    return made


def is_counted(request: int) -> IsSo:
    """The test that this recount is served."""
    return lambda now: bool(now.recounts == request)


def told(host: Host, since: int) -> list[object]:
    """The events behind this one, in their order; all that wait are heard and acknowledged."""
    hear_through(host, host.status()[1])
    later = sorted(one for one in host.watch.events if one > since)
    return [host.schema.decode_event(host.watch.events[one])[0] for one in later]


def hear_through(host: Host, newest: int) -> None:
    """Each event up to this one is heard, then acknowledged; where one does not come, all are given up."""
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
    """Hears and acknowledges all waiting events but the last so many."""
    hear_through(host, host.status()[1] - kept)


def comes_again(host: Host, duty: str, number: int, found: str) -> None:
    """The event waits still. Raises Broken: of this duty where it is gone, of the repeating where it is only late."""
    if number in {one.number for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}:
        return
    host.say_hello()
    identity = host.read_identity(there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY"))[0]
    must(duty, identity.oldest_event <= number, f"{found}: oldest_event {identity.oldest_event}")
    raise Broken("6.9", f"EVENT {number} waits, and does not come again in {EVENT_RETRY_MAX_S + QUIET_S} s")


def answers(heard: list[Heard]) -> list[Heard]:
    """Frames that answer something that is no HELLO: events come by themselves."""
    return [one for one in heard if one.header.kind not in (FrameKind.EVENT, FrameKind.IDENTITY)]
