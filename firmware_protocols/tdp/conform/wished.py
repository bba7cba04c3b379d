"""Computes the correct result of each command, given the status before it, and the fields of a status that a command
sets.

`Watch` tests both for every command of every check, in whatever state the device is.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from firmware_protocols.tdp.conform.bench import Statement
from firmware_protocols.tdp.conform.told import U16, owed_until
from firmware_protocols.tdp.display import DisplayApply
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import ShoeApply
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerResult, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply
from firmware_protocols.tdp.value_display import COLOURS, MarkersApply

OK: Final = 0
BAD_COMMAND: Final = 1
REFUSED_HOST_SILENT: Final = 5
_REFUSES_NONE: Final[dict[int, str]] = {
    ShufflerResult.REFUSED_PATH_BLOCKED: "10.7",  # it takes an older jam's number for the word that ends its jam
    ShufflerResult.REFUSED_COUNTS_UNKNOWN: "10.14",  # it refuses more than a release
}
"""Refusals of what is not to be refused, each with the duty that it breaks."""
_STATE: Final = ("jammed", "lid_open", "path_blocked", "counts_unknown")
SHOWS_WITHIN_S: Final = {DeviceKind.DISPLAY: 2.1, DeviceKind.VALUE_DISPLAY: 2.1}
AT_ONCE_S: Final = 0.5
STAY: Final = frozenset({DeviceKind.VALUE_DISPLAY, DeviceKind.SLOTS})
"""Kinds of device that go on showing what they were told over a silence and a new session."""
STAYS: Final = {"13.1": "13.4", "14.6": "14.8"}
"""The duty that is broken in place of another one where not the command but a later silence or session has changed the
field.
"""


def right_result(
    command: object,
    before: Any,  # noqa: ANN401 (any kind's)
    after: Any,  # noqa: ANN401 (any kind's)
    *,
    is_full: bool,
) -> tuple[str, int] | None:
    """Returns the number of a duty, and the result that this duty asks of the command: OK or a refusal. None if the
    state of the device has changed meanwhile.

    `before`: the status before the command. `after`: the status in the answer. `is_full`: True if 48 events wait.
    """
    match command:
        case ShufflerApply():
            return _of_shuffler(command, before, after, is_full=is_full)
        case ShoeApply(locked=True):
            return "11.4", OK
        case ShoeApply():
            return "11.3", REFUSED_HOST_SILENT if is_full else OK
        case _:
            return "5.1", OK


def blamed_result(result: int, right: tuple[str, int]) -> str:
    """Returns the number of the duty that the wrong result `result` breaks. `right`: the return value of
    `right_result`.
    """
    return _REFUSES_NONE.get(result, right[0]) if right == ("10.15", OK) else right[0]


def _of_shuffler(
    command: ShufflerApply, before: ShufflerStatus, after: ShufflerStatus, *, is_full: bool
) -> tuple[str, int] | None:
    """Returns the duty and the result that section 10 asks of a shuffler's command: the first refusal that applies, in
    the order of that section.
    """
    if before.jams != after.jams:
        return None
    ends = before.jammed and (command.jams_ended - before.jams) % U16 < U16 // 2
    if any(getattr(before, name) is not getattr(after, name) for name in _STATE[1:] + _STATE[: not ends]):
        return None
    if ends and before.path_blocked:
        return "10.4", ShufflerResult.REFUSED_PATH_BLOCKED
    if ends and before.lid_open:
        return "10.5", ShufflerResult.REFUSED_LID_OPEN
    is_owed = owed_until(command.release_until, before.cards_out) > 0
    moves = command.feed_open or command.unload or is_owed or command.recount_request != before.recounts
    for is_so, duty, refusal in (
        (before.jammed and not ends, "10.11", ShufflerResult.REFUSED_JAMMED),
        (before.lid_open, "10.12", ShufflerResult.REFUSED_LID_OPEN),
        (is_full, "10.13", ShufflerResult.REFUSED_HOST_SILENT),
        (before.counts_unknown and is_owed, "10.14", ShufflerResult.REFUSED_COUNTS_UNKNOWN),
    ):
        if moves and is_so:
            return duty, refusal
    return "10.15", OK


def owed(
    fields: Mapping[str, tuple[str, object]], shown: Collection[str], broken: Collection[str]
) -> Iterator[tuple[str, str, object]]:
    """Yields the fields that a status must still show after a command, each with its duty and value.

    `shown`: the fields that have shown their value since the command. A movement that has ended after a recount then
    breaks a duty of its own. `broken`: the duties already broken.
    """
    for name, (duty, value) in fields.items():
        own = _BEGINS.get(name, duty)  # where it ends without a recount as well, that is the break
        yield name, duty if name in shown and own not in broken else own, value


def is_undone(fields: Mapping[str, tuple[str, object]], before: tuple[int, Any], now: tuple[int, Any]) -> bool:
    """True if a command for an amount or for lamps has had no effect at all, and no event gives the reason. `fields`:
    the fields that the command sets. `before`, `now`: the newest event and the status, before the command and now.
    Lamps change without an event.
    """
    if before[1] is not None and any(duty == "14.6" for duty, _value in fields.values()):
        return all(_is_dark(before[1], now[1], name, value) for name, (_duty, value) in fields.items())
    return before == now and ("12.1", False) in fields.values()


def _is_dark(before: Any, now: Any, name: str, lamps: Any) -> bool:  # noqa: ANN401 (statuses, a set of lamps)
    """True if all lamps are as before the command, and none is as the command asks."""
    return bool(getattr(before, name) == getattr(now, name) and not getattr(now, name) & lamps)


_BEGINS: Final = {"feed_open": "10.18", "unloading": "10.19"}


def fields_of(command: object, before: Any, statement: Statement) -> dict[str, tuple[str, object]]:  # noqa: ANN401
    """Returns the fields of the status that the command sets when the device answers OK, each with its duty and value.
    The fields keep these values until something withdraws them. `before`: the status before the command.
    """
    match command:
        case ShufflerApply(feed_open=feed, unload=unload, recount_request=request) if request != before.recounts:
            return {"feed_open": ("10.22", feed), "unloading": ("10.22", unload)}
        case ShufflerApply(feed_open=feed, unload=unload):
            return {"feed_open": ("10.18", feed), "unloading": ("10.19", unload)}
        case ShoeApply(locked=locked) if statement.has("lock"):
            return {"locked": ("5.9", locked)}
        case DisplayApply(cents=cents, fault=fault):
            return {"shown_cents": ("12.1", cents), "fault_shown": ("12.1", fault)}
        case MarkersApply():
            return {colour: ("13.1", getattr(command, colour)) for colour in COLOURS}
        case SlotsApply(lit=lit, blinking=blinking):
            return {"lit": ("14.6", lit), "blinking": ("14.6", blinking)}
        case _:
            return {}
