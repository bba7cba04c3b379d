"""Tests the tags and nonces of a paired device's frames."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from enum import Enum, auto
from typing import Final

from firmware_protocols.framing import NO_TAG
from firmware_protocols.tdp.host_proof import HostProof
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.link_rows import EVENT_LAYOUT, IDENTITY_LAYOUT
from firmware_protocols.tdp.proof import NONCE_BYTES

DUTY_OF_TAG: Final[Mapping[int, str]] = {
    FrameKind.NO_SESSION: "18.10",
    FrameKind.NOT_PROVEN: "18.1",
    FrameKind.PAIRED: "18.15",
}
"""The duty that requires a tag on each of these kinds; on frames of a session it is 18.3."""


class Own(Enum):
    """A placeholder for the key that PROTOCOL.md prescribes for the kind of a frame."""

    OWN = auto()


OWN: Final = Own.OWN


class Nonces:
    """The nonces that the device has used in all proven sessions so far."""

    def __init__(self) -> None:
        self._of_opening: dict[int, bytes] = {}
        self._session_of: dict[bytes, tuple[int, int, int]] = {}  # opening, boot, how many sessions of it were before
        self._times = Counter[int]()  # by opening, the further sessions that it has had

    def begins(self, opening: int) -> None:
        """Notes a HELLO with another nonce of the host, which begins a further session of the opening `opening`."""
        self._of_opening.pop(opening, None)
        self._times[opening] += 1

    def of_identity(self, header: Header, nonce: bytes) -> Iterator[tuple[str, bool, str]]:
        """Yields the findings about the nonce in an IDENTITY. One session must keep one nonce, and each further session
        must have another nonce.
        """
        is_same = self._of_opening.setdefault(header.host_opening, nonce) == nonce
        yield "18.5", is_same, f"IDENTITY of opening {header.host_opening} has another nonce than before"
        session = (header.host_opening, header.device_boot, self._times[header.host_opening])
        first = self._session_of.setdefault(nonce, session)
        yield "18.4", first == session, f"the nonce {nonce.hex()} is that of opening {first[0]}, boot {first[1]}, too"


class Pads:
    """The encrypted byte of each event of a paired device, as it was first sent, by the session's key."""

    def __init__(self, secret_at: Callable[[bytes], int | None]) -> None:
        self._secret_at = secret_at
        self._first: dict[tuple[bytes, int], int] = {}

    def of_event(self, header: Header, raw: bytes, session: bytes) -> Iterator[tuple[str, bool, str]]:
        """Yields the finding about the encrypted byte of an event. The byte must be the same each time the device sends
        the event in a session. `session`: the session's key.
        """
        event = raw[EVENT_LAYOUT.size :]
        if header.kind == FrameKind.EVENT and (at := self._secret_at(event)) is not None:
            is_same = self._first.setdefault((session, header.number), event[at]) == event[at]
            yield "18.12", is_same, f"EVENT {header.number} comes again with another covered byte"


def has_its_tag(proof: HostProof, header: Header, raw: bytes) -> bool:
    """True if a frame of a paired device has the tag, or lacks it, as its kind requires."""
    match header.kind:
        case FrameKind.IDENTITY:
            return proof.takes_identity(header, raw)
        case FrameKind.NOT_PROVEN:
            return header.tag == NO_TAG
        case _:
            return proof.takes(header, raw)


def nonce_in(raw: bytes) -> bytes:
    """The device's nonce in the payload of a proven IDENTITY."""
    return raw[IDENTITY_LAYOUT.size :][:NONCE_BYTES]
