"""Makes the sentence shown with a connected device, if there is more to say than "connected".

A sentence is a key of the catalogue with its values. Its amount is the one that the display reports or, for a display
that cannot report, the one last written to it.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple, TypeAlias

from controller.core.money import units
from drivers.events import DeviceStatus, WrittenStatus
from drivers.wishes import Desired
from firmware_protocols.tdp.display import DisplayApply, DisplayStatus
from firmware_protocols.tdp.value_display import MarkersApply, MarkersStatus


class Sentence(NamedTuple):
    key: str
    values: Mapping[str, str]


Says: TypeAlias = Callable[[DeviceStatus | None, Desired | None], Sentence | None]
"""Makes the sentence from the device's status and the wish; None if "connected" is enough."""


def nothing_more(_status: DeviceStatus | None, _desired: Desired | None) -> Sentence | None:
    return None


def of_sign(status: DeviceStatus | None, desired: Desired | None) -> Sentence | None:
    """Returns the sentence with the amount that a sign shows and the amount that it should show. Returns None if the
    amounts agree or one is unknown.

    A sign that cannot report its amount always gets the sentence with the amount last written to it.
    """
    if isinstance(status, WrittenStatus):
        return Sentence("status.written", {"shown": _amount(status.shown_cents, hidden=status.fault_shown)})
    if not isinstance(status, DisplayStatus) or not isinstance(desired, DisplayApply):
        return None
    if (status.shown_cents, status.fault_shown) == (desired.cents, desired.fault):
        return None
    is_told = status.fault_shown is not desired.fault  # else the two amounts differ
    shown = _amount(status.shown_cents, hidden=is_told and status.fault_shown)
    wanted = _amount(desired.cents, hidden=is_told and desired.fault)
    return Sentence("status.shows-other", {"shown": shown, "wanted": wanted})


def of_markers(status: DeviceStatus | None, desired: Desired | None) -> Sentence | None:
    """Returns the sentence with the wrong values on a display of chip values, and with the right ones.

    Returns None if all values are right, or if one of `status` and `desired` is unknown.
    """
    if not isinstance(status, MarkersStatus) or not isinstance(desired, MarkersApply):
        return None
    wrong = [pair for pair in zip(status.values, desired.values, strict=True) if pair[0] != pair[1]]
    told = (" / ".join(_amount(value, hidden=False) for value in values) for values in zip(*wrong, strict=True))
    return Sentence("status.shows-other", dict(zip(("shown", "wanted"), told, strict=True))) if wrong else None


def _amount(cents: int, *, hidden: bool) -> str:
    return "sign-fault" if hidden else units(cents)
