"""Two more decoders to fuzz, each against a reader of its own: what a sign answers, what a badge reader types."""

import struct

from drivers.badge import REMEMBERED, BadgeReader
from firmware_protocols.alpha import answers, packet, sign
from firmware_protocols.errors import RejectReason

Chunks = tuple[bytes, ...]


def answer(content: bytes) -> bytes:
    """An answer with a right checksum around anything."""
    total = (2 + sum(content) + 3) & 0xFFFF
    return bytes(20) + b"\x01000\x02" + content + b"\x03" + b"%04X" % total + b"\x04"


GOOD = answer(b"G11234.56")
SIGN_FRAMES = [
    GOOD,
    answer(b"E$AAL0040FF001BL00200000"),
    answer(b"A0\x1b bHELD"),
    answer(b"A0"),
    answer(b"E$AAU0040FF00"),
    answer(b"E$ABL0040FF00"),
    answer(b"E$AAL"),
    answer(b"E!"),
    answer(b"X1"),
    answer(b"A\x05"),
    answer(b"G\x05"),
    answer(b"G1" + b"9" * 126),
    b"\x01000\x02G15\x030000\x04",
    b"\x01000\x02G15\x03zzzz\x04",
    b"\x01Z00\x02G15.00\x0301AB\x04",
    b"\x01" + b"0" * 330 + b"\x04",
    b"\x06\x40",
    b"\x15\x50",
    b"\x06\x06\x40",
    b"\x06\x00",
    b"noise",
]


def run_sign(chunks: Chunks) -> None:
    """Every answer that is told stands whole in the bytes, in order; the next good one is understood."""
    decoder = answers.AnswerDecoder()
    told = []
    for chunk in chunks:
        told += decoder.feed(chunk)
        assert len(decoder._held or b"") <= answers.MAX_PACKET
    at, stream = 0, b"".join(chunks)
    for one in told:
        claimed = _claimed(one)
        place = stream.find(claimed, at)
        assert place >= 0, told
        at = place + len(claimed)
    assert decoder.feed(GOOD)[-1:] == [sign.WriteString("1", b"1234.56")]


def _claimed(one: answers.SignSays | RejectReason) -> bytes:
    match one:
        case RejectReason():
            return b""
        case answers.Acknowledged():
            return b"\x06"
        case answers.NotAcknowledged(status):
            return bytes((0x15, 0x40 | status))
        case sign.LayOutMemory(files):
            entries = (
                f"{one.label}{one.kind.value}{'L' if one.locked else 'U'}{one.size:04X}"
                f"{'FF00' if one.kind.value == 'A' else '0000'}"
                for one in files
            )
            return answer(b"E$" + "".join(entries).encode())[20:]
        case sign.WriteText(label, text):
            return answer(b"A" + label.encode() + text)[20:]
        case sign.WriteString(label, text):
            return answer(b"G" + label.encode() + text)[20:]


SIGN_CODES = (
    answers.AnswerDecoder,
    packet.decode_answer,
    packet.checksum,
    sign.decode_content,
    sign._lay_out,
)


# ---- badges

KEY = {code: digit for digit, code in zip("1234567890", range(2, 12), strict=True)}
KEY |= dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True))
KEY |= dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True))
EVENT = struct.calcsize("@llHHi")


def event(code: int, value: int = 1, kind: int = 1) -> bytes:
    return struct.pack("@llHHi", 17, 5, kind, code, value)


def typed(*codes: int) -> bytes:
    return b"".join(event(code) + event(0, 0, 0) + event(code, 0) for code in codes)


BADGE_FRAMES = [
    typed(2, 3, 4, 5, 28),
    typed(82, 79, 80, 30, 48, 96),
    typed(2, 3, 28),
    typed(44, 3, 4, 5, 28),
    typed(42, 30, 30, 30, 30, 28),
    typed(28),
    typed(*[2] * 21, 28),
    event(2, 2),
]


def run_badge(chunks: Chunks) -> None:
    """The numbers told are those that a reader of its own finds in the events; nothing else is kept."""
    reader = BadgeReader()
    reader.opened(0.0)
    for chunk in chunks:
        reader.receive_data(chunk, 1.0)
        assert len(reader._rest) < EVENT
        assert len(reader._typed) <= 20
    stream = b"".join(chunks)
    groups: list[list[int]] = [[]]
    for start in range(0, len(stream) - EVENT + 1, EVENT):
        _seconds, _micros, kind, code, value = struct.unpack("@llHHi", stream[start : start + EVENT])
        if (kind, value) == (1, 1) and code in (28, 96):
            groups.append([])
        elif (kind, value) == (1, 1) and code not in (42, 54, 58):
            groups[-1].append(code)
    whole = [group for group in groups[:-1] if 4 <= len(group) <= 20 and KEY.keys() >= set(group)]
    assert reader.shown() == ["".join(KEY[code] for code in group) for group in whole][-REMEMBERED:]
    reader.handle_timeout(9.0)
    reader.opened(10.0)
    reader.receive_data(BADGE_FRAMES[0], 10.0)
    assert reader.shown() == ["1234"]


BADGE_CODES = (BadgeReader.receive_data, BadgeReader._finish, BadgeReader._reject)
