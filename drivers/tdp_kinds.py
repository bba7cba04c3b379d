"""What differs between the kinds of TDP device: codec, words for events, and when a device is as desired."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from typing import Final, Generic, TypeVar

from drivers.events import (
    Desired,
    DeviceStatus,
    DisplayReported,
    RefusalResult,
    Reported,
    ShoeReported,
    ShufflerReported,
)
from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayEvent, DisplayResult, DisplayStatus
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import SHOE, ShoeApply, ShoeEvent, ShoeResult, ShoeStatus
from firmware_protocols.tdp.shuffler import (
    SHUFFLER,
    ShufflerApply,
    ShufflerEvent,
    ShufflerResult,
    ShufflerStatus,
)

StatusT = TypeVar("StatusT", bound=DeviceStatus)
DesiredT = TypeVar("DesiredT", bound=Desired)
EventT = TypeVar("EventT")


@dataclass(frozen=True, slots=True)
class TdpKind(Generic[StatusT, DesiredT, EventT]):
    """One row. `decode_*` and `result` raise FrameError or ValueError for what the tables do not allow."""

    kind: DeviceKind
    desired: type[DesiredT]
    decode_status: Callable[[bytes], StatusT]
    decode_event: Callable[[bytes], tuple[EventT, StatusT]]
    encode_desired: Callable[[DesiredT], bytes]
    result: Callable[[int], RefusalResult]
    report: Callable[[int, int, EventT, StatusT], Reported]
    is_as_desired: Callable[[DesiredT, StatusT], bool]
    beside_counts: Callable[[StatusT], object]  # what stays as it is when cards pass and nothing else changes
    tells_each_status: bool = False  # also one that says the same again


def _shuffler_is_as_desired(desired: ShufflerApply, status: ShufflerStatus) -> bool:
    return (
        status.release_until == desired.release_until
        and status.feed_open == desired.feed_open
        and status.unloading == desired.unload
        and status.lamp_lit == desired.lamp
        and status.recounts == desired.recount_request
        and not (status.jammed and _is_reached(desired.jams_ended, status.jams))
    )


def _is_reached(ended: int, jams: int) -> bool:
    """Whether jam number `jams` is among those ended, in 16-bit serial arithmetic."""
    return (ended - jams) % 2**16 < 2**15


def _shoe_is_as_desired(desired: ShoeApply, status: ShoeStatus) -> bool:
    return status.locked == desired.locked


def _display_is_as_desired(desired: DisplayApply, status: DisplayStatus) -> bool:
    return status.shown_cents == desired.cents and status.fault_shown == desired.fault


def _all_but(status: type[DeviceStatus], *counts: str) -> Callable[[DeviceStatus], object]:
    """Reads every field but these."""
    return attrgetter(*(name for name in status.__struct_fields__ if name not in counts))


TDP_SHUFFLER: Final[TdpKind[ShufflerStatus, ShufflerApply, ShufflerEvent]] = TdpKind(
    kind=DeviceKind.SHUFFLER,
    desired=ShufflerApply,
    decode_status=SHUFFLER.decode_status,
    decode_event=SHUFFLER.decode_event,
    encode_desired=SHUFFLER.encode_command,
    result=ShufflerResult,
    report=ShufflerReported,
    is_as_desired=_shuffler_is_as_desired,
    beside_counts=_all_but(ShufflerStatus, "cards_in", "cards_out", "inside"),
)
TDP_SHOE: Final[TdpKind[ShoeStatus, ShoeApply, ShoeEvent]] = TdpKind(
    kind=DeviceKind.SHOE,
    desired=ShoeApply,
    decode_status=SHOE.decode_status,
    decode_event=SHOE.decode_event,
    encode_desired=SHOE.encode_command,
    result=ShoeResult,
    report=ShoeReported,
    is_as_desired=_shoe_is_as_desired,
    beside_counts=_all_but(ShoeStatus, "passages"),
    tells_each_status=True,  # that no card has passed since is evidence about a card that was not seen
)
TDP_DISPLAY: Final[TdpKind[DisplayStatus, DisplayApply, DisplayEvent]] = TdpKind(
    kind=DeviceKind.DISPLAY,
    desired=DisplayApply,
    decode_status=DISPLAY.decode_status,
    decode_event=DISPLAY.decode_event,
    encode_desired=DISPLAY.encode_command,
    result=DisplayResult,
    report=DisplayReported,
    is_as_desired=_display_is_as_desired,
    beside_counts=_all_but(DisplayStatus),
)
