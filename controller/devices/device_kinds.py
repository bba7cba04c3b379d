"""The kinds of device, one row for each: which driver speaks to it over which wires, and what the core wants of it.

The rest of a kind stands with those who know it: what the core knows (core/house/state.py), what it tells as facts
(translate.py) and what becomes of them (event_answers.py), what stands in its place in a simulated table
(simulators/device_kinds.py). A test holds these tables against each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Any, Final

from controller.core.choices import Machine
from controller.core.house.wanted import DisplayDesired, MarkersDesired, ShoeDesired, ShufflerDesired, SlotsDesired
from controller.core.words import Device
from controller.devices.telling import bits_of
from drivers.tdp_kinds import TDP_DISPLAY, TDP_SHOE, TDP_SHUFFLER, TDP_SLOTS, TDP_VALUE_DISPLAY, TdpKind
from drivers.wishes import Desired, ShufflerWish
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import MarkersApply


@unique
class Protocol(StrEnum):
    """The wire formats that a device can speak."""

    TDP = "tdp"
    ALPHA = "alpha"
    ANGEL_EYE = "angel-eye"
    CAMMEGH = "cammegh"

    @property
    def proves_identity(self) -> bool:
        """Whether a device that speaks it can say who it is; one that cannot is known by its physical port alone."""
        return self is Protocol.TDP


@dataclass(frozen=True, slots=True)
class KindRow:
    """One kind. `wish` puts what the core wants into the driver's words; None: a sensor, of which nothing is wanted."""

    device: Device
    tdp: TdpKind[Any, Any, Any] | None  # None: no device of this kind speaks TDP
    protocols: tuple[Protocol, ...]
    wish: Callable[[Any], Desired] | None
    stands_at: tuple[Machine, ...]  # tables whose cards are dealt from this may have one

    @property
    def kind(self) -> DeviceKind | None:
        """What it says on the wire that it is."""
        return None if self.tdp is None else self.tdp.schema.kind


def _of_shuffler(wanted: ShufflerDesired) -> ShufflerWish:
    return ShufflerWish(
        release_after=wanted.release_after,
        feed_open=wanted.feed_open,
        unload=wanted.unload,
        lamp=wanted.lamp,
        jams_ended=wanted.jams_ended,
        recount_request=wanted.recount_request,
    )


def _of_shoe(wanted: ShoeDesired) -> ShoeApply:
    return ShoeApply(locked=wanted.locked)


def _of_display(wanted: DisplayDesired) -> DisplayApply:
    return DisplayApply(cents=wanted.amount_cents, fault=wanted.fault)


def _of_markers(wanted: MarkersDesired) -> MarkersApply:
    return MarkersApply(*wanted.values)


def _of_slots(wanted: SlotsDesired) -> SlotsApply:
    return SlotsApply(wanted.collection, *map(bits_of, (wanted.seats, wanted.lit, wanted.blinking)))


KINDS: Final[Mapping[Device, KindRow]] = {
    row.device: row
    for row in (
        KindRow(Device.SHUFFLER, TDP_SHUFFLER, (Protocol.TDP,), _of_shuffler, (Machine.SHUFFLER,)),
        KindRow(
            Device.SHOE,
            TDP_SHOE,
            (Protocol.TDP, Protocol.ANGEL_EYE),
            _of_shoe,
            (Machine.SHUFFLER, Machine.SHOE),  # the reader is at the shuffler's mouth
        ),
        KindRow(
            Device.JACKPOT_DISPLAY,
            TDP_DISPLAY,
            (Protocol.TDP, Protocol.ALPHA),
            _of_display,
            (Machine.SHUFFLER, Machine.SHOE, Machine.BOX),
        ),
        KindRow(Device.ROULETTE_WHEEL, None, (Protocol.CAMMEGH,), None, (Machine.NONE,)),
        KindRow(Device.VALUE_DISPLAY, TDP_VALUE_DISPLAY, (Protocol.TDP,), _of_markers, (Machine.NONE,)),
        KindRow(
            Device.JACKPOT_SLOTS,
            TDP_SLOTS,
            (Protocol.TDP,),
            _of_slots,
            (Machine.SHUFFLER, Machine.SHOE, Machine.BOX),
        ),
    )
}


def device_of(kind: DeviceKind | None) -> Device:
    """The device that says on the wire that it is of this kind."""
    return next(row.device for row in KINDS.values() if row.kind is kind)


def kind_of(device: Device) -> DeviceKind:
    """What a device says over TDP that it is. Raises KeyError for one that never speaks it."""
    kind = KINDS[device].kind
    if kind is None:
        raise KeyError(device)
    return kind
