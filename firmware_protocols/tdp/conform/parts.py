"""What checks of every kind of device need: something to switch, something to permit, more events, a locked end."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from msgspec import structs

from firmware_protocols.tdp.conform.bench import Deed
from firmware_protocols.tdp.conform.line import Event, Heard, Host, Skipped
from firmware_protocols.tdp.conform.told import owed, permits
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.link import EVENT_RETRY_MAX_S, EVENTS_LOCK, SILENT_AFTER_S, FrameKind
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


@dataclass(frozen=True, slots=True)
class Switch:
    """Two states of a device of a kind: what asks for each, and whether a status is the second."""

    ask: Callable[[Any, bool], object]
    is_on: IsSo


SWITCHES: Final[dict[DeviceKind, Switch]] = {
    DeviceKind.SHUFFLER: Switch(lambda now, on: lock_of_shuffler(now, lamp=on), lambda now: now.lamp_lit),
    DeviceKind.SHOE: Switch(lambda _now, on: ShoeApply(locked=not on), lambda now: not now.locked),
    DeviceKind.DISPLAY: Switch(
        lambda now, on: DisplayApply(cents=700 if on else 300),
        lambda now: (now.shown_cents, now.fault_shown) == (700, False),
    ),
    DeviceKind.VALUE_DISPLAY: Switch(lambda _now, on: MarkersApply(red=700 if on else 300), lambda now: now.red == 700),
    DeviceKind.SLOTS: Switch(lambda now, on: SlotsApply(now.collections, lit=int(on)), lambda now: now.lit == 1),
}


def switch_of(host: Host) -> Switch:
    """Raises Skipped where nothing can be switched without cards."""
    if host.schema.kind is DeviceKind.SHOE:
        host.has("lock")
    if host.schema.kind is DeviceKind.SHUFFLER and host.status()[0].jammed:
        raise Skipped("jammed")
    return SWITCHES[host.schema.kind]


def switched(host: Host, *, on: bool) -> bytes:
    """The payload of the COMMAND that asks for it."""
    return host.schema.encode_command(switch_of(host).ask(host.status()[0], on))


# --- something that is permitted, and withdrawn by whatever withdraws


@dataclass(frozen=True, slots=True)
class Permission:
    """What asks for it; whether a status shows it; whether a status shows that all is locked."""

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
        Permission("amount", lambda _now: DisplayApply(100), lambda now: not now.fault_shown, lambda now: now.fault_shown),
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


# --- events


def waiting(host: Host, at_least: int = 1) -> list[Event]:
    """Events that the device repeats now, each once; more are made where fewer wait. Raises Skipped."""
    found = _repeated(host)
    if len(found) < at_least:
        make_events(host, at_least - len(found))
        found = _repeated(host)
    if len(found) < at_least:
        raise Skipped("no-event-waits")
    return found


def _repeated(host: Host) -> list[Event]:
    found = {one.number: one for one in host.events(EVENT_RETRY_MAX_S + QUIET_S)}
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
    return host.status_becomes(lambda now: now.recounts == request, RECOUNTED_WITHIN_S)


def wait_for_events(host: Host, newest: int) -> int:
    """Makes events until this one was made at least; hands make all at once. The newest."""
    now = host.status()[1]
    for _ in range(2 * EVENTS_LOCK):
        if now >= newest:
            break
        by_hands = not (host.schema.kind is DeviceKind.SLOTS or (host.schema.kind is DeviceKind.SHUFFLER and host.moves))
        make_events(host, newest - now if by_hands else 1)
        now = host.status()[1]
    return now


def told(host: Host) -> list[object]:
    """The events that wait, in their order; acknowledged, so that those behind them come."""
    first, newest = host.watch.acked + 1, host.status()[1]
    for number in range(first, newest + 1):
        if number not in host.watch.events:
            host.listen(EVENT_RETRY_MAX_S + QUIET_S, until=lambda one, n=number: one.header.number == n and is_event(one))
        host.acknowledge(number)
    return told_since(host, first - 1)


def told_since(host: Host, number: int) -> list[object]:
    """The events behind this one that were heard."""
    later = sorted(one for one in host.watch.events if one > number)
    return [host.schema.decode_event(host.watch.events[one])[0] for one in later]


def is_event(one: Heard) -> bool:
    return one.header.kind == FrameKind.EVENT


def forget_all_but(host: Host, kept: int) -> None:
    """Acknowledges all waiting events but the last so many."""
    newest = host.status()[1]
    if newest > kept:
        host.acknowledge(newest - kept)


def answers(heard: list[Heard]) -> list[Heard]:
    """Frames that answer something: events come by themselves."""
    return [one for one in heard if not is_event(one)]
