"""The status that a device must show, as far as commands, sessions, silences and hands determine it.

Each field has the value that the last cause has given to it. If the device shows another value, a table of causes for
this field gives the broken duty: the first row whose cause has happened.
"""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any, Final

from msgspec import Struct

from firmware_protocols.tdp.conform.bench import Deed, Statement
from firmware_protocols.tdp.conform.told import U16, Finding, owed, owed_until
from firmware_protocols.tdp.display import DisplayApply, DisplayStatus
from firmware_protocols.tdp.shoe import ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import ShufflerApply, ShufflerStatus
from firmware_protocols.tdp.slots import SlotsApply, SlotsStatus
from firmware_protocols.tdp.value_display import COLOURS, MarkersApply, MarkersStatus


class Cause(StrEnum):
    """Something that has happened to the device and may change its status. The value is its name in a finding."""

    START = "a start"
    SESSION = "a new session"
    SILENCE = "the host's silence"
    FULL = "48 waiting events"
    JAM = "a jam"
    LID = "the lid"
    REFUSAL = "a refused COMMAND"
    COMMAND = "a COMMAND"
    BAD = "a bad COMMAND"
    QUERY = "a query"
    AGAIN = "a COMMAND again"
    OTHER_NUMBER = "a COMMAND of another number"
    HELLO_AGAIN = "a HELLO again"
    OLD_HELLO = "an older HELLO"
    WRONG_HELLO = "a HELLO with a boot or a number"
    MAJOR = "a HELLO of another major"
    OTHERS = "a frame of another session"
    NOISE = "noise"
    WRONG = "a frame that is to be dropped"
    TAGGED = "a frame with a tag"
    UNTAGGED = "a frame without its tag"
    COPY = "a copy"
    ACK = "an ACK"
    BEAT = "a HEARTBEAT"
    HANDS = "hands"
    END = "the end of a silence"


C = Cause
_ANY: Final = (
    (C.BAD, "5.6"),
    (C.OTHERS, "3.7"),
    (C.OTHER_NUMBER, "5.3"),
    (C.WRONG_HELLO, "3.8"),
    (C.OLD_HELLO, "4.7"),
    (C.MAJOR, "4.2"),
    (C.HELLO_AGAIN, "4.3"),
    (C.TAGGED, "2.2"),
    (C.UNTAGGED, "18.6"),
    (C.COPY, "18.7"),
    (C.NOISE, "2.5"),
    (C.WRONG, "3.2"),
    (C.QUERY, "5.11"),
    (C.AGAIN, "5.2"),
)
_WITHDRAWN: Final = (
    (C.START, "9.16"),
    (C.SESSION, "9.11"),
    (C.FULL, "9.13"),
    (C.SILENCE, "9.12"),
    (C.JAM, "9.14"),
    (C.LID, "9.15"),
    (C.REFUSAL, "9.22"),
)
"""Causes that withdraw a permission, with the duties that are broken where it stays."""
_OF_A_DISPLAY: Final = ("9.11", "9.12", "9.16")
"""Duties beside which section 12 has a sentence of its own for a display."""
_GIVEN_BACK: Final = ((C.END, "7.8"), *_ANY, (C.REFUSAL, "9.22"))
_STAYS: Final = (
    (C.START, "9.19"),
    *((one, "9.18") for one in (C.SESSION, C.FULL, C.SILENCE, C.LID)),
    *_ANY,
)
_LATCH: Final = ((C.START, "10.30"), (C.SESSION, "10.30"), (C.LID, "10.29"), *_ANY, (C.HANDS, "10.28"))
_PICTURE: Final = {
    "12.1": ((C.START, "12.4"),),
    "13.1": ((C.START, "13.3"), (C.FULL, "13.5"), (C.SESSION, "13.4"), (C.SILENCE, "13.4")),
    "14.6": ((C.START, "14.7"), (C.FULL, "14.9"), (C.SESSION, "14.8"), (C.SILENCE, "14.8")),
}
_PERMISSIONS: Final = {"feed_open": "10.18", "unloading": "10.19", "release_until": "10.16", "locked": "5.9"}
_OTHER: Final = {
    "jams": "10.27",
    "lid_open": "10.33",
    "recounts": "10.20",
    "counts_unknown": "9.7",
    "error": "11.9",
    "collections": "14.2",
    "chips": "14.2",
}
_LOCKED: Final[dict[type, dict[str, object]]] = {
    ShufflerStatus: {"feed_open": False, "unloading": False, "release_until": None},
    ShoeStatus: {"locked": True},
    DisplayStatus: {"fault_shown": True},
}
_COMMANDED: Final = (ShufflerStatus, ShoeStatus, DisplayStatus, MarkersStatus, SlotsStatus)
_SHOWS_S: Final[Mapping[type, float]] = {MarkersApply: 2.1, DisplayApply: 2.1}
_AT_ONCE_S: Final = 0.5
JAMS_FROM: Final = 12  # cards inside, so that one surely sticks


class Known(Struct):
    """The value that a field of the status must have from `due_s` on. `value` None allows any value of `release_until`
    that releases no card.
    """

    value: object
    due_s: float = 0.0


class Model:
    """The fields of a device's status whose values follow from the causes so far, each with this value."""

    def __init__(self, status: Any, statement: Statement) -> None:  # noqa: ANN401 (any kind's)
        self._statement = statement
        self._fields: dict[str, Known] = {}
        self._causes: list[Cause] = []
        self._is_faulty = True  # by hands, perhaps: hands have been there before the walk
        self._is_changed = False  # the field that is blamed, since the last status
        self._recount: int | None = None
        self._may_have: set[int] = set()
        self.status = status
        self._learn(status)

    # ---- causes

    def happened(self, cause: Cause) -> None:
        """Notes a cause. If `cause` withdraws permissions, the model expects a locked device from now on."""
        self._causes.append(cause)
        if cause in dict(_WITHDRAWN):
            self._lock()

    def _lock(self) -> None:
        for name, value in _LOCKED.get(type(self.status), {}).items():
            self._set(name, value)
        if isinstance(self.status, ShufflerStatus) and self._recount is not None:
            self._may_have.add(self._recount)
            self._recount = None

    def _set(self, name: str, value: object, due_s: float = 0.0) -> None:
        if name == "locked" and not self._statement.has("lock"):
            return
        self._fields[name] = Known(value, due_s)

    def start(self) -> None:
        """Sets the fields to their values after a start: locked, without amount, values or lit lamps. The error of a
        reader becomes unknown.
        """
        self.happened(Cause.START)
        match self.status:
            case DisplayStatus():
                self._set("shown_cents", 0)
            case SlotsStatus():
                self._set("lit", 0)
                self._set("blinking", 0)
            case ShoeStatus():
                self._fields.pop("error", None)  # a reader that starts anew may work again
            case MarkersStatus():
                for colour in COLOURS:
                    self._set(colour, 0)
            case _:
                pass

    def did(self, deed: Deed) -> None:
        """Sets the fields to their values after a deed of hands. A field that the deed may or may not change becomes
        unknown.
        """
        self._causes.append(Cause.HANDS)
        match deed, self.status:
            case Deed.LID_OPEN, _:
                self.happened(Cause.LID)
                self._set("lid_open", value=True)
            case Deed.LID_CLOSE, _:
                if self._fields["lid_open"].value:
                    self.happened(Cause.LID)
                self._set("lid_open", value=False)
            case Deed.EVENT, ShufflerStatus():
                self.happened(Cause.LID)
                self._set("lid_open", value=False)
            case Deed.JAM, ShufflerStatus():
                self.happened(Cause.JAM)
                jams = self._fields["jams"].value
                self._set("jams", (int(jams) + 1) % U16 if isinstance(jams, int) else None)
                self._set("jammed", value=True)
                self._set("lamp_lit", value=True)
            case _, ShoeStatus():
                self._did_to_shoe(deed)
            case ((Deed.EVENT | Deed.LOAD), SlotsStatus()):
                self._fields.pop("chips", None)
            case _:
                pass

    def _did_to_shoe(self, deed: Deed) -> None:
        """Sets the error of a reader to its value after a deed. It becomes unknown if the deed may cause an error, or
        if the reader may have one already.
        """
        if deed is Deed.EVENT or (deed is Deed.FAULT and self._is_faulty):
            self._fields.pop("error", None)
        elif deed in (Deed.FAULT, Deed.MEND):
            self._set("error", deed is Deed.FAULT)
        self._is_faulty = deed is Deed.FAULT or (self._is_faulty and deed is not Deed.MEND)

    def obeyed(self, command: object, result: int, now_s: float, *, is_full: bool) -> None:
        """Sets the fields to their values after a command that was answered with `result`: OK or a refusal. `is_full`:
        True if 48 events wait.
        """
        due_s = now_s + _SHOWS_S.get(type(command), _AT_ONCE_S)
        self._causes.append(Cause.REFUSAL if result else Cause.COMMAND)
        match command:
            case ShufflerApply():
                self._obeyed_by_shuffler(command, result, due_s)
            case ShoeApply(locked=locked):
                self._set("locked", locked or bool(result), due_s)
            case DisplayApply(cents=cents, fault=fault):
                self._set("shown_cents", cents, due_s)
                self._set("fault_shown", fault or is_full, due_s)
            case MarkersApply() if not is_full:
                for colour in COLOURS:
                    self._set(colour, getattr(command, colour), due_s)
            case SlotsApply() if not is_full:
                self._obeyed_by_slots(command, due_s)
            case _:
                pass

    def _obeyed_by_shuffler(self, command: ShufflerApply, result: int, due_s: float) -> None:
        jammed, jams = self._fields.get("jammed"), self._fields.get("jams")
        ends = jams is not None and isinstance(jams.value, int) and (command.jams_ended - jams.value) % U16 < U16 // 2
        is_ended = ends and result not in (3, 4)
        if jammed is not None and jammed.value and is_ended:
            self._set("jammed", value=False)
        stays_lit = jammed is None or bool(jammed.value and not is_ended)
        if jammed is not None:
            self._set("lamp_lit", command.lamp or stays_lit, due_s)
        if result:
            self._lock()
            return
        self._set("feed_open", command.feed_open, due_s)
        self._set("unloading", command.unload, due_s)
        is_ahead = owed_until(command.release_until, self.status.cards_out) > 0
        self._set("release_until", command.release_until if is_ahead else None, due_s)
        if self._recount is not None:
            self._may_have.add(self._recount)
        self._recount = command.recount_request  # served already where the status of the answer has it

    def _obeyed_by_slots(self, command: SlotsApply, due_s: float) -> None:
        self._set("lit", command.lit, due_s)
        self._set("blinking", command.blinking, due_s)
        made = self._fields["collections"].value
        if isinstance(made, int) and command.collection == (made + 1) % U16:
            self._set("collections", command.collection)
            if (chips := self._fields.get("chips")) is not None and isinstance(chips.value, int):
                self._set("chips", chips.value & ~command.seats)

    def forget_permissions(self) -> None:
        """Makes the fields of permissions unknown, as after an event that may have withdrawn the permissions."""
        for name in _LOCKED.get(type(self.status), {}):
            self._fields.pop(name, None)

    def forget_picture(self) -> None:
        """Makes unknown the fields that a command sets only while fewer than 48 events wait."""
        for name in ("fault_shown", "lit", "blinking", "collections", "chips", *COLOURS):
            self._fields.pop(name, None)

    # ---- what is seen

    def _learn(self, status: Any) -> None:  # noqa: ANN401 (any kind's)
        if type(status) not in _COMMANDED:  # a sensor: hands alone change its fields
            return
        for name in status.__struct_fields__:
            is_ours = name in _OTHER or name in _PERMISSIONS or name in ("jammed", "lamp_lit", "fault_shown")
            is_ours = is_ours or name in ("shown_cents", "lit", "blinking", *COLOURS)
            if is_ours and name not in self._fields:
                is_free = name == "release_until" and _is_locked(status)
                self._fields[name] = Known(None if is_free else getattr(status, name))

    def sees(self, status: Any, now_s: float) -> Iterator[Finding]:  # noqa: ANN401 (any kind's)
        """Compares a status received at `now_s` with the model. Yields a finding for each field with a wrong value.

        An unknown field gets the value in the status.
        """
        self._learn(status)
        if isinstance(status, ShufflerStatus):
            self._sees_recount(status)
        is_settled = True
        for name, known in self._fields.items():
            value = getattr(status, name)
            is_so = _is_locked(status) if known.value is None else value == known.value
            if is_so or now_s < known.due_s:
                is_settled &= is_so
                continue
            found = f"{name} {value}, not {known.value}, behind {', '.join(dict.fromkeys(self._causes)) or 'nothing'}"
            duty = self._blamed(name, known, status)
            yield duty, False, f"{found}: {status}"
            if name == "fault_shown" and duty in _OF_A_DISPLAY:
                yield "12.2", False, f"{found}: {status}"
        self._causes = [] if is_settled else self._causes[-12:]
        self.status = status

    def _sees_recount(self, status: ShufflerStatus) -> None:
        if status.recounts == self._recount or status.recounts in self._may_have:
            self._fields["recounts"] = Known(status.recounts)
            self._fields["counts_unknown"] = Known(status.counts_unknown)
            self._recount = None if status.recounts == self._recount else self._recount
        self._may_have.clear()

    def _blamed(self, name: str, known: Known, status: Any) -> str:  # noqa: ANN401 (any kind's)
        before = getattr(self.status, name)
        self._is_changed = before != getattr(status, name)
        if name in _LOCKED.get(type(status), {}):
            return self._blamed_permission(name, known, status, before)
        match name:
            case "lamp_lit":
                silently = any(one in (C.SILENCE, C.FULL) for one in self._causes)
                lit_by = ((C.SILENCE, "9.24"), (C.FULL, "9.24")) if status.lamp_lit and silently else ()
                return self._first((*lit_by, *_STAYS, (C.REFUSAL, "9.22")), "10.9" if status.jammed else "10.8")
            case "jammed":
                ended = "10.6" if status.jammed else "10.7"
                return self._first(((C.COMMAND, ended), (C.REFUSAL, ended), *_LATCH), "10.28")
            case "shown_cents":
                return self._first((*_PICTURE["12.1"], *_told_at_48(status, "12.5"), *_ANY), "12.1")
            case "lit" | "blinking":
                return self._first((*_PICTURE["14.6"], *_told_at_48(status, "14.9"), *_ANY), "14.6")
            case _ if name in COLOURS:
                return self._first((*_PICTURE["13.1"], *_told_at_48(status, "13.5"), *_ANY), "13.1")
            case "collections" | "chips":
                made = (*_told_at_48(status, "14.9"), (C.COMMAND, "14.4"))
                return self._first(((C.START, "14.3"), *made, (C.AGAIN, "14.5"), *_ANY), "14.2")
            case "recounts":
                of = tuple((cause, "9.20") for cause, _duty in _WITHDRAWN)
                return self._first((*of, (C.COMMAND, "10.23")), "10.20")
            case "counts_unknown" if isinstance(status, ShoeStatus):
                return "11.2"
            case _:
                latch = ((C.START, "10.30"),) if name == "jams" and status.jammed else ()
                return self._first((*latch, *_ANY) if name != "counts_unknown" else (), _OTHER[name])

    def _blamed_permission(self, name: str, known: Known, status: Any, before: object) -> str:  # noqa: ANN401
        is_locked = _LOCKED[type(status)][name] == known.value
        if not is_locked:
            own = "12.1" if name == "fault_shown" else _PERMISSIONS[name]
            return self._first(((C.COMMAND, own), *_ANY, (C.BEAT, "7.5"), (C.ACK, "6.13")), own)
        was_locked = _is_locked(self.status) if name == "release_until" else before == known.value
        if was_locked:
            return self._first(_GIVEN_BACK, "9.17")
        full = {"fault_shown": "12.5", "locked": "9.13"}.get(name, "9.13")
        of = tuple((cause, full if cause is C.FULL else duty) for cause, duty in _WITHDRAWN)
        return self._first(of, "10.17" if name == "release_until" else "5.9")

    def _first(self, table: tuple[tuple[Cause, str], ...], otherwise: str) -> str:
        """Returns the duty of the first row in `table` whose cause has happened; `otherwise` if there is no such row.

        The causes in `_ANY`, which should change nothing, count only if the field has changed.
        """
        idle = {} if self._is_changed else dict(_ANY)
        return next((duty for cause, duty in table if cause in self._causes and cause not in idle), otherwise)


def _told_at_48(status: Any, duty: str) -> tuple[tuple[Cause, str], ...]:  # noqa: ANN401 (any kind's)
    """Returns a row that gives `duty` for a command, if the status says `host_silent`: 48 events wait. Otherwise no
    row.
    """
    return ((C.COMMAND, duty),) if status.host_silent else ()


def _is_locked(status: Any) -> bool:  # noqa: ANN401 (any kind's)
    return not isinstance(status, ShufflerStatus) or owed(status) <= 0
