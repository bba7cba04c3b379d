"""Tests a status by itself, and an event together with the events before it.

Each finding has the number of a duty, True if the device keeps the duty, and the finding in words.
"""

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.bench import Statement
from firmware_protocols.tdp.display import DisplayStatus
from firmware_protocols.tdp.shoe import CardPassed, ReaderErrorCleared, ReaderErrorRaised, ShoeStatus
from firmware_protocols.tdp.shuffler import (
    INSIDE_UNKNOWN,
    CardIn,
    CardOut,
    CardRetried,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Recounted,
    ShufflerStatus,
)
from firmware_protocols.tdp.slots import SlotsChanged, SlotsStatus

Finding: TypeAlias = tuple[str, bool, str]
Told: TypeAlias = tuple[object, Any]
"""An event with its status."""

U16: Final = 2**16
U32: Final = 2**32
_COUNTS: Final[dict[type, dict[str, int]]] = {
    ShufflerStatus: {"cards_in": U32, "cards_out": U32, "jams": U16, "recounts": U16},
    ShoeStatus: {"passages": U32},
    SlotsStatus: {"collections": U16},
}
"""The cumulative numbers in a kind's status, each with its range."""


def counts(status: object) -> dict[str, int]:
    """The counts in a status, by name. `recounts` is one of them, although the host chooses its value."""
    return {name: getattr(status, name) for name in _COUNTS.get(type(status), {})}


def shown(status: object) -> list[object]:
    """The values of the fields of a status that change only with an event, without the counts."""
    names = ("chips", "broken", "lid_open", "jammed", "error")
    return [getattr(status, name) for name in names if hasattr(status, name)]


def went_back(before: object, after: object) -> str:
    """The name and value of the first count that is smaller in `after` than in `before`; "" if no count is smaller.
    Leaves out `recounts`, which the host chooses.
    """
    for name, size in _COUNTS.get(type(after), {}).items():
        if name != "recounts" and (getattr(after, name) - getattr(before, name)) % size >= size // 2:
            return f"{name} {getattr(after, name)}"
    return ""


def kept_by(status: object) -> str:
    """The number of the duty that a count breaks when it becomes smaller."""
    return "14.3" if isinstance(status, SlotsStatus) else "9.10"


def owed(status: ShufflerStatus) -> int:
    """The number of cards that may still leave the shuffler. At 0 or less it is locked."""
    return owed_until(status.release_until, status.cards_out)


def owed_until(release_until: int, cards_out: int) -> int:
    """The number of cards from `cards_out` to `release_until`. Both begin again at 0 after their greatest value."""
    return (release_until - cards_out + U32 // 2) % U32 - U32 // 2


def permits(status: ShufflerStatus) -> bool:
    return status.feed_open or status.unloading or status.mouth_open or owed(status) > 0


# --- tests of a status


def of_status(status: Any, statement: Statement, *, is_full: bool, is_start: bool = False) -> Iterator[Finding]:  # noqa: ANN401
    """Yields the findings about a status by itself. `statement`: the maker's statement, which lists the device's parts;
    `is_full`: 48 events wait; `is_start`: no host has opened a session of this boot yet.
    """
    silent_duty = "9.16" if is_start else "9.13" if is_full else "9.12"
    match status:
        case ShufflerStatus():
            yield from _of_shuffler(status, statement, silent_duty)
        case ShoeStatus():
            if status.host_silent and statement.has("lock"):
                yield silent_duty, status.locked, f"host_silent and not locked: {status}"
            if not statement.has("lock"):
                duty = "9.25" if status.host_silent else "17.1"
                yield duty, not status.locked, f"locked, and the statement says that it cannot: {status}"
        case DisplayStatus():
            if status.host_silent:
                yield "12.5" if is_full else "12.2", status.fault_shown, f"host_silent and an amount: {status}"
            if is_start:
                yield "9.16", status.fault_shown, f"an amount behind a start, before a session: {status}"
        case _:
            pass


def _of_shuffler(status: ShufflerStatus, statement: Statement, silent_duty: str) -> Iterator[Finding]:
    for is_cause, duty in ((status.host_silent, silent_duty), (status.jammed, "9.14"), (status.lid_open, "9.15")):
        if is_cause:
            yield duty, not permits(status), f"not locked: {status}"
    if status.jammed:
        yield "10.9", status.lamp_lit, f"a jam without its lamp: {status}"
    if status.counts_unknown:
        yield "9.7", status.inside == INSIDE_UNKNOWN, f"counts_unknown, inside {status.inside}"
    if not statement.has("lid"):
        yield "17.1", not status.lid_open, "lid_open, and the statement says that it has no lid"
    if not statement.has("path_sensors"):
        yield "17.1", not status.path_blocked, "path_blocked, and the statement says that it sees no path"


def of_start(status: object, was: object) -> Iterator[Finding]:
    """Yields the findings about the first status of a boot. A jam that had ended must not be back. If the counts are as
    before, `inside` must be, too.

    `was`: the last status of the boot before; None if unknown.
    """
    if isinstance(status, ShufflerStatus) and isinstance(was, ShufflerStatus):
        is_old = status.jammed and not was.jammed and status.jams == was.jams
        yield "10.6", not is_old, f"jam {status.jams}, that was ended, is there again behind a start: {status}"
        if not status_lost(status, was) and counts(status) == counts(was):
            is_kept = status.inside == was.inside
            yield "9.5", is_kept, f"behind a start inside is {status.inside}, and was {was.inside}: {status}"


def of_opening(status: object, statement: Statement, *, is_new: bool) -> Iterator[Finding]:
    """Yields the findings about the status in an IDENTITY. If the IDENTITY opens a new session (`is_new`), no
    permission may be given. The first session of a boot is tested elsewhere.
    """
    match status:
        case _ if not is_new or getattr(status, "host_silent", False):
            return  # `of_status` tests that of a silent host
        case ShufflerStatus():
            is_given = status.feed_open or status.unloading or owed(status) > 0
            yield "9.11", not is_given, f"permitted in a new session: {status}"
            yield "9.21", is_given or not status.mouth_open, f"the mouth is open in a new session: {status}"
        case ShoeStatus() if statement.has("lock"):
            yield "9.11", status.locked, f"not locked in a new session: {status}"
        case _:
            pass


# --- tests of an IDENTITY

_TEXTS_AT: Final = (4, 20, 36)  # in its payload


def of_texts(payload: bytes) -> Iterator[Finding]:
    """Yields the findings about the three texts of an IDENTITY, which must be printable."""
    for text in (payload[at : at + 16].rstrip(b"\0") for at in _TEXTS_AT):
        yield "4.12", all(0x20 <= byte < 0x7F for byte in text), f"the text {text!r}"


class Who:
    """The names and version of the device in its last IDENTITY."""

    def __init__(self) -> None:
        self._names: object = None
        self._minor: int | None = None
        self._simulated: bool | None = None

    def of_identity(self, body: rows.IdentityBody) -> Iterator[Finding]:
        """Yields the findings about an IDENTITY. Names and version there must be those in the IDENTITY before."""
        names = (body.major, body.kind, body.model, body.serial, body.firmware)
        is_other_sort = self._simulated not in (None, body.simulated)
        yield "4.11", not is_other_sort, f"simulated {body.simulated}, before {self._simulated}: {body}"
        yield "4.12", self._names in (None, names), f"{body}, before {self._names}"
        yield "4.15", self._minor in (None, body.minor), f"minor {body.minor}, before {self._minor}"
        self._names, self._minor, self._simulated = names, body.minor, body.simulated


# --- tests of an event


def of_event(event: object, status: Any, was: Any, earlier: Iterator[Told], before: object) -> Iterator[Finding]:  # noqa: ANN401 (any kind's)
    """Yields the findings about `event` and the status in it. `was`: the status in the event before; None if that event
    is unknown. `earlier`: the events before `event` without a gap, newest first. `before`: a second status from which
    the event may report a change. For the event after `started` this is the last status of the boot before, otherwise
    it is `was`.
    """
    match status:
        case ShufflerStatus():
            yield from _shuffler_says(event, status)
        case ShoeStatus():
            yield from _shoe_says(event, status, earlier)
        case _:
            pass
    if was is not None and not status_lost(status, was):
        yield from _since(event, status, was)
    if was is not None and isinstance(event, SlotsChanged):
        is_so = _of_slots(status) != _of_slots(was) or _of_slots(status) != _of_slots(before)
        yield "14.2", is_so, f"slots-changed, and nothing is: {status}"


def _of_slots(status: object) -> list[object]:
    return [getattr(status, name, None) for name in ("chips", "broken", "collections")]


def status_lost(status: Any, was: Any) -> bool:  # noqa: ANN401 (any kind's)
    """True if `counts_unknown` differs between the statuses `status` and `was`: the counts began anew in between."""
    return getattr(status, "counts_unknown", False) is not getattr(was, "counts_unknown", False)


def _shuffler_says(event: object, status: ShufflerStatus) -> Iterator[Finding]:
    match event:
        case Jammed():
            yield "10.27", status.jammed and status.lamp_lit and not permits(status), f"jammed: {status}"
            yield "9.14", status.release_until == status.cards_out, f"jammed: {status}"
        case JamEnded():
            yield "10.6", not status.jammed, f"jam-ended: {status}"
        case CardOut():
            yield "10.3", not status.mouth_open, f"mouth_open behind a card: {status}"
        case LidOpened() | LidClosed():
            yield "10.33", status.lid_open is isinstance(event, LidOpened), f"{event}: {status}"
            is_equal = isinstance(event, LidClosed) or status.release_until == status.cards_out
            yield "9.15", is_equal, f"lid-opened: {status}"
        case PathCleared():
            yield "10.31", not status.path_blocked, f"path-cleared: {status}"
        case Recounted(request=request, inside=inside):
            is_so = (status.recounts, status.inside) == (request, inside)
            yield "10.20", is_so, f"recounted {request}, {inside} inside: {status}"
        case _:
            pass


def _shoe_says(event: object, status: ShoeStatus, earlier: Iterator[Told]) -> Iterator[Finding]:
    match event:
        case CardPassed(passage=passage, card=card):
            yield "11.5", passage == status.passages, f"passage {passage}: {status}"
            yield "11.10", not (status.error and card), f"card {card:#04x} while an error is raised"
            stand = set() if status.error else _errors_beside(None, earlier)
            yield "11.9", not stand, f"errors {sorted(stand or ())} were raised and not cleared, and error is False"
        case ReaderErrorRaised(code=code):
            yield "11.9", status.error, f"error {code} is raised, and its status has no error: {status}"
            yield "11.9", not _stands(code, earlier), f"error {code} is raised, and was raised before: {status}"
        case ReaderErrorCleared(code=code) if (others := _errors_beside(code, earlier)) is not None:
            found = f"error {code} is cleared, raised still: {sorted(others) or 'none'}"
            yield "11.9", status.error is bool(others), f"{found}; error is {status.error}: {status}"
        case _:
            pass


def _stands(code: int, earlier: Iterator[Told]) -> bool:
    """True if the error with the code `code` is raised now: the newest event about this error raises it."""
    kinds = (type(event) for event, _status in earlier if getattr(event, "code", None) == code)
    return next(kinds, None) is ReaderErrorRaised


def _errors_beside(code: int | None, earlier: Iterator[Told]) -> set[int] | None:
    """Returns the codes of all other errors that are raised and not cleared. None if they are unknown, since no earlier
    status says that there was no error.
    """
    stands: dict[int | None, bool] = {code: False}
    for event, status in earlier:
        if isinstance(event, ReaderErrorRaised | ReaderErrorCleared):
            stands.setdefault(event.code, isinstance(event, ReaderErrorRaised))
        if not status.error:
            return {one for one, does in stands.items() if does and one is not None}
    return None


_COUNTED: Final[dict[type, tuple[str, str]]] = {
    CardIn: ("cards_in", "6.3"),
    CardOut: ("cards_out", "6.3"),
    Jammed: ("jams", "10.27"),
    CardPassed: ("passages", "6.3"),
}
"""The count that each of these events raises by one, and the duty that requires it."""


_CHANGES: Final = (
    (LidOpened, "10.33", "lid_open", False),
    (LidClosed, "10.33", "lid_open", True),
    (JamEnded, "10.6", "jammed", True),
    (ReaderErrorCleared, "11.9", "error", True),
)
"""Events that tell of a change: the duty, the flag of the status, and its value in the event before."""


CHANGING: Final = (*(row[0] for row in _CHANGES), LidOpened, SlotsChanged)
"""Events behind which the status shows something else than before."""


def _since(event: object, status: Any, was: Any) -> Iterator[Finding]:  # noqa: ANN401 (any kind's)
    counted, duty = _COUNTED.get(type(event), ("", ""))
    for kind, duty_of_it, name, must_be in _CHANGES:
        if isinstance(event, kind):
            is_so = getattr(was, name) is must_be
            yield duty_of_it, is_so, f"{type(event).__name__}, and {name} was {not must_be} before: {was}"
    for name, before in counts(was).items():
        now, more = getattr(status, name), int(name == counted)
        if (name == "recounts" and isinstance(event, Recounted)) or name == "collections":
            continue
        size = _COUNTS[type(status)][name]
        is_so = (now - before) % size == more
        otherwise = kept_by(status) if (now - before) % size >= size // 2 and name != "recounts" else "6.2"
        yield duty if name == counted else otherwise, is_so, f"{type(event).__name__}: {name} {now} behind {before}"
    if isinstance(status, ShufflerStatus):
        yield from _inside_since(event, status, was)


def _inside_since(event: object, status: ShufflerStatus, was: ShufflerStatus) -> Iterator[Finding]:
    if isinstance(event, Recounted):
        return
    if INSIDE_UNKNOWN in (was.inside, status.inside):
        found = f"{type(event).__name__}: inside {status.inside} behind {was.inside}, without a recount"
        yield "10.34", was.inside == status.inside, found
        return
    if not was.inside:
        return
    wanted = was.inside + isinstance(event, CardIn) - isinstance(event, CardOut)
    moved = isinstance(event, CardIn | CardOut | Jammed | CardRetried)
    duty = "10.1" if moved else "10.34"
    yield duty, status.inside == wanted, f"{type(event).__name__}: inside {status.inside} behind {was.inside}"
