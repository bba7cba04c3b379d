"""Runs the C core of a device's firmware in a child process, driven by lines of text (described in host.c)."""

import gc
import subprocess
import weakref
from contextlib import suppress
from pathlib import Path
from typing import ClassVar, Final
from weakref import WeakSet

from msgspec import Struct

from firmware_protocols.tdp.link import DeviceIdentity, DeviceLinkEvent
from firmware_protocols.tdp.schema import Wire

MANY: Final = 32
"""The number of running C cores at which garbage is collected before another core: it ends the cores of finished
worlds.
"""

PIECE: Final = 1024
"""Most bytes from the wire in one line of text."""
U32: Final = 2**32
TEXT_BYTES: Final = Wire.TEXT16.highest


class Answer(Struct, frozen=True):
    """The C core's answer to one line of text: the state of the device after that line. `due_ms`: milliseconds until
    the device next acts by itself; None if it waits for input.
    """

    due_ms: int | None
    wants: int  # the work asked of the mechanism; for a shuffler one bit for each work
    must_lock: bool
    waiting: int
    boot: int
    status: bytes


class CProgram:
    """The child process that runs one C core. Deleting this object kills the process.

    A bad line or a sanitizer's finding also ends the process. `tell` then raises RuntimeError.
    """

    _alive: ClassVar[WeakSet["CProgram"]] = WeakSet()

    def __init__(self, program: Path, kind: str) -> None:
        if len(self._alive) >= MANY:
            gc.collect()  # the objects of a finished world refer to each other in a circle
        self._alive.add(self)
        self._process = subprocess.Popen(
            [program, kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
            start_new_session=True,  # the terminal's interrupt must not reach it
        )
        self._end = weakref.finalize(self, _end, self._process)
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError(program)
        self._to, self._from = self._process.stdin, self._process.stdout
        self._said = bytearray()
        self.last = Answer(None, 0, must_lock=True, waiting=0, boot=0, status=b"")

    def tell(self, now_s: float, verb: str, *words: object) -> Answer:
        """Sends one line, `verb` and its `words`, to the C core and returns the core's answer."""
        self._to.write(f"{_ms(now_s) % U32} {verb} {' '.join(map(str, words))}\n")
        self._to.flush()
        self.last = self._read(self._from.readline())
        return self.last

    def hear(self, data: bytes, now_s: float) -> None:
        """Gives bytes from the wire to the device."""
        for at in range(0, len(data), PIECE):
            self.tell(now_s, "hear", data[at : at + PIECE].hex())

    def said(self) -> bytes:
        """Returns the bytes that the device has sent on the wire, and forgets them."""
        taken = bytes(self._said)
        self._said.clear()
        return taken

    def due_s(self, now_s: float) -> float | None:
        """Returns the time at which the device next acts by itself; None if it never does. `now_s`: the time that was
        passed to the last `tell`.
        """
        due_ms = self.last.due_ms
        return None if due_ms is None else (_ms(now_s) + due_ms) / 1000

    def close(self) -> None:
        """Ends the process now."""
        self._end()

    def _read(self, line: str) -> Answer:
        words = line.split()
        if len(words) != 7:
            raise RuntimeError(f"the C core has ended: {self._process.wait()}")
        due, wants, locked, waiting, boot = map(int, words[:5])
        status, said = (b"" if word == "-" else bytes.fromhex(word) for word in words[5:])
        self._said += said
        return Answer(None if due < 0 else due, wants, must_lock=locked == 1, waiting=waiting, boot=boot, status=status)


def _ms(now_s: float) -> int:
    # The small term keeps a time that is due exactly now from being missed by rounding.
    return int(now_s * 1000 + 1e-4)


def _end(process: subprocess.Popen[str]) -> None:
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    process.wait()


class CLink:
    """The link of a simulated device whose firmware is the C core. It passes bytes and the time to the core, which does
    everything else.
    """

    def __init__(self, program: CProgram) -> None:
        self._program = program
        self._now_s = 0.0

    @property
    def must_lock(self) -> bool:
        """True if the device must lock itself: while the host is silent, or with 48 or more unacknowledged events."""
        return self._program.last.must_lock

    @property
    def waiting_events(self) -> int:
        """The number of events that the host has not acknowledged."""
        return self._program.last.waiting

    def tell(self, now_s: float, verb: str, *words: object) -> Answer:
        """Sends one line, `verb` and its `words`, to the C core and returns the core's answer."""
        self._now_s = now_s
        return self._program.tell(now_s, verb, *words)

    @property
    def last(self) -> Answer:
        """Returns the C core's answer to the last line that was sent to it."""
        return self._program.last

    def tell_now(self, verb: str, *words: object) -> Answer:
        """Sends one line, `verb` and its `words`, to the C core with the time of the previous line. Returns the core's
        answer.
        """
        return self._program.tell(self._now_s, verb, *words)

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives the bytes that have arrived."""
        self._now_s = now_s
        self._program.hear(data, now_s)

    def handle_timeout(self, now_s: float) -> None:
        """Does the work that is due at `now_s`."""
        self.tell(now_s, "poll")

    def next_timeout_s(self) -> float | None:
        """The time at which `handle_timeout` is due; None for never."""
        return self._program.due_s(self._now_s)

    def data_to_send(self) -> bytes:
        """Returns the bytes that the device has sent on the wire, and forgets them."""
        return self._program.said()

    def events(self) -> list[DeviceLinkEvent]:
        """Returns an empty list: the C core handles sessions and commands itself."""
        return []

    def set_status(self, status_payload: bytes) -> None:
        """Does nothing: the C core makes its own status."""

    def expect_event(self) -> None:
        """Does nothing: the C core counts its own events."""

    def post_event(self, _payload: bytes, _now_s: float) -> int:
        """Does nothing and returns 0: the C core posts its own events."""
        return 0

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        """Does nothing: the C core answers commands itself."""


def who(identity: DeviceIdentity, *, pairable: bool) -> str:
    """Returns the device's identity as the hexadecimal word that the C core stores. `pairable`: the device can be
    paired.
    """
    texts = (identity.model, identity.serial, identity.firmware)
    return bytes((identity.kind, identity.simulated | pairable << 1)).hex() + "".join(
        text.encode("ascii").ljust(TEXT_BYTES, b"\0").hex() for text in texts
    )
