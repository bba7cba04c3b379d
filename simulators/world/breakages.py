"""Makes the plans of the faults that simulated devices produce by themselves after a number of operations."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from controller.core.words import Device
from simulators.devices import faults as d
from simulators.devices.cards import RANKS, SUITS
from simulators.world.fault_kinds import FaultKind as K
from simulators.world.faults import PlannedFault

Breakage: TypeAlias = Callable[[PlannedFault], d.AnyFault]
"""Makes the simulated device's fault from a planned fault."""

Broken: TypeAlias = Mapping[Device, Sequence[PlannedFault]]
"""The planned faults of each device, in the order of the device's fault plan."""


def broken_by_device(planned: Sequence[PlannedFault], table: Mapping[K, Breakage]) -> Broken:
    """Returns the planned faults whose kind is in `table`, grouped by device."""
    own = [fault for fault in planned if fault.kind in table]
    return {device: [fault for fault in own if fault.device is device] for device in Device}


def plans_of(broken: Broken, table: Mapping[K, Breakage]) -> Mapping[Device, d.FaultPlan]:
    """Returns the fault plan of each device, with the faults that `broken` gives the device, in the same order."""
    return {device: d.FaultPlan(tuple(table[one.kind](one) for one in faults)) for device, faults in broken.items()}


def _wrong_read(fault: PlannedFault) -> d.WrongRead:
    rng = fault.rng
    return d.WrongRead(fault.at, face=rng.choice(RANKS) + rng.choice(SUITS))


def _card_shown(fault: PlannedFault) -> d.CardShown:
    rng = fault.rng
    return d.CardShown(fault.at, face=rng.choice(RANKS) + rng.choice(SUITS))


def _miscounted(fault: PlannedFault) -> int:
    return 0 if fault.share < 0.5 else 2


OF_CARDS: Final[Mapping[K, Breakage]] = {
    K.JAM_AT_FEED: lambda fault: d.Jam(fault.at, d.Spot.FEED, cards=fault.amount),
    K.JAM_IN_CAROUSEL: lambda fault: d.Jam(fault.at, d.Spot.CAROUSEL, cards=fault.amount),
    K.JAM_AT_MOUTH: lambda fault: d.Jam(fault.at, d.Spot.MOUTH, cards=fault.amount),
    K.RETRIED_FEED: lambda fault: d.Retry(fault.at, d.Spot.FEED, tries=fault.amount),
    K.RETRIED_DEAL: lambda fault: d.Retry(fault.at, d.Spot.MOUTH, tries=fault.amount),
    K.DOUBLE_FEED_IN: lambda fault: d.DoubleFeed(fault.at, d.Spot.FEED, counted=fault.amount),
    K.DOUBLE_FEED_OUT: lambda fault: d.DoubleFeed(fault.at, d.Spot.MOUTH, counted=fault.amount),
    K.MISCOUNT_IN: lambda fault: d.Miscount(fault.at, d.Spot.FEED, counted=_miscounted(fault)),
    K.MISCOUNT_OUT: lambda fault: d.Miscount(fault.at, d.Spot.MOUTH, counted=_miscounted(fault)),
    K.LID_SPRUNG: lambda fault: d.LidSprings(fault.at),
    K.MISREAD: lambda fault: d.Misread(fault.at),
    K.WRONG_READ: _wrong_read,
    K.CARD_SHOWN: _card_shown,
    K.UNSEEN_PASSAGE: lambda fault: d.UnseenPassage(fault.at),
    K.READER_ERROR: lambda fault: d.ReaderError(fault.at, code=1 + fault.salt % 9),
    K.DISPLAY_STUCK: lambda fault: d.StuckDisplay(fault.at),
    K.DISPLAY_FAULT: lambda fault: d.DisplayFault(fault.at, code=1 + fault.salt % 9),
}
