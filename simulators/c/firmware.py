"""A boot of the C core in a process of its own, driven by lines (host.c says which)."""

import gc
import subprocess
import weakref
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Final
from weakref import WeakSet

from firmware_protocols.tdp.link import DeviceIdentity, DeviceLinkEvent
from firmware_protocols.tdp.schema import Wire

MANY: Final = 32
"""Processes at once."""

PIECE: Final = 1024
"""Bytes of a line that are given at once."""
U32: Final = 2**32
TEXT_BYTES: Final = Wire.TEXT16.highest


@dataclass(frozen=True, slots=True)
class Answer:
    """The device's state after a line. `due_ms` None: nothing becomes due by itself."""

    due_ms: int | None
    wants: int  # of the mechanism; a shuffler's work as bits, in the order in which it is done
    must_lock: bool
    waiting: int
    boot: int
    status: bytes


class CProgram:
    """The process; it ends with this object. A line that it cannot read, or a sanitizer, ends it: RuntimeError."""

    _alive: ClassVar[WeakSet["CProgram"]] = WeakSet()

    def __init__(self, program: Path, kind: str) -> None:
        if len(self._alive) >= MANY:
            gc.collect()  # a world that is over is a circle of objects
        self._alive.add(self)
        self._process = subprocess.Popen(
            [program, kind],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="ascii",
            start_new_session=True,  # an interrupt of the terminal is not for it
        )
        self._end = weakref.finalize(self, _end, self._process)
        if self._process.stdin is None or self._process.stdout is None:
            raise RuntimeError(program)
        self._to, self._from = self._process.stdin, self._process.stdout
        self._said = bytearray()
        self.last = Answer(None, 0, must_lock=True, waiting=0, boot=0, status=b"")

    def tell(self, now_s: float, verb: str, *words: object) -> Answer:
        """One line and its answer."""
        self._to.write(f"{_ms(now_s) % U32} {verb} {' '.join(map(str, words))}\n")
        self._to.flush()
        self.last = self._read(self._from.readline())
        return self.last

    def hear(self, data: bytes, now_s: float) -> None:
        """Bytes from the line."""
        for at in range(0, len(data), PIECE):
            self.tell(now_s, "hear", data[at : at + PIECE].hex())

    def said(self) -> bytes:
        """The bytes for the line (drains)."""
        taken = bytes(self._said)
        self._said.clear()
        return taken

    def due_s(self, now_s: float) -> float | None:
        """When it has something to do by itself, as of its last answer at `now_s`."""
        due_ms = self.last.due_ms
        return None if due_ms is None else (_ms(now_s) + due_ms) / 1000

    def close(self) -> None:
        """Before it is forgotten."""
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
    """The link of a simulated device's firmware: everything is done in the C core already."""

    def __init__(self, program: CProgram) -> None:
        self._program = program
        self._now_s = 0.0

    @property
    def must_lock(self) -> bool:
        """True while the host is silent, or 48 or more events wait."""
        return self._program.last.must_lock

    @property
    def waiting_events(self) -> int:
        """How many events wait to be acknowledged."""
        return self._program.last.waiting

    def tell(self, now_s: float, verb: str, *words: object) -> Answer:
        """One line and its answer."""
        self._now_s = now_s
        return self._program.tell(now_s, verb, *words)

    @property
    def last(self) -> Answer:
        """The device's state after its last line."""
        return self._program.last

    def tell_now(self, verb: str, *words: object) -> Answer:
        """One line, at the time of the last one."""
        return self._program.tell(self._now_s, verb, *words)

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Takes what the line brought."""
        self._now_s = now_s
        self._program.hear(data, now_s)

    def handle_timeout(self, now_s: float) -> None:
        """Does what is due."""
        self.tell(now_s, "poll")

    def next_timeout_s(self) -> float | None:
        """When handle_timeout wants to be called."""
        return self._program.due_s(self._now_s)

    def data_to_send(self) -> bytes:
        """The bytes for the line to carry (drains)."""
        return self._program.said()

    def events(self) -> list[DeviceLinkEvent]:
        """Sessions and commands are met in the C core."""
        return []

    def set_status(self, status_payload: bytes) -> None:
        """The C core makes its own."""

    def expect_event(self) -> None:
        """The C core counts its own."""

    def post_event(self, _payload: bytes, _now_s: float) -> int:
        """The C core posts its own."""
        return 0

    def answer(self, number: int, result: int, status_payload: bytes) -> None:
        """The C core answers itself."""


def who(identity: DeviceIdentity, *, pairable: bool) -> str:
    """The device's description of itself, as the C core keeps it."""
    texts = (identity.model, identity.serial, identity.firmware)
    return bytes((identity.kind, identity.simulated | pairable << 1)).hex() + "".join(
        text.encode("ascii").ljust(TEXT_BYTES, b"\0").hex() for text in texts
    )
