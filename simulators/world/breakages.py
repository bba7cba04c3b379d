"""Planned faults of devices by number of operation, as the plans that the simulated devices carry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from controller.core.words import Device
from simulators.devices import faults as d
from simulators.devices.cards import RANKS, SUITS
from simulators.world.fault_kinds import FaultKind
from simulators.world.faults import ROWS, Moment, PlannedFault

K = FaultKind


_NOT_COUNTED_BY_DEVICES: Final = frozenset((Moment.SECOND, Moment.ENTRY, Moment.WATCHED, Moment.CHANCE))


@dataclass(frozen=True, slots=True)
class Breakages:
    """The plan of each device, and for each place in it the number of the planned fault."""

    plans: Mapping[Device, d.FaultPlan]
    numbers: Mapping[Device, tuple[int, ...]]


def breakages(planned: Sequence[PlannedFault]) -> Breakages:
    """What of these goes wrong in the devices by itself."""
    rows = [fault for fault in planned if ROWS[fault.kind].moment not in _NOT_COUNTED_BY_DEVICES]
    by_device = {device: [fault for fault in rows if fault.device is device] for device in Device}
    return Breakages(
        {device: d.FaultPlan(tuple(map(_breakage, faults))) for device, faults in by_device.items()},
        {device: tuple(fault.number for fault in faults) for device, faults in by_device.items()},
    )


def _breakage(fault: PlannedFault) -> d.AnyFault:  # noqa: C901 - one case a kind
    at, amount = fault.at, fault.amount
    match fault.kind:
        case K.JAM_AT_FEED | K.JAM_IN_CAROUSEL | K.JAM_AT_MOUTH:
            return d.Jam(at, _SPOTS[fault.kind], cards=amount)
        case K.RETRIED_FEED | K.RETRIED_DEAL:
            return d.Retry(at, _SPOTS[fault.kind], tries=amount)
        case K.DOUBLE_FEED_IN | K.DOUBLE_FEED_OUT:
            return d.DoubleFeed(at, _SPOTS[fault.kind], counted=amount)
        case K.MISCOUNT_IN | K.MISCOUNT_OUT:
            return d.Miscount(at, _SPOTS[fault.kind], counted=0 if fault.share < 0.5 else 2)
        case K.LID_SPRUNG:
            return d.LidSprings(at)
        case K.MISREAD:
            return d.Misread(at)
        case K.WRONG_READ:
            rng = fault.rng
            return d.WrongRead(at, face=rng.choice(RANKS) + rng.choice(SUITS))
        case K.UNSEEN_PASSAGE:
            return d.UnseenPassage(at)
        case K.READER_ERROR:
            return d.ReaderError(at, code=1 + fault.salt % 9)
        case K.DISPLAY_STUCK:
            return d.StuckDisplay(at)
        case K.DISPLAY_FAULT:
            return d.DisplayFault(at, code=1 + fault.salt % 9)
        case _:
            raise ValueError(f"{fault.kind} is no fault of a device's own")


_SPOTS: Final = {
    K.JAM_AT_FEED: d.Spot.FEED,
    K.JAM_IN_CAROUSEL: d.Spot.CAROUSEL,
    K.JAM_AT_MOUTH: d.Spot.MOUTH,
    K.RETRIED_FEED: d.Spot.FEED,
    K.RETRIED_DEAL: d.Spot.MOUTH,
    K.DOUBLE_FEED_IN: d.Spot.FEED,
    K.DOUBLE_FEED_OUT: d.Spot.MOUTH,
    K.MISCOUNT_IN: d.Spot.FEED,
    K.MISCOUNT_OUT: d.Spot.MOUTH,
}
