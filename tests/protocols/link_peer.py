"""One end of a link played by hand: frames written and read with the codec, without a link."""

from firmware_protocols.errors import RejectReason
from firmware_protocols.framing import FrameDecoder
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import FrameKind, Header, build, parse
from firmware_protocols.tdp.schema import DeviceKind

OPENING = 0x1001
BOOT = 7
STATUS = b"\x2a\0\0\0\x01"

Frame = tuple[FrameKind, int, int, int, bytes]


def read(data: bytes, *, from_device: bool) -> list[tuple[Header, bytes]]:
    """The frames in a link's output; asserts that every frame is good."""
    found = []
    for body in FrameDecoder().feed(data):
        assert not isinstance(body, RejectReason), body
        found.append(parse(body, from_device=from_device))
    return found


def kinds(data: bytes, *, from_device: bool) -> list[tuple[FrameKind, int]]:
    """Kind and number of each frame in a link's output."""
    return [(FrameKind(header.kind), header.number) for header, _ in read(data, from_device=from_device)]


def frame(kind: FrameKind, number: int = 0, payload: bytes = b"", *, opening: int = OPENING, boot: int = BOOT) -> bytes:
    """A frame's bytes; by default of the tests' session (`opening`, `boot`)."""
    return build(Header(kind, opening, boot, number), payload)


def hello(*, opening: int = OPENING, major: int = 1, committed_boot: int = 0, committed_number: int = 0) -> bytes:
    body = rows.HelloBody(major, 0, committed_boot, committed_number)
    return frame(FrameKind.HELLO, 0, rows.HELLO_LAYOUT.encode(body), opening=opening, boot=0)


def identity(
    *, opening: int = OPENING, boot: int = BOOT, oldest: int = 1, upcoming: int = 1, serial: str = "SIM-7"
) -> bytes:
    """The IDENTITY frame of a shoe. A serial number of five characters may have any bytes, printable or not."""
    body = rows.IdentityBody(1, 0, DeviceKind.SHOE, True, "Sabot shoe", "SIM-7", "1.0.0", oldest, upcoming)
    payload = rows.IDENTITY_LAYOUT.encode(body).replace(b"SIM-7", serial.encode()) + STATUS
    return frame(FrameKind.IDENTITY, 0, payload, opening=opening, boot=boot)


def heartbeat(number: int = 1, *, not_yet_durable: bool = False) -> bytes:
    return frame(FrameKind.HEARTBEAT, number, rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable)))


def reply(number: int, *, newest: int = 0, opening: int = OPENING, boot: int = BOOT) -> bytes:
    payload = rows.REPLY_LAYOUT.encode(rows.ReplyBody(newest)) + STATUS
    return frame(FrameKind.HEARTBEAT_REPLY, number, payload, opening=opening, boot=boot)


def answer(number: int, result: int = 0, *, opening: int = OPENING, boot: int = BOOT) -> bytes:
    payload = rows.ANSWER_LAYOUT.encode(rows.AnswerBody(0, result)) + STATUS
    return frame(FrameKind.ANSWER, number, payload, opening=opening, boot=boot)


def event(number: int, *, oldest: int = 1, opening: int = OPENING, boot: int = BOOT) -> bytes:
    payload = rows.EVENT_LAYOUT.encode(rows.EventBody(oldest)) + f"event {number}".encode()
    return frame(FrameKind.EVENT, number, payload, opening=opening, boot=boot)
