"""The driver's knowledge of each kind of TDP device: its messages, and the way in which a wish becomes a command.

A command permits nothing that the newest status contradicts. A lock repeats the count in the status. A release goes
only to a device with the count that the wish names. The driver ends only a jam that the device has counted.
"""

from collections.abc import Callable
from operator import attrgetter
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from drivers.events import DeviceStatus
from drivers.wishes import Desired, ShufflerWish
from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayStatus
from firmware_protocols.tdp.schema import DeviceSchema
from firmware_protocols.tdp.shoe import SHOE, ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import SHUFFLER, ShufflerApply, ShufflerStatus
from firmware_protocols.tdp.slots import SLOTS, SlotsApply, SlotsStatus
from firmware_protocols.tdp.value_display import VALUE_DISPLAY, Markers, MarkersApply, MarkersStatus

StatusT = TypeVar("StatusT", bound=DeviceStatus)
DesiredT = TypeVar("DesiredT", bound=Desired)
CommandT = TypeVar("CommandT", bound=Struct)


class Guidance(Struct, Generic[StatusT, DesiredT, CommandT], frozen=True):
    """The functions that turn a wish and a status into a command, for one kind of device."""

    desired: type[DesiredT]
    command: Callable[[DesiredT, StatusT], CommandT]  # returns the command that fulfils the wish
    is_done: Callable[[CommandT, StatusT], bool]  # True if the device is as the command asks
    protection: Callable[[DesiredT, StatusT], CommandT]  # returns the part of the wish that stops and warns
    # True if the device permits no more and warns no less than the wish
    is_within: Callable[[DesiredT, StatusT], bool]
    exceeds: Callable[[CommandT, CommandT], bool]  # True if the first command permits more than the second
    status_without_counters: Callable[
        [StatusT], object
    ]  # returns the part that stays as it is when cards pass and nothing else changes
    # True if the status shows the effect of an OK. None: not tested.
    is_obeyed: Callable[[CommandT, StatusT], bool] | None = None


def needed(
    guided: Guidance[StatusT, DesiredT, CommandT], desired: DesiredT, status: StatusT, *, may_permit: bool
) -> CommandT | None:
    """Returns the command that brings a device with this status to the wish; None if no command is needed.
    `may_permit`: if False, returns only a command that protects.
    """
    if may_permit:
        command = guided.command(desired, status)
        return None if guided.is_done(command, status) else command
    return None if guided.is_within(desired, status) else guided.protection(desired, status)


class TdpKind(Struct, Generic[StatusT, DesiredT, CommandT], frozen=True):
    """The driver's knowledge of one kind of TDP device. `guidance`: None for a sensor, which takes no commands."""

    schema: DeviceSchema[StatusT, Any, Any]
    beside_commands: Callable[[StatusT], object]  # returns the part of the status whose change is reported
    guidance: Guidance[StatusT, DesiredT, CommandT] | None = None
    tells_each_status: bool = False  # True: also a status that has not changed is reported


U16: Final = 1 << 16
U32: Final = 1 << 32


def _ahead(number: int, of: int, span: int) -> int:
    """Returns the number of steps by which `number` is ahead of `of`, or 0 if it is not ahead. Numbers begin again at 0
    after `span` - 1.
    """
    ahead = (number - of) % span
    return ahead if ahead < span // 2 else 0


def _ended_so_far(status: ShufflerStatus) -> int:
    """Returns the jam number for a command that ends no jam: the number of the last jam or, during a jam, of the jam
    before it.
    """
    return (status.jams - status.jammed) % U16


def _release(wish: ShufflerWish, status: ShufflerStatus) -> ShufflerApply:
    counts, ended = status.cards_out, wish.jams_ended
    return ShufflerApply(
        release_until=counts if wish.release_after != counts else (counts + 1) % U32,
        feed_open=wish.feed_open,
        unload=wish.unload,
        lamp=wish.lamp,
        jams_ended=_ended_so_far(status) if _ahead(ended, status.jams, U16) else ended,
        recount_request=wish.recount_request,
    )


def _lock(wish: ShufflerWish, status: ShufflerStatus) -> ShufflerApply:
    return ShufflerApply(
        release_until=status.cards_out,
        lamp=wish.lamp or status.lamp_lit,
        jams_ended=_ended_so_far(status),
        recount_request=status.recounts,
    )


def _shuffler_is_done(command: ShufflerApply, status: ShufflerStatus) -> bool:
    return (
        _ahead(status.release_until, status.cards_out, U32) == _ahead(command.release_until, status.cards_out, U32)
        and status.feed_open == command.feed_open
        and status.unloading == command.unload
        and status.lamp_lit == command.lamp
        and status.recounts == command.recount_request
        and not (status.jammed and (command.jams_ended - status.jams) % U16 < U16 // 2)
    )


def _shuffler_obeys(command: ShufflerApply, status: ShufflerStatus) -> bool:
    """True if mouth, feed and unloading of the shuffler are as the command asks, or permit less while something stops
    the shuffler.
    """
    told = (_ahead(command.release_until, status.cards_out, U32), command.feed_open, command.unload)
    is_so = (_ahead(status.release_until, status.cards_out, U32), status.feed_open, status.unloading)
    stopped = (status.jammed, status.lid_open, status.path_blocked, status.host_silent, status.counts_unknown)
    return is_so == told or (any(stopped) and all(now <= then for now, then in zip(is_so, told, strict=True)))


def _shoe_obeys(command: ShoeApply, status: ShoeStatus) -> bool:
    return status.locked == command.locked or (status.locked and status.host_silent)


def _shuffler_is_within(wish: ShufflerWish, status: ShufflerStatus) -> bool:
    released = _ahead(status.release_until, status.cards_out, U32)
    return (
        released <= (wish.release_after == status.cards_out)
        and status.feed_open <= wish.feed_open
        and status.unloading <= wish.unload
        and status.lamp_lit >= wish.lamp
    )


def _shuffler_exceeds(one: ShufflerApply, other: ShufflerApply) -> bool:
    return (
        _ahead(one.release_until, other.release_until, U32) > 0
        or one.feed_open > other.feed_open
        or one.unload > other.unload
        or _ahead(one.jams_ended, other.jams_ended, U16) > 0
        or one.recount_request != other.recount_request
    )


def _all_but(status: type[DeviceStatus], *counts: str) -> Callable[[DeviceStatus], object]:
    return attrgetter(*(name for name in status.__struct_fields__ if name not in counts))


_TOLD_TO_SHUFFLER: Final = ("release_until", "mouth_open", "feed_open", "unloading", "lamp_lit")
_shuffler_others = _all_but(ShufflerStatus, "cards_in", "cards_out", "inside", "release_until")


def _shuffler_without_counters(status: ShufflerStatus) -> object:
    """Returns the number of cards that may still leave the shuffler, and its status without the counts of cards."""
    return _ahead(status.release_until, status.cards_out, U32), _shuffler_others(status)


def sensor(schema: DeviceSchema[Any, Any, Any]) -> TdpKind[Any, Any, Any]:
    """Returns the `TdpKind` of a device that gets no commands and reports each change of its status."""
    return TdpKind(schema, _all_but(schema.status.made))


def _shows_more(one: Markers, other: Markers) -> bool:
    """True if a marker shows a value in `one` that it does not show in `other`."""
    return any(shown not in {0, value} for shown, value in zip(one.values, other.values, strict=True))


def _without_more(wish: MarkersApply, status: MarkersStatus) -> MarkersApply:
    """Returns the command that shows nothing new: the values on the markers, with 0 for each value that differs from
    the wish.
    """
    pairs = zip(status.values, wish.values, strict=True)
    return MarkersApply(*(shown if shown == value else 0 for shown, value in pairs))


def _collects(one: SlotsApply, other: SlotsApply) -> bool:
    """True if the command `one` asks for a collection, or for a seat's chip, that `other` does not ask for."""
    return one.collection != other.collection or bool(one.seats & ~other.seats)


def _slots_at_rest(wish: SlotsApply, status: SlotsStatus) -> SlotsApply:
    """Returns the command with which the slots collect nothing and light no further lamp. Lamps blink as wished."""
    return SlotsApply(status.collections, lit=status.lit & wish.lit, blinking=wish.blinking)


TDP_SHUFFLER: Final = TdpKind(
    SHUFFLER,
    _all_but(ShufflerStatus, *_TOLD_TO_SHUFFLER),
    Guidance(
        desired=ShufflerWish,
        command=_release,
        is_done=_shuffler_is_done,
        protection=_lock,
        is_within=_shuffler_is_within,
        exceeds=_shuffler_exceeds,
        status_without_counters=_shuffler_without_counters,
        is_obeyed=_shuffler_obeys,
    ),
)
_SHOE: Final[Guidance[ShoeStatus, ShoeApply, ShoeApply]] = Guidance(
    desired=ShoeApply,
    command=lambda wish, _: wish,
    is_done=lambda command, status: status.locked == command.locked,
    protection=lambda _wish, _status: ShoeApply(locked=True),
    is_within=lambda wish, status: status.locked >= wish.locked,
    exceeds=lambda one, other: one.locked < other.locked,
    status_without_counters=_all_but(ShoeStatus, "passages"),
)
TDP_SHOE: Final[TdpKind[ShoeStatus, ShoeApply, ShoeApply]] = TdpKind(
    SHOE,
    _all_but(ShoeStatus, "locked"),
    _SHOE,
    tells_each_status=True,  # a status without a new passage is evidence about an unseen card
)
TDP_DEALING_SHOE: Final = replace(TDP_SHOE, guidance=replace(_SHOE, is_obeyed=_shoe_obeys))
"""A shoe for dealing, which has a lock. A reader at a shuffler's mouth may have no lock, and still answers OK."""
TDP_DISPLAY: Final[TdpKind[DisplayStatus, DisplayApply, DisplayApply]] = TdpKind(
    DISPLAY,
    _all_but(DisplayStatus),
    Guidance(
        desired=DisplayApply,
        command=lambda wish, _: wish,
        is_done=lambda command, status: status.shown_cents == command.cents and status.fault_shown == command.fault,
        protection=lambda _wish, status: DisplayApply(status.shown_cents, fault=True),
        is_within=lambda wish, status: status.fault_shown >= wish.fault,
        exceeds=lambda one, other: one.fault < other.fault,
        status_without_counters=_all_but(DisplayStatus),
    ),
)
TDP_VALUE_DISPLAY: Final[TdpKind[MarkersStatus, MarkersApply, MarkersApply]] = TdpKind(
    VALUE_DISPLAY,
    _all_but(MarkersStatus),
    Guidance(
        desired=MarkersApply,
        command=lambda wish, _: wish,
        is_done=lambda command, status: status.values == command.values,
        protection=_without_more,
        is_within=lambda wish, status: not _shows_more(status, wish),
        exceeds=_shows_more,
        status_without_counters=_all_but(MarkersStatus),
    ),
)
TDP_SLOTS: Final[TdpKind[SlotsStatus, SlotsApply, SlotsApply]] = TdpKind(
    SLOTS,
    _all_but(SlotsStatus),
    Guidance(
        desired=SlotsApply,
        command=lambda wish, _: wish,
        is_done=lambda command, status: (
            (status.collections, status.lit, status.blinking) == (command.collection, command.lit, command.blinking)
        ),
        protection=_slots_at_rest,
        is_within=lambda wish, status: not (status.lit & ~wish.lit or wish.blinking & ~status.blinking),
        exceeds=lambda one, other: _collects(one, other) or bool(one.lit & ~other.lit),
        status_without_counters=_all_but(SlotsStatus),
    ),
)
