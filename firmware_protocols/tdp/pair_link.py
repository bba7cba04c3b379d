"""The host's end of a line while the host gives a device its key (PROTOCOL.md, section 18). Sans-IO."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import (
    HELLO_EVERY_S,
    PROTOCOL_MAJOR,
    PROTOCOL_MINOR,
    FrameIo,
    FrameKind,
    Header,
    Identity,
    body_of,
)
from firmware_protocols.tdp.proof import NO_KEY, is_proven

_HELLO: Final = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, PROTOCOL_MINOR, 0, 0))


class Pairing(Enum):
    """The step that a pairing has reached."""

    SILENT = auto()  # the device has not answered
    SWITCH_OFF = auto()  # the device is paired, or takes no key because its switch is off
    CANNOT = auto()  # the device speaks 1.0
    NOT_MEANT = auto()  # another device than the one that shall get the key
    DONE = auto()


class PairingHost:
    """Gives a device its key: sends HELLO until the device answers, then PAIR until PAIRED comes. `key`: all zeros to
    unpair the device. `is_meant`: returns True for the device that must get the key.
    """

    def __init__(self, *, opening: int, key: bytes, now_s: float, is_meant: Callable[[Identity], bool]) -> None:
        self._io = FrameIo(from_device=True, takes_tags=True)
        self._opening, self._key, self._is_meant = opening, key, is_meant
        self._due_s = now_s
        self.state = Pairing.SILENT
        self.who: Identity | None = None
        self.handle_timeout(now_s)

    @property
    def is_over(self) -> bool:
        """True if the device has the key, or if the pairing cannot continue."""
        return self.state in {Pairing.DONE, Pairing.CANNOT, Pairing.NOT_MEANT}

    def receive_data(self, data: bytes) -> None:
        """Receives the bytes that have arrived."""
        for found in self._io.frames(data):
            if not isinstance(found, RejectReason) and found[0].host_opening == self._opening:
                self._take(*found)

    def handle_timeout(self, now_s: float) -> None:
        """Repeats the HELLO or PAIR that waits for an answer, if the repetition is due at `now_s`."""
        if now_s < self._due_s or self.is_over:
            return
        self._due_s = now_s + HELLO_EVERY_S
        if self.who is None:
            self._io.send(Header(FrameKind.HELLO, self._opening, 0, 0), _HELLO)
        else:
            self._io.send(Header(FrameKind.PAIR, self._opening, self.who.boot, 0), self._key)

    def next_timeout_s(self) -> float:
        """Returns the time in the caller's seconds at which `handle_timeout` is due."""
        return self._due_s

    def data_to_send(self) -> bytes:
        """Returns the bytes to send, each once."""
        return self._io.drain()

    def _take(self, header: Header, payload: bytes) -> None:
        match header.kind:
            case FrameKind.IDENTITY:
                self._take_identity(header, payload)
            case FrameKind.NOT_PROVEN:
                self.state = Pairing.SWITCH_OFF
            case FrameKind.PAIRED if self._is_paired(header, payload):
                self.state = Pairing.DONE
            case _:
                pass

    def _take_identity(self, header: Header, payload: bytes) -> None:
        try:
            body, _status = rows.IDENTITY_LAYOUT.split(payload)
        except FrameError:
            return
        self.who = rows.identity_of(header.device_boot, body)
        if (body.major, body.minor) < (PROTOCOL_MAJOR, PROTOCOL_MINOR) or body.major != PROTOCOL_MAJOR:
            self.state = Pairing.CANNOT
        elif not self._is_meant(self.who):
            self.state = Pairing.NOT_MEANT
        elif self.state is not Pairing.DONE:
            self.state = Pairing.SWITCH_OFF  # until the device takes the key

    def _is_paired(self, header: Header, payload: bytes) -> bool:
        return self._key == NO_KEY or is_proven(self._key, body_of(header, payload), header.tag)
