"""The code that both ends of a TDP link share: header, kinds of frame, times and sizes, events, counters, sending and
receiving.
"""

import struct
from collections import Counter
from collections.abc import Iterable, Iterator
from enum import IntEnum, StrEnum
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct, field

from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.framing import (
    DELIMITER,
    NO_TAG,
    TAG_BYTES,
    FrameDecoder,
    decode_frame,
    decode_signed,
    encode_frame,
)
from firmware_protocols.tdp.proof import tag_of
from firmware_protocols.tdp.schema import DeviceKind

PROTOCOL_MAJOR: Final = 1
PROTOCOL_MINOR: Final = 1
UNPAIRED_MINOR: Final = 0  # the minor of a connection that uses nothing of 1.1

# ---- times (seconds). PROTOCOL.md holds the same table; a test compares them. ----
HELLO_EVERY_S: Final = 0.25  # several tries within the half second that a person takes for "at once"
IDENTIFY_WITHIN_S: Final = 5.0  # a device may still be starting when its port appears
HEARTBEAT_EVERY_S: Final = 0.5  # four in each silence limit: three may be lost
SILENT_AFTER_S: Final = 2.0  # both sides; longer than any hiccup of a healthy line
COMMAND_RETRY_S: Final = 0.1  # ten times a full exchange at 115200 baud
COMMAND_RETRY_MAX_S: Final = 0.4  # so that ten tries end within 4 s
COMMAND_TRIES: Final = 10
EVENT_RETRY_S: Final = 0.2  # longer than a journal's usual commit
EVENT_RETRY_MAX_S: Final = 1.0  # while the host says that it is slow to commit, or nothing moves
NO_SESSION_EVERY_S: Final = 0.1  # two ends in different sessions must not fill the line
PAIRING_S: Final = 60.0  # from the switch to the key: long enough for a command, too short for a second visit

# ---- amounts ----
EVENT_WINDOW: Final = 8  # events on the way: the oldest unacknowledged event and those after it
EVENTS_KEPT: Final = 64  # events a device keeps until they are acknowledged
EVENTS_LOCK: Final = 48  # from here the device locks itself; sixteen are left for cards already moving
PIECE: Final = 4096  # bytes decoded at once, so that a flood of tiny frames makes no long list
UNSENT_MAX: Final = 4096  # bytes a link holds for a port that takes none; retransmission repairs the rest


class FrameKind(IntEnum):
    """The kind of a frame, which is the first byte of its body. Bit 7 is set in frames from the device."""

    HELLO = 0x01
    COMMAND = 0x02
    ACK = 0x03
    HEARTBEAT = 0x04
    PAIR = 0x05
    IDENTITY = 0x81
    ANSWER = 0x82
    EVENT = 0x83
    HEARTBEAT_REPLY = 0x84
    NO_SESSION = 0x85
    NOT_PROVEN = 0x86
    PAIRED = 0x87


FROM_DEVICE: Final = 0x80


class Header(NamedTuple):
    """The first 13 bytes of each frame's body. `host_opening` and `device_boot` together identify the session. `tag`:
    the tag of the frame; NO_TAG without a tag, or if the receiver handles no tags.
    """

    kind: int
    host_opening: int
    device_boot: int
    number: int
    tag: bytes = NO_TAG


HEADER: Final = struct.Struct("<BIII")


class DeviceIdentity(Struct, frozen=True, gc=False):
    """A device's description of itself, which does not change during a boot. Texts have at most 16 ASCII characters."""

    kind: DeviceKind
    simulated: bool
    model: str
    serial: str
    firmware: str
    major: int = PROTOCOL_MAJOR
    minor: int = UNPAIRED_MINOR  # 1: the device can be paired


class Identity(Struct, frozen=True, gc=False):
    """A device's answer to HELLO: the device's identity, and the events that it still has, from `oldest_event` to
    `next_event` - 1. `kind`: None for a kind of device that TDP lacks.
    """

    boot: int
    major: int
    minor: int
    kind: DeviceKind | None
    simulated: bool
    model: str
    serial: str
    firmware: str
    oldest_event: int
    next_event: int
    is_proven: bool = False  # by the key that the device shares with this host


class LinkDownReason(StrEnum):
    """The reason why a link ended. A link that has ended is never used again; the next connection has a new one."""

    SILENT = "silent"  # no IDENTITY in time, or nothing of the session for too long
    REBOOTED = "rebooted"  # the device has another boot number now
    SESSION_LOST = "session-lost"  # the same boot, but another session: another host spoke to the device
    VERSION = "version"  # another protocol major
    COMMAND_UNANSWERED = "command-unanswered"  # alive, but it does not answer a command
    BOOT_NUMBER_REUSED = "boot-number-reused"  # the device knows fewer events of this boot than the host does
    UNPROVEN = "unproven"  # an answer does not prove that it is the paired device
    PAIRED = "paired"  # the device is paired, and answers only the holder of its key


# ---- events of the host's end ----


class Identified(Struct, frozen=True, gc=False):
    identity: Identity
    status_payload: bytes


class EventTaken(Struct, frozen=True, gc=False):
    """The next event in order has arrived. The host acknowledges `number` once the event is durable."""

    number: int
    payload: bytes


class CommandAnswered(Struct, frozen=True, gc=False):
    """The device has executed or refused the command that waited for its answer.

    `status_payload`: the status after the command and after event `newest_event`.
    """

    number: int
    result: int
    status_payload: bytes
    newest_event: int = 0


class StatusHeard(Struct, frozen=True, gc=False):
    """The device's present status, after event `newest_event`. Events up to this one may still arrive."""

    status_payload: bytes
    newest_event: int = 0


class EventsMissed(Struct, frozen=True, gc=False):
    """The events `first` to `last` of the device's boot are lost for good. The effect of these events shows only in the
    totals of the device's status.
    """

    first: int
    last: int


class LinkDown(Struct, frozen=True, gc=False):
    """The link has ended. `command_unknown`: the number of a command with an unknown outcome, or None."""

    reason: LinkDownReason
    detail: str
    command_unknown: int | None = None


class FrameRejected(Struct, frozen=True, gc=False):
    """`count` runs of bytes have been rejected for this reason since the last call of `events`."""

    reason: RejectReason
    count: int = 1


LinkEvent: TypeAlias = Identified | EventTaken | CommandAnswered | StatusHeard | EventsMissed | LinkDown | FrameRejected

# ---- events of the device's end ----


class SessionOpened(Struct, frozen=True, gc=False):
    """A host has opened a session. The device must withdraw every permission of an earlier session."""

    opening: int
    major: int
    minor: int


class CommandReceived(Struct, frozen=True, gc=False):
    """A command for the device, which must execute it once and call `answer` before the link gets more bytes."""

    number: int
    payload: bytes


DeviceLinkEvent: TypeAlias = SessionOpened | CommandReceived


class LinkStats(Struct):
    """The counters and times of one link. Only the link changes them."""

    good_frames: int = 0
    rejected: Counter[RejectReason] = field(default_factory=Counter)
    bytes_dropped: int = 0
    retransmissions: int = 0
    duplicates: int = 0
    out_of_order: int = 0
    frames_not_sent: int = 0  # the port took nothing and the buffer was full
    events_discarded: int = 0  # events that a device dropped beyond EVENTS_KEPT
    rtt_s: float | None = None  # smoothed
    last_good_s: float | None = None


def is_newer(number: int, than: int) -> bool:
    """True if `number` comes after `than`, by less than 2**31. The numbers begin again at 0 after 2**32 - 1."""
    return 0 < (number - than) % 2**32 < 2**31


def body_of(header: Header, payload: bytes) -> bytes:
    """Returns the bytes of a frame that the tag covers: header and payload."""
    return HEADER.pack(*header[:-1]) + payload


def build(header: Header, payload: bytes = b"", key: bytes | None = None) -> bytes:
    """Encodes a whole frame, with a zero before it. Adds a tag unless `key` is None. Raises ValueOutOfBounds."""
    body = body_of(header, payload)
    return DELIMITER + encode_frame(body, NO_TAG if key is None else tag_of(key, body))


def parse(body: bytes, *, from_device: bool, tag: bytes = NO_TAG) -> tuple[Header, bytes]:
    """Splits a frame's body into header and payload. `from_device`: True for a body from the device, False for one from
    the host. `tag`: the tag of the header to return.

    Raises FrameError.
    """
    if len(body) < HEADER.size:
        raise FrameError(RejectReason.BAD_LENGTH, f"{len(body)} bytes are less than a header")
    header = _made_header(Header, (*HEADER.unpack_from(body), tag))
    if header.kind not in _KINDS_FROM[from_device]:
        if header.kind not in _KINDS_FROM[not from_device]:
            raise FrameError(RejectReason.UNKNOWN_KIND, f"{header.kind:#04x}")
        raise FrameError(RejectReason.WRONG_DIRECTION, FrameKind(header.kind).name)
    return header, body[HEADER.size :]


def split(payload: bytes, size: int) -> tuple[bytes, bytes]:
    """Splits a payload after `size` bytes. Raises FrameError if the payload has fewer bytes."""
    if len(payload) < size:
        raise FrameError(RejectReason.BAD_LENGTH, f"{len(payload)} bytes, at least {size} expected")
    return payload[:size], payload[size:]


_made_header: Final = tuple.__new__  # does the same as `Header._make` with one call less
_KINDS_FROM: Final = {
    from_device: frozenset(kind for kind in FrameKind if bool(kind & FROM_DEVICE) is from_device)
    for from_device in (False, True)
}


class FrameIo:
    """Decodes frames from the other end of the link, and keeps at most UNSENT_MAX bytes of frames to send.
    `takes_tags`: True to accept frames with a tag, which the header then has; False to reject them.
    """

    def __init__(self, *, from_device: bool, takes_tags: bool = False) -> None:
        self.stats = LinkStats()
        self._from_device = from_device
        self._takes_tags = takes_tags
        self._decoder = FrameDecoder(decode=decode_signed if takes_tags else decode_frame)
        self.unsent = bytearray()

    def frames(self, data: bytes) -> Iterable[tuple[Header, bytes] | RejectReason]:
        """Returns the frames that `data` completes: each as header and payload, or as the reason to reject it."""
        if self._decoder.hold(data):
            return ()
        return self._completed(data) if len(data) <= PIECE else self._in_pieces(data)

    def _in_pieces(self, data: bytes) -> Iterator[tuple[Header, bytes] | RejectReason]:
        for start in range(0, len(data), PIECE):
            yield from self._completed(data[start : start + PIECE])

    def _completed(self, piece: bytes) -> list[tuple[Header, bytes] | RejectReason]:
        found: list[tuple[Header, bytes] | RejectReason] = []
        for body in self._decoder.feed(piece):
            if not isinstance(body, bytes):
                found.append(body)
                continue
            at = len(body) - TAG_BYTES if self._takes_tags else len(body)
            try:
                found.append(parse(body[:at], from_device=self._from_device, tag=body[at:] or NO_TAG))
            except FrameError as error:
                found.append(error.reason)
        self.stats.bytes_dropped = self._decoder.bytes_dropped
        return found

    def send(self, header: Header, payload: bytes = b"", key: bytes | None = None) -> None:
        """Queues a frame, with a tag unless `key` is None. Raises ValueOutOfBounds.

        Drops and counts a frame for which the buffer has no room.
        """
        frame = build(header, payload, key)
        if len(self.unsent) + len(frame) > UNSENT_MAX:
            self.stats.frames_not_sent += 1
        else:
            self.unsent += frame

    def drain(self) -> bytes:
        """Returns all queued bytes, and forgets them."""
        if not self.unsent:
            return b""
        data = bytes(self.unsent)
        self.unsent.clear()
        return data
