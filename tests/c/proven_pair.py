"""Two shufflers that can be paired, ours and the C core, with hosts that have the key, hosts without it, and attackers
who record the cable.
"""

from collections.abc import Callable
from struct import pack
from typing import ClassVar, Final

from firmware_protocols.tdp.common import Query
from firmware_protocols.tdp.link import PAIRING_S, FrameKind, Header, build
from firmware_protocols.tdp.link_rows import HELLO_LAYOUT, HelloBody
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import NO_KEY
from firmware_protocols.tdp.shuffler import SHUFFLER, ShufflerApply
from tests.c.pair import BOOT, LETTERS, NOW_S, OPENING, Pair

KEY: Final = bytes(range(32))
OTHER_KEY: Final = bytes(range(1, 33))
NONCE: Final = bytes(range(0xA0, 0xB0))
OTHER_NONCE: Final = bytes(range(0xC0, 0xD0))
DRAWN: Final = 5


class Draws:
    """The random numbers of host.c, and the nonces that the C core makes of them."""

    def __init__(self) -> None:
        self._next, self._boot, self._made = DRAWN, 0, 0

    def nonce(self, boot: int) -> bytes:
        if boot != self._boot:
            self._boot, self._made = boot, 0
        first, second, *rest = (self._draw() for _ in range(4))
        self._made += 1
        return pack("<4I", first ^ self._made - 1, second ^ boot, *rest)

    def _draw(self) -> int:
        drawn, self._next = self._next, (self._next * 1664525 + 1013904223) % 2**32
        return drawn


class ProvenPair(Pair):
    """Both have the key from the beginning; `heard`: each frame that both have received."""

    link_type: ClassVar = PairableLink

    def meet(self) -> None:
        draws = Draws()
        self.heard: list[bytes] = []
        self.opening = OPENING
        self.ours.pairing.draw = lambda: draws.nonce(self.ours.boot)
        self.in_c._core.tell(NOW_S, "draw", DRAWN)
        for device in (self.ours, self.in_c):
            device.keys = lambda _serial: KEY
            device.identify_as(device.identity)

    def hear(self, data: bytes) -> None:
        self.heard.append(data)
        super().hear(data)
        self.opening = self.link._opening or self.opening

    @property
    def link(self) -> PairableLink:
        link = self.ours._link
        assert isinstance(link, PairableLink)
        return link

    def says(self, kind: FrameKind, number: int, payload: bytes, key: bytes | None) -> None:
        """Sends a frame in the present session, or in the previous one."""
        self.hear(build(Header(kind, self.opening, self.ours.boot, number), payload, key))

    def switch(self) -> None:
        self.do(lambda device, now_s: device.switch_pairing_on(now_s))

    def again(self, back: int) -> None:
        """Repeats a recorded frame, as an attacker on the cable does."""
        if len(self.heard) >= back:
            self.hear(self.heard[-back])


Deed = Callable[[ProvenPair], object]


def hello(key: bytes | None = KEY, nonce: bytes = NONCE, opening: int = OPENING, *, committed: int = 0) -> Deed:
    payload = HELLO_LAYOUT.encode(HelloBody(1, 1, BOOT if committed else 0, committed)) + nonce
    return lambda pair: pair.hear(build(Header(FrameKind.HELLO, opening, 0, 0), payload, key))


def says(kind: FrameKind, number: int, payload: bytes = b"") -> Deed:
    return lambda pair: pair.says(kind, number, payload, pair.link._key)


def forged(kind: FrameKind, number: int, payload: bytes = b"", key: bytes | None = None) -> Deed:
    return lambda pair: pair.says(kind, number, payload, key)


QUERY: Final = SHUFFLER.encode_command(Query())
RELEASE: Final = SHUFFLER.encode_command(ShufflerApply(1))
ALL: Final = SHUFFLER.encode_command(ShufflerApply(5, True, True, True, 1, 3))
HANDS: Final = ("a-moment", "a-retry", "silence", "lid", "jam", "draw", "power", "flutter")

PROVEN: Final[dict[str, Deed]] = {
    "hello": hello(),
    "hello-newer": hello(opening=OPENING + 1),
    "hello-older": hello(opening=OPENING - 1),
    "hello-other-nonce": hello(nonce=OTHER_NONCE),
    "hello-committed": hello(committed=2),
    "hello-bare": hello(nonce=b""),
    "hello-of-nobody": hello(None, b""),
    "hello-newer-of-nobody": hello(None, b"", OPENING + 2),
    "hello-of-another": hello(OTHER_KEY, opening=OPENING + 3),
    "hello-numbered": lambda pair: pair.hear(build(Header(FrameKind.HELLO, OPENING, 0, 1), bytes(10))),
    "hello-other-major": lambda pair: pair.hear(build(Header(FrameKind.HELLO, OPENING, 0, 0), b"\2\0")),
    "query": says(FrameKind.COMMAND, 1, QUERY),
    "release": says(FrameKind.COMMAND, 1, RELEASE),
    "all": says(FrameKind.COMMAND, 2, ALL),
    "release-without-proof": forged(FrameKind.COMMAND, 1, RELEASE),
    "release-of-the-pair": forged(FrameKind.COMMAND, 1, RELEASE, KEY),
    "ack": says(FrameKind.ACK, 1),
    "ack-all": says(FrameKind.ACK, 4),
    "ack-too-much": says(FrameKind.ACK, 99),
    "ack-long": says(FrameKind.ACK, 4, b"\1"),
    "ack-without-proof": forged(FrameKind.ACK, 4),
    "beat-0": says(FrameKind.HEARTBEAT, 0, b"\0"),
    "beat-1": says(FrameKind.HEARTBEAT, 1, b"\0"),
    "beat-7": says(FrameKind.HEARTBEAT, 7, b"\1"),
    "beat-wrong": says(FrameKind.HEARTBEAT, 8, b"\7"),
    "beat-without-proof": forged(FrameKind.HEARTBEAT, 9, b"\0"),
    "switch": ProvenPair.switch,
    "pair": forged(FrameKind.PAIR, 0, OTHER_KEY),
    "pair-back": forged(FrameKind.PAIR, 0, KEY),
    "pair-none": forged(FrameKind.PAIR, 0, NO_KEY),
    "pair-short": forged(FrameKind.PAIR, 0, KEY[1:]),
    "pair-tagged": forged(FrameKind.PAIR, 0, OTHER_KEY, KEY),
    "again": lambda pair: pair.again(1),
    "again-older": lambda pair: pair.again(3),
    "again-oldest": lambda pair: pair.again(9),
    "minute": lambda pair: pair.wait(PAIRING_S),
    "moments": lambda pair: pair.wait(1.1),
    **{name: LETTERS[name] for name in HANDS},
}
