"""The wishes: the states that the devices should have, computed from the table's state by one row for each kind.

The shell sends commands until a device has the wished state. Each wish names the device for which it is meant.
`safest_by` joins two wishes, the last durable and the latest: the joined wish permits only what both permit, and
protects if either protects. A kind of device that takes no commands (a sensor) has no row. A row may name the parts of
the state that it reads; then its wish is computed again only if one of them is another object.
"""

from collections.abc import Callable, Mapping
from operator import attrgetter, is_
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from msgspec import Struct

from controller.core.house.hold_table import hold_rule
from controller.core.house.promised import is_sign_in_fault, promised_cents
from controller.core.house.state import Link, State, StateT
from controller.core.words import Cents, Device


class Basis(Struct, frozen=True, gc=False):
    """The device for which a wish is meant, by serial number and boot."""

    serial: str
    boot: int


class DeviceDesired(Struct, frozen=True, gc=False):
    """The wish for one device: a whole state, so that repeating it changes nothing. Each kind adds its own fields."""

    basis: Basis


class ShufflerDesired(DeviceDesired, frozen=True, gc=False):
    release_after: int | None  # one card may leave while the device's cards_out has this value; None: locked
    feed_open: bool
    unload: bool
    lamp: bool
    jams_ended: int
    recount_request: int


class ShoeDesired(DeviceDesired, frozen=True, gc=False):
    locked: bool


class DisplayDesired(DeviceDesired, frozen=True, gc=False):
    amount_cents: int
    fault: bool


class MarkersDesired(DeviceDesired, frozen=True, gc=False):
    values: tuple[Cents, ...]  # by colour; 0: blank


class SlotsDesired(DeviceDesired, frozen=True, gc=False):
    collection: int  # the number of the last collection that it should have made
    seats: tuple[int, ...]  # the players whose chips it collects
    lit: tuple[int, ...]
    blinking: tuple[int, ...]


class Desired(Struct, frozen=True, gc=False):
    """The wishes for the jam lamp and for every device that accepts commands."""

    lamp: bool
    devices: Mapping[Device, DeviceDesired]


DesiredT = TypeVar("DesiredT", bound=DeviceDesired)


class Beside(Struct, Generic[StateT, DesiredT], frozen=True):
    """A wish that follows from the state and the wish for the device `other`, at a table with that device."""

    other: Device
    desired: Callable[[StateT, Any], DesiredT]


class DeviceRule(Struct, Generic[StateT, DesiredT], frozen=True):
    """The row of one kind of device: its wish at a state, and the safest of two wishes (durable and latest)."""

    device: Device
    desired: Callable[[StateT], DesiredT]
    safest: Callable[[DesiredT, DesiredT], DesiredT]
    beside: Beside[StateT, DesiredT] | None = None
    reads: Callable[[State], tuple[object, ...]] | None = None  # the only parts that the wish follows from; None: any


DeviceRules: TypeAlias = tuple[DeviceRule[Any, Any], ...]


class Wished(NamedTuple):
    """A state, and the wishes that follow from it."""

    state: State
    wishes: Desired


def basis_of(link: Link) -> Basis:
    """Serial number and boot of the device at this link."""
    return Basis(link.serial, link.boot)


def lamp_is_wanted(state: State) -> bool:
    """True if an open hold lights the lamp."""
    return bool(state.house.holds) and any(hold_rule(hold.kind).lights_lamp for hold in state.house.holds)


def desired_by(rules: DeviceRules, state: State, before: Wished | None = None) -> Desired:
    """The wishes for all devices at this state. `before`: an earlier state with its wishes; a row keeps its wish if the
    parts that it reads are unchanged.
    """
    wanted: dict[Device, DeviceDesired] = {}
    for rule in rules:
        if before is not None and rule.reads is not None and all(map(is_, rule.reads(before.state), rule.reads(state))):
            wanted[rule.device] = before.wishes.devices[rule.device]
        elif rule.beside is not None and rule.beside.other in wanted:
            wanted[rule.device] = rule.beside.desired(state, wanted[rule.beside.other])
        else:
            wanted[rule.device] = rule.desired(state)
    return Desired(lamp_is_wanted(state), wanted)


def safest_by(rules: DeviceRules, permitted: Desired, latest: Desired) -> Desired:
    """The joined wishes of two. They permit only what both wishes permit for the same device and boot, and protect if
    either wish protects. `permitted`: the wishes at the last durable state. `latest`: the wishes at the latest state.
    """
    safest: dict[Device, DeviceDesired] = {}
    for rule in rules:
        was, now = permitted.devices[rule.device], latest.devices[rule.device]
        safest[rule.device] = now if was == now else rule.safest(was, now)
    return Desired(permitted.lamp or latest.lamp, safest)


def _display(state: State) -> DisplayDesired:
    """The wish for the sign: the promised amount in cents, and its fault message while the sign is in fault."""
    basis = basis_of(state.devices.display.link)
    return DisplayDesired(basis, amount_cents=promised_cents(state) or 0, fault=is_sign_in_fault(state))


def _safest_of_display(permitted: DisplayDesired, latest: DisplayDesired) -> DisplayDesired:
    return DisplayDesired(latest.basis, permitted.amount_cents, fault=latest.fault or permitted.fault)


DISPLAY_RULE: DeviceRule[Any, DisplayDesired] = DeviceRule(
    Device.JACKPOT_DISPLAY,
    _display,
    _safest_of_display,
    reads=attrgetter("setup", "house.holds", "house.pool", "house.linked", "devices.display"),
)
