"""The order of system calls, traced by strace(1): a permission leaves only after the sync has returned.

A kill cannot show it, since the system keeps the bytes that a dead process has written. So the controller's own calls
are traced while cards are counted in, and each acknowledgement on the shuffler's line must come after its sync.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp.link import FrameIo, FrameKind
from tests.daemon.rig import WITHIN_S, Rig
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

EVENTS = 6
_CALL = re.compile(r"^(\d+) +(\w+)\(\d+<([^>]*)>(?:, \"([^\"]*)\")?")
_RESUMED = re.compile(r"^(\d+) +<\.\.\. fdatasync resumed>.* = 0$")


@dataclass(frozen=True)
class Call:
    """One line of the trace. `ended`: the line shows the call's return."""

    name: str
    path: str
    data: bytes
    ended: bool


def unescaped(text: str) -> bytes:
    r"""The bytes of a text in strace's notation, such as `\x41\x42`."""
    return bytes.fromhex(text.replace("\\x", ""))


def calls(trace: str) -> Iterator[Call]:
    """The calls of a trace in order. An interrupted fdatasync comes twice: start and return."""
    under_way: dict[str, str] = {}
    for line in trace.splitlines():
        if resumed := _RESUMED.match(line):
            yield Call("fdatasync", under_way.pop(resumed[1]), b"", ended=True)
        elif found := _CALL.match(line):
            thread, name, coded, text = found.groups()
            path = unescaped(coded).decode() if coded.startswith("\\x") else coded
            ended = "<unfinished" not in line
            if name == "fdatasync" and not ended:
                under_way[thread] = path
            yield Call(name, path, unescaped(text or ""), ended=ended)


@dataclass
class Order:
    """The traced calls so far on a device's line and on the journal."""

    line: str
    heard: int = 0  # the number of the last event read from the line
    durable: int = 0  # the last event whose later write was synced
    written: int = 0
    acknowledged: list[tuple[int, int]] = field(default_factory=list)  # the number, and the durable one at that time
    _in: FrameIo = field(default_factory=lambda: FrameIo(from_device=True))
    _out: FrameIo = field(default_factory=lambda: FrameIo(from_device=False))

    def take(self, call: Call) -> None:
        match call.name:
            case "read" if call.path == self.line:
                self.heard = max([self.heard, *numbers(self._in, call.data, FrameKind.EVENT)])
            case "write" if call.path.endswith(".segment"):
                self.written = self.heard
            case "fdatasync" if call.path.endswith(".segment") and call.ended:
                self.durable = self.written
            case "write" if call.path == self.line:
                for number in numbers(self._out, call.data, FrameKind.ACK):
                    self.acknowledged.append((number, self.durable))


def numbers(io: FrameIo, data: bytes, kind: FrameKind) -> list[int]:
    found = [frame for frame in io.frames(data) if not isinstance(frame, RejectReason)]
    return [header.number for header, _ in found if header.kind == kind]


def traced(rig: Rig, out: Path) -> str:
    """Traces the controller while cards are counted in; returns the trace."""
    assert rig.child is not None
    strace = shutil.which("strace")
    if strace is None:
        pytest.fail("strace is missing; on Debian: sudo apt install strace")
    watched = "trace=read,write,fdatasync"
    tracer = subprocess.Popen(
        [strace, "-f", "-y", "-xx", "-s", "65536", "-e", watched, "-o", str(out), "-p", str(rig.child.pid)],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert tracer.stderr is not None
        told = tracer.stderr.readline()
        assert "attached" in told, told
        for number in range(rig.shuffler.posted + 1, rig.shuffler.posted + 1 + EVENTS):
            rig.host.call(rig.shuffler.card_in)
            wait_for(lambda number=number: rig.shuffler.acknowledged >= number)
    finally:
        tracer.terminate()
        tracer.communicate(timeout=WITHIN_S)
    return out.read_text()


def test_the_sync_returns_before_an_acknowledgement_leaves(running: Rig, tmp_path: Path) -> None:
    before = running.shuffler.posted
    order = Order(str((running.directory / "shuffler").resolve()), heard=before, durable=before, written=before)
    for call in calls(traced(running, tmp_path / "trace")):
        order.take(call)
    assert [number for number, _ in order.acknowledged if number > before][-1] == before + EVENTS
    assert len({number for number, _ in order.acknowledged}) >= EVENTS
    too_early = [(number, durable) for number, durable in order.acknowledged if number > durable]
    assert too_early == []


def test_a_trace_in_which_it_left_too_early_is_found() -> None:
    segment, line = "/j/00000001.segment", "/dev/pts/1"
    order = Order(line, heard=3)
    text = (
        f'7 write(5<{segment}>, "\\x01", 1) = 1\n7 fdatasync(5<{segment}> <unfinished ...>\n'
        f'8 write(6<{line}>, "\\x00", 1) = 1\n7 <... fdatasync resumed>) = 0\n'
    )
    seen = []
    for call in calls(text):
        order.take(call)
        seen.append((call.name, call.ended, order.durable))
    assert seen == [
        ("write", True, 0),
        ("fdatasync", False, 0),
        ("write", True, 0),
        ("fdatasync", True, 3),
    ]
