"""Finds the duty that a missing or superfluous frame of the device breaks, by the latest acts of the host.

Each kind of frame has a table of acts with their duties. The first act in the table that the host has done gives the
duty. A missing EVENT breaks a duty by the reason why it was due: the end of a silence, an acknowledgement, or the time.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from firmware_protocols.tdp.conform.twin import Difference
from firmware_protocols.tdp.conform.why import Why
from firmware_protocols.tdp.link import FrameKind

K: Final = FrameKind
Row = Mapping[str, str]

_MISSING: Final[Mapping[FrameKind, Row]] = {
    K.IDENTITY: {
        "major": "4.2",
        "session": "4.4",
        "hello-minor": "4.15",
        "hello-again": "4.3",
        "hello-commits": "4.3",
        "hello-wrong-commit": "4.3",
    },
    K.ANSWER: {
        "command-again": "5.2",
        "command-other": "5.3",
        "noise": "2.7",
        "others": "3.7",
        "copy": "18.8",
        "command": "5.1",
    },
    K.HEARTBEAT_REPLY: {"noise": "2.7", "copy": "18.8", "beat": "7.2", "beat-slow": "7.2"},
    K.NO_SESSION: {"others": "4.13", "others-ack": "4.13", "wrong-value": "3.5", "wrong": "3.5"},
    K.EVENT: {"hello-again": "4.3", "hello-wrong-commit": "4.3"},  # of a reason that `_MISSING_EVENT` lacks
}
_MISSING_EVENT: Final[Mapping[Why | None, str]] = {
    Why.SESSION: "4.6",
    Why.END: "6.17",
    Why.ACK: "6.8",
    Why.SHORT: "6.10",
}
_EXTRA: Final[Mapping[FrameKind, Row]] = {
    K.IDENTITY: {
        "hello-old": "4.7",
        "hello-wrong": "3.8",
        "hello-short": "3.2",
        "hello-unproven": "18.1",
        "session": "4.1",
    },
    K.ANSWER: {
        "others": "3.7",
        "tagged": "2.2",
        "untagged": "18.6",
        "noise": "2.5",
        "command-other": "5.3",
        "command-again": "5.3",
        "wrong": "3.2",
    },
    K.HEARTBEAT_REPLY: {
        "others": "3.7",
        "untagged": "18.6",
        "copy": "18.8",
        "noise": "2.5",
        "wrong-value": "3.3",
        "wrong": "3.2",
    },
    K.NO_SESSION: {"others": "4.14", "others-ack": "4.14", "noise": "2.5", "wrong": "3.2", "wrong-value": "3.2"},
    K.EVENT: {"hello-again": "4.3", "hello-wrong-commit": "4.3", "beat-slow": "6.11", "ack-wrong": "6.13"},
}
_OTHERWISE: Final[Row] = {
    "IDENTITY": "4.1",
    "ANSWER": "5.1",
    "HEARTBEAT_REPLY": "7.2",
    "NO_SESSION": "4.13",
    "EVENT": "6.9",
    "NOT_PROVEN": "18.1",
    "PAIRED": "18.15",
}
_OF_A_COMMAND: Final = ("5.1", "5.3")
_SAYS_0: Final = ("command-again", "command-other")  # acts that say COMMAND 0 where none was said before
_OLDEST: Final[Row] = {
    "hello-commits": "4.8",
    "hello-wrong-commit": "4.9",
    "ack": "6.12",
    "ack-wrong": "6.13",
    "ack-payload": "3.2",
    "others-ack": "3.7",
    "tagged": "2.2",
    "untagged": "18.6",
    "noise": "2.5",
}


def blamed(one: Difference, said: Sequence[str]) -> str:
    """Returns the number of the duty that the missing or superfluous frame `one` breaks. `said`: the names of the
    host's acts since the last comparison.
    """
    if one.kind is K.EVENT and one.is_missing:
        return _of_missing_event(one, said)
    if one.kind is K.EVENT and one.why is None:
        return "6.17"
    if one.why is Why.ACK:
        return "4.8" if "hello-commits" in said else "6.12"
    rows = (_MISSING if one.is_missing else _EXTRA).get(one.kind, {})
    duty = _first(rows, said, _OTHERWISE[one.kind.name])
    is_of_no_command = one.kind is K.ANSWER and not one.is_missing and one.number == 0
    is_asked = duty in _OF_A_COMMAND or any(name in said for name in _SAYS_0)
    return "5.4" if is_of_no_command and is_asked else duty


def _of_missing_event(one: Difference, said: Sequence[str]) -> str:
    """Returns the number of the duty that a missing EVENT breaks, by the reason why the EVENT was due.

    The host's acts determine it instead for the event `started`, for a slow host, and for a reason that has no duty of
    its own.
    """
    if one.number == 1 and "power" in said:
        return "9.26"
    if one.why is Why.TIME and "beat-slow" in said:
        return "6.11"
    otherwise = _first(_MISSING[K.EVENT], said, _OTHERWISE[one.kind.name])
    return _MISSING_EVENT.get(one.why, otherwise)


def blamed_oldest(said: Sequence[str], otherwise: str) -> str:
    """Returns the number of the duty that a wrong `oldest_event` in a frame breaks.

    `said`: the names of the host's acts since the last comparison. `otherwise`: the duty if none of these acts can be
    the cause.
    """
    return _first(_OLDEST, said, otherwise)


def _first(rows: Row, said: Sequence[str], otherwise: str) -> str:
    return next((duty for name, duty in rows.items() if name in said), otherwise)
