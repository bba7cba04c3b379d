"""The kinds of device, one row for each: its driver, its protocols, and two translations.

One translation turns the core's wishes into commands for the driver. The other turns reports that mean the same at
every table into facts. Other modules have the rest of a kind: the core's state of it (core/house/state.py), the facts
on cards or spins (translate.py, games/roulette.py), the answers to its events (event_answers.py), its simulator
(simulators/device_kinds.py). A test compares these modules.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum, unique
from typing import Any, Final, assert_never

from msgspec import Struct, field

from controller.core.choices import Machine
from controller.core.engine.act import Fact, Source
from controller.core.house import facts
from controller.core.house.wanted import DisplayDesired, MarkersDesired, ShoeDesired, ShufflerDesired, SlotsDesired
from controller.core.words import Device
from controller.devices.saying import Says, nothing_more, of_markers, of_sign
from controller.devices.telling import Identify, Telling, Tellings, bits_of, in_slots, of_display, on_sign, word
from drivers.events import WrittenStatus
from drivers.tdp_kinds import TDP_DISPLAY, TDP_SHOE, TDP_SHUFFLER, TDP_SLOTS, TDP_VALUE_DISPLAY, TdpKind
from drivers.wishes import Desired, ShufflerWish
from firmware_protocols.tdp.display import DisplayApply, DisplayEvent, DisplayStatus
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.slots import SlotsApply, SlotsChanged, SlotsEvent, SlotsStarted, SlotsStatus
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
        """True if a device of this protocol reports its identity. A device of another protocol is identified only by
        its port.
        """
        return self is Protocol.TDP


class KindRow(Struct, frozen=True):
    """The row of one kind of device. `wish`: translates the core's wish for the driver; None for a sensor, which gets
    no wish.
    """

    device: Device
    tdp: TdpKind[Any, Any, Any] | None  # None: no device of this kind speaks TDP
    protocols: tuple[Protocol, ...]
    wish: Callable[[Any], Desired] | None
    stands_at: tuple[Machine, ...]  # a table with one of these machines may have the device
    tellings: Tellings = field(default_factory=dict)  # facts of every table; games have those on cards and spins
    says: Says = nothing_more  # the sentence to people while the device is connected

    @property
    def kind(self) -> DeviceKind | None:
        """Returns the kind's identifier in TDP. Returns None for a kind that never speaks TDP."""
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


def _sign_tells(
    source: Source, status: DisplayStatus, event: DisplayEvent, _identify: Identify[Any]
) -> facts.DeviceStarted | facts.DisplayFaulted:
    return of_display(Device.JACKPOT_DISPLAY, source, event, on_sign(status))


def _slots_tell(source: Source, told: SlotsStatus, event: SlotsEvent, _identify: Identify[Any]) -> Fact:
    match event:
        case SlotsStarted():
            return facts.DeviceStarted(Device.JACKPOT_SLOTS, source, word(event.cause.name), slots=in_slots(told))
        case SlotsChanged():
            return facts.SlotsChanged(source, in_slots(told))
        case _:
            assert_never(event)


_SIGN: Final = Telling(_sign_tells, lambda status: facts.DisplayStatusHeard(on_sign(status)))
WITH_CARDS: Final = (Machine.SHUFFLER, Machine.SHOE, Machine.BOX)

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
            WITH_CARDS,
            {DisplayStatus: _SIGN, WrittenStatus: _SIGN},
            says=of_sign,
        ),
        KindRow(Device.ROULETTE_WHEEL, None, (Protocol.CAMMEGH,), None, (Machine.NONE,)),
        KindRow(
            Device.VALUE_DISPLAY, TDP_VALUE_DISPLAY, (Protocol.TDP,), _of_markers, (Machine.NONE,), says=of_markers
        ),
        KindRow(
            Device.JACKPOT_SLOTS,
            TDP_SLOTS,
            (Protocol.TDP,),
            _of_slots,
            WITH_CARDS,
            {SlotsStatus: Telling(_slots_tell, lambda status: facts.SlotsStatusHeard(in_slots(status)))},
        ),
    )
}

HOUSE_TELLINGS: Final[Tellings] = {
    status: telling for row in KINDS.values() for status, telling in row.tellings.items()
}
"""The translations that are the same at every table, by the type of a report's status."""

TDP_KINDS: Final[Mapping[DeviceKind, TdpKind[Any, Any, Any]]] = {
    row.tdp.schema.kind: row.tdp for row in KINDS.values() if row.tdp
}
"""The TDP row of each kind of device that can speak TDP, by the kind's identifier in TDP."""


def device_of(kind: DeviceKind | None) -> Device:
    """Returns the device whose identifier in TDP is `kind`.

    For None returns the roulette wheel, the only device that never speaks TDP.
    """
    return next(row.device for row in KINDS.values() if row.kind is kind)


def tdp_of(device: Device) -> TdpKind[Any, Any, Any]:
    """Returns the description of `device` in TDP, which drivers and simulators use.

    Raises KeyError for a device that never speaks TDP.
    """
    tdp = KINDS[device].tdp
    if tdp is None:
        raise KeyError(device)
    return tdp
