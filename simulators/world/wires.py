"""Serial lines in virtual time: bytes at the speed of the wire, cables that can be pulled, and disturbances of the
bytes.

A line keeps the order of its bytes. Each disturbance has its own random generator, so no disturbance changes the effect
of another.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from random import Random
from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.errors import RejectReason
from firmware_protocols.framing import DELIMITER, TAG_BYTES, decode_signed
from firmware_protocols.tdp.link import FROM_DEVICE, FrameKind, Header, build, parse
from firmware_protocols.tdp.link_rows import EVENT_LAYOUT, EventBody
from simulators.world.clock import VirtualClock
from simulators.world.fault_kinds import FaultKind as K

BYTE_S: Final = 10 / 115_200
"""Time of one byte: 8N1 at 115200 baud."""

ADAPTER_S: Final = 0.001
"""Time that a USB adapter adds to each transfer."""

Deliver: TypeAlias = Callable[[bytes], None]


class LineTrouble(Struct):
    """One disturbance of a line until `until_s`. `meets`: called whenever the disturbance has an effect."""

    kind: K
    until_s: float
    share: float  # the share of frames with the trouble
    delay_s: float
    rng: Random
    meets: Callable[[], None]
    denied: int | None = None  # the number of the event that is withheld for good


class _Piece(Struct):
    """Bytes on their way, and the time before which they must not leave."""

    data: bytes
    not_before_s: float = 0.0


def nobody_reads(_data: bytes) -> None:
    """Drops bytes that arrive at a closed port."""


class Pipe:
    """One direction of a serial line."""

    def __init__(self, clock: VirtualClock) -> None:
        self._clock = clock
        self.deliver: Deliver = nobody_reads  # the listener at its end
        self._free_s = 0.0
        self._cable = 0  # grows with each pulling of the cable, which loses all bytes under way
        self.under_way = 0  # number of pieces
        self.troubles: list[LineTrouble] = []
        self.tap: Callable[[bytes], list[bytes]] | None = None  # an attacker: returns the writes that pass instead

    def push(self, data: bytes) -> None:
        """Sends bytes now, or as soon as all earlier bytes have left."""
        for passing in (data,) if self.tap is None else self.tap(data):
            self._push(passing)

    def _push(self, data: bytes) -> None:
        now_s = self._clock.now_s
        if not self.troubles:
            self.put_on_its_way(data, max(now_s, self._free_s))
            return
        self.troubles = [trouble for trouble in self.troubles if trouble.until_s > now_s]
        for piece in self._harmed(data):
            self.put_on_its_way(piece.data, max(now_s, self._free_s, piece.not_before_s))

    def put_on_its_way(self, data: bytes, since_s: float) -> None:
        """Sends bytes as if at the past time `since_s`, late enough that they are still under way."""
        self._free_s = since_s + len(data) * BYTE_S
        self.under_way += 1
        self._clock.at(self._free_s + ADAPTER_S, partial(self._arrive, data, self._cable))

    def lose_all(self) -> None:
        """Drops all bytes on their way, as when the cable is pulled."""
        self._cable += 1
        self._free_s = 0.0

    def _arrive(self, data: bytes, cable: int) -> None:
        self.under_way -= 1
        if cable == self._cable:
            self.deliver(data)

    def _harmed(self, data: bytes) -> list[_Piece]:
        pieces = [_Piece(b"\0" + frame + b"\0") for frame in data.split(b"\0") if frame]
        for trouble in self.troubles:
            pieces = [harmed for piece in pieces for harmed in _harm(trouble, piece, self._clock.now_s)]
        return pieces


def _harm(trouble: LineTrouble, piece: _Piece, now_s: float) -> list[_Piece]:
    if trouble.kind is not K.LINK_CUT and trouble.kind is not K.LINK_STALL and trouble.rng.random() >= trouble.share:
        return [piece]
    if not _can_affect(trouble.kind, piece.data):
        return [piece]
    trouble.meets()
    if trouble.kind in _MADE_UP:
        return _made_up(trouble, piece)
    match trouble.kind:
        case K.LINK_LOSS | K.LINK_CUT | K.EVENTS_WITHHELD:
            return []
        case K.LINK_DUPLICATION:
            return [piece, piece]
        case K.LINK_CORRUPTION:
            return [_Piece(_damaged(piece.data, trouble.rng), piece.not_before_s)]
        case K.LINK_DELAY | K.ANSWERS_LATE:
            return [_Piece(piece.data, max(piece.not_before_s, now_s + trouble.rng.random() * trouble.delay_s))]
        case K.LINK_STALL:
            return [_Piece(piece.data, max(piece.not_before_s, trouble.until_s))]
        case _:
            raise ValueError(trouble.kind)


def _made_up(trouble: LineTrouble, piece: _Piece) -> list[_Piece]:
    """Returns the pieces that arrive instead of `piece`, with bytes that no device of this project would send."""
    match trouble.kind:
        case K.EVENTS_DENIED:
            return _denied(trouble, piece)
        case K.OLD_FRAMES:
            return [piece, _Piece(_of_an_older_session(piece.data), piece.not_before_s)]
        case _:
            return [_Piece(_noise(trouble.rng) + piece.data, piece.not_before_s)]


def _can_affect(kind: K, data: bytes) -> bool:
    if kind in _OF_EVENTS and data[_KIND_AT] != FrameKind.EVENT:
        return False
    if kind in _FORGED and data[_KIND_AT] < FROM_DEVICE:
        return False  # the host's own frames are never forged
    # a damaged frame stays as it is
    return kind not in _FORGED or not isinstance(decode_signed(data[1:-1]), RejectReason)


def _damaged(data: bytes, rng: Random) -> bytes:
    """Returns `data` with one bit flipped, one byte lost, or noise between two bytes."""
    at, how = rng.randrange(len(data)), rng.randrange(3)
    if how == 0:
        return data[:at] + bytes([data[at] ^ 1 << rng.randrange(8)]) + data[at + 1 :]
    noise = rng.randbytes(rng.randint(1, 9)) if how == 1 else b""
    return data[:at] + noise + data[at + (how == 2) :]


_OF_EVENTS: Final = frozenset((K.EVENTS_WITHHELD, K.EVENTS_DENIED))
_FORGED: Final = frozenset((K.EVENTS_DENIED, K.OLD_FRAMES))
_MADE_UP: Final = frozenset((*_FORGED, K.LINK_NOISE))
_MOST_NOISE: Final = 3500


def _noise(rng: Random) -> bytes:
    """Returns random bytes without a frame delimiter, so that the receiver drops them together with the next frame."""
    return rng.randbytes(rng.randint(200, _MOST_NOISE)).replace(b"\0", b"\1")


def _of_an_older_session(data: bytes) -> bytes:
    """Returns the frame `data` with the number of the previous connection instead of the present one."""
    header, payload = _read(data)
    return build(header._replace(host_opening=header.host_opening - 1), payload) + DELIMITER


def _denied(trouble: LineTrouble, piece: _Piece) -> list[_Piece]:
    """Drops the first event for good. Changes each later event: it names an event after the dropped one as the oldest
    event that the device still has.
    """
    header, payload = _read(piece.data)
    if trouble.denied is None:
        trouble.denied = header.number
    if header.number <= trouble.denied:
        return []
    head, rest = EVENT_LAYOUT.split(payload)
    oldest = max(head.oldest_event, trouble.denied + 1)
    return [_Piece(build(header, EVENT_LAYOUT.encode(EventBody(oldest)) + rest) + DELIMITER, piece.not_before_s)]


def _read(data: bytes) -> tuple[Header, bytes]:
    """Parses a device's frame between two zero bytes into header and payload. Raises TypeError for a damaged frame."""
    signed = decode_signed(data[1:-1])
    if not isinstance(signed, bytes):
        raise TypeError(signed)
    return parse(signed[:-TAG_BYTES], from_device=True)


_KIND_AT: Final = 2  # in a sent frame: after the leading zero and the first byte of COBS


def only_kind(data: bytes) -> int | None:
    """Returns the kind (FrameKind) of the frame in `data`; None if `data` is not exactly one frame."""
    return data[_KIND_AT] if data.count(0) == 2 else None


@dataclass(slots=True)
class Line:
    """The serial line between a port of the controller's computer and one device. A pulled cable carries nothing."""

    clock: VirtualClock
    plugged: bool = True
    on_unplugged: Callable[[], None] = field(default=lambda: None)
    wake: Callable[[], None] = field(default=lambda: None)  # ends the rest of a quiet line (quiet.py)
    catch_up: Callable[[], None] = field(default=lambda: None)  # called before counts are read
    down: Pipe = field(init=False)
    up: Pipe = field(init=False)

    def __post_init__(self) -> None:
        self.down = Pipe(self.clock)
        self.up = Pipe(self.clock)

    @property
    def is_sound(self) -> bool:
        """True if the cable is plugged in and nothing disturbs the line."""
        return self.plugged and not (self.down.troubles or self.up.troubles)

    def plug(self) -> None:
        """Plugs the cable in."""
        self.plugged = True

    def unplug(self) -> None:
        """Pulls the cable: bytes on their way are lost, and an open port gets an error."""
        if self.plugged:
            self.wake()
            self.plugged = False
            self.down.lose_all()
            self.up.lose_all()
            self.on_unplugged()

    def send_down(self, data: bytes) -> None:
        """Sends bytes from the open port to the device; a pulled cable drops them."""
        if self.plugged:
            self.down.push(data)

    def send_up(self, data: bytes) -> None:
        """Sends bytes from the device to the open port; a pulled cable drops them."""
        if self.plugged:
            self.up.push(data)
