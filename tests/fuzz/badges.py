"""The decoder of a badge reader's key events, for the fuzzing, against a reader of its own."""

import struct

from decoder import Chunks, Decoder
from traced import code_of

from drivers.badge import REMEMBERED, BadgeReader

KEY = {code: digit for digit, code in zip("1234567890", range(2, 12), strict=True)}
KEY |= dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True))
KEY |= dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True))
TWICE = -1  # a key that was not released in between: no badge's
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
    event(2) + typed(2, 3, 4, 5, 28),
]


def run_badge(chunks: Chunks) -> None:
    """Checks that the reported numbers are those that an independent reader finds in the events, and no others."""
    reader = BadgeReader()
    reader.opened(0.0)
    for chunk in chunks:
        reader.receive_data(chunk, 1.0)
        assert len(reader._rest) < EVENT
        assert len(reader._typed) <= 20
    stream = b"".join(chunks)
    groups: list[list[int]] = [[]]
    down: set[int] = set()
    for start in range(0, len(stream) - EVENT + 1, EVENT):
        _seconds, _micros, kind, code, value = struct.unpack("@llHHi", stream[start : start + EVENT])
        if (kind, value) == (1, 0):
            down.discard(code)
        elif (kind, value) == (1, 1) and code in (28, 96):
            groups.append([])
            down.clear()
        elif (kind, value) == (1, 1) and code not in (42, 54, 58):
            groups[-1].append(TWICE if code in down else code)
            down.add(code)
    whole = [group for group in groups[:-1] if 4 <= len(group) <= 20 and KEY.keys() >= set(group)]
    assert reader.shown() == ["".join(KEY[code] for code in group) for group in whole][-REMEMBERED:]
    reader.handle_timeout(9.0)
    reader.opened(10.0)
    reader.receive_data(BADGE_FRAMES[0], 10.0)
    assert reader.shown() == ["1234"]


BADGE = Decoder(
    "badge", code_of(BadgeReader.receive_data, BadgeReader._finish, BadgeReader._reject), BADGE_FRAMES, run_badge
)
