"""The duty that a missing frame breaks, or one too many, by what the host has just done.

The first act of a row that the host has done says which duty it is.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from firmware_protocols.tdp.conform.twin import Difference, Twin
from firmware_protocols.tdp.link import FrameKind

K: Final = FrameKind
Row = Mapping[str, str]

_MISSING: Final[Mapping[FrameKind, Row]] = {
    K.IDENTITY: {
        "major": "4.2",
        "session": "4.4",
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
    K.EVENT: {
        "power": "9.26",
        "session": "4.6",
        "hello-again": "4.3",
        "hello-wrong-commit": "4.3",
        "ack": "6.8",
        "hello-commits": "6.8",
        "silence": "6.17",
        "beat-slow": "6.11",
    },
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
    K.EVENT: {
        "hello-again": "4.3",
        "hello-wrong-commit": "4.3",
        "ack": "6.12",
        "hello-commits": "4.8",
        "beat-slow": "6.11",
        "ack-wrong": "6.13",
    },
}
_GONE: Final = ("4.8", "6.12")
"""Duties of events that are acknowledged, and come no more."""
_OTHERWISE: Final[Row] = {
    "IDENTITY": "4.1",
    "ANSWER": "5.1",
    "HEARTBEAT_REPLY": "7.2",
    "NO_SESSION": "4.13",
    "EVENT": "6.9",
    "NOT_PROVEN": "18.1",
    "PAIRED": "18.15",
}
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


def blamed(one: Difference, said: Sequence[str], twin: Twin) -> str:
    """The duty that this frame breaks, left out or said too often."""
    if one.kind is K.EVENT and twin.host_silent and not one.is_missing:
        return "6.17"
    rows = (_MISSING if one.is_missing else _EXTRA).get(one.kind, {})
    duty = _first(rows, said, _OTHERWISE[one.kind.name])
    is_waiting = one.kind is K.EVENT and not one.is_missing and one.number >= twin.oldest
    return "6.9" if is_waiting and duty in _GONE else duty  # it may come, and not yet


def blamed_oldest(said: Sequence[str], otherwise: str) -> str:
    """The duty that a wrong `oldest_event` breaks: the act acknowledges, or does not."""
    return _first(_OLDEST, said, otherwise)


def _first(rows: Row, said: Sequence[str], otherwise: str) -> str:
    return next((duty for name, duty in rows.items() if name in said), otherwise)
