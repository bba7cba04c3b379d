"""Our decoder for the decode bench: frames of a TDP reader's stream to typed events, with CRC, resync and counters."""

from collections import Counter

from firmware_protocols.cards import CARD_BYTES
from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import FrameIo, FrameKind, Header, build, split
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeStatus

_FACES = [byte for byte in CARD_BYTES if byte]


def frames(count: int) -> list[bytes]:
    """Events `1` to `count` of a reader, each with its whole status, as sent on the wire (43 bytes)."""
    return [_frame(number) for number in range(1, count + 1)]


def _frame(number: int) -> bytes:
    head = rows.EVENT_LAYOUT.encode(rows.EventBody(number))
    event = CardPassed(number, _FACES[number % len(_FACES)])
    return build(Header(FrameKind.EVENT, 1, 1, number), head + SHOE.encode_event(event, ShoeStatus(number)))


class Decoder:
    """The parts between a port and a driver, without the session, since a bench has no device that could answer."""

    def __init__(self) -> None:
        self._io = FrameIo(from_device=True)
        self.numbers: list[int] = []
        self.rejected: Counter[RejectReason] = Counter()

    def feed(self, data: bytes) -> None:
        for found in self._io.frames(data):
            if isinstance(found, RejectReason):
                self.rejected[found] += 1
            else:
                self._take(*found)

    def _take(self, header: Header, payload: bytes) -> None:
        head, event = split(payload, rows.EVENT_LAYOUT.size)
        rows.EVENT_LAYOUT.decode(head)
        SHOE.decode_event(event)
        self.numbers.append(header.number)
