"""The real controller and panel for many rounds: their memory, descriptors and threads do not grow.

A demo without pauses plays one session, hands, money and jackpot followed, with a browser at the panel's page. By day
it is short; `make night` sets SABOT_SOAK_DEMO_ROUNDS.
"""

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

import msgspec
import pytest

from controller.cli.client import Client, Unreachable
from controller.doctor.descriptors import NEEDED
from simulators.demo.child import SERVES
from tests.demo.evenings import processes_of, start_demo
from tests.panel.visitor import Visitor
from tests.waiting import wait_for

BY_DAY: Final = 6
ROUNDS: Final = int(os.environ.get("SABOT_SOAK_DEMO_ROUNDS", BY_DAY))
ROUND_S: Final = 20.0  # most rounds take one second; a busy machine takes longer
BEGINS_WITHIN_S: Final = 200.0
LOOK_EVERY_S: Final = 0.5

DESCRIPTORS: Final = 10  # opened for a moment by a question, and by looks at the disk and at the staff file
THREADS: Final = 4  # for a PIN, the staff file, the journal's mark
MEMORY_BYTES: Final = (
    16 << 20
)  # filled by the first hundreds of rounds: 600 points a line, 2,000 of the pool, 512 seals, words

pytestmark = [pytest.mark.waits, pytest.mark.first, pytest.mark.timeout(2 * BEGINS_WITHIN_S + ROUNDS * ROUND_S)]


@dataclass(frozen=True, slots=True)
class Held:
    """The system's figures of one process: memory, descriptors, threads."""

    descriptors: int
    threads: int
    memory: int


@dataclass(frozen=True, slots=True)
class Soaked:
    """The figures of controller and panel, the end of the demo, and the number of bytes that the page has got."""

    held: dict[str, list[Held]]
    violations: list[str]
    rounds: int
    read: int


class Looker:
    """A browser at the table's page: its stream stays open, and it asks for the page now and then."""

    def __init__(self, url: str) -> None:
        self._visitor = Visitor(url)
        self._visitor.visit()
        self._stream = socket.create_connection(self._visitor.address)
        host, port = self._visitor.address
        head = f"GET /stream/table HTTP/1.1\r\nHost: {host}:{port}\r\nCookie: {self._visitor.cookie}\r\n\r\n"
        self._stream.sendall(head.encode())
        self._stream.setblocking(False)
        self.read = 0

    def look(self) -> None:
        assert self._visitor.ask("GET", "/")[0] == HTTPStatus.OK
        with suppress(BlockingIOError):
            while data := self._stream.recv(1 << 16):
                self.read += len(data)

    def close(self) -> None:
        self._stream.close()


def held_by(process: int) -> Held:
    place = Path(f"/proc/{process}")
    resident = int((place / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return Held(len(os.listdir(place / "fd")), len(os.listdir(place / "task")), resident)  # noqa: PTH208 - numbers


def process_of(directory: Path, command: str) -> int:
    """Returns the number of the process of `sabot COMMAND`, not that of its supervising parent."""
    return max(pid for pid, words in processes_of(directory).items() if command in words)


def rounds_of(directory: Path) -> int:
    """Asks the controller for the number of rounds played; -1 where no controller answers."""
    with suppress(Unreachable), Client(directory / "control.sock", within_s=ROUND_S) as client:
        status = client.ask("status").status or {}
        return msgspec.json.decode(status["tally"], type=dict[str, int])["rounds"]
    return -1


def url_of(said: Path) -> str:
    lines = said.read_text("utf-8", "replace").splitlines()
    return next(line.removeprefix(SERVES) for line in lines if line.startswith(SERVES))


@contextmanager
def demo(directory: Path, said: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """Runs a demo while the context is open, its output in a file; deletes its directory at the end."""
    words = ("--json", "--rounds", str(ROUNDS), "--tracks", "hands", "--jackpot", "automatic", "--panel-port", "0")
    playing = start_demo([*words, "--state-dir", str(directory)], said)
    try:
        yield playing
    finally:
        playing.kill()
        playing.wait()
        shutil.rmtree(directory)


def until_round(number: int, directory: Path, playing: "subprocess.Popen[bytes]", within_s: float) -> Iterator[int]:
    """Waits until `number` rounds are played; at each look before that yields the number so far."""
    until_s = time.monotonic() + within_s
    while (rounds := rounds_of(directory)) < number:
        assert playing.poll() is None
        assert time.monotonic() < until_s, f"{rounds} rounds"
        yield rounds
        time.sleep(LOOK_EVERY_S)


@pytest.fixture
def soaked(tmp_path: Path) -> Soaked:
    directory, said = tmp_path / "table", tmp_path / "said"
    with demo(directory, said) as playing:
        for _ in until_round(1, directory, playing, BEGINS_WITHIN_S):
            pass
        processes = {"sabot": process_of(directory, "run"), "sabot-panel": process_of(directory, "panel")}
        held: dict[str, list[Held]] = {unit: [] for unit in processes}
        with closing(Looker(url_of(said))) as looker:

            def look() -> int:
                looker.look()
                for unit, process in processes.items():
                    held[unit].append(held_by(process))
                return looker.read

            wait_for(look)  # once at least, however soon the rounds are over
            for _ in until_round(ROUNDS - 1, directory, playing, ROUNDS * ROUND_S):
                look()
        playing.wait(BEGINS_WITHIN_S)
    told = said.read_text("utf-8")
    document = json.loads(told[told.index("\n{") :])
    return Soaked(held, document["violations"], document["rounds"], looker.read)


@pytest.mark.drawn(1, of="demo evenings")
def test_no_process_holds_more_than_it_did(soaked: Soaked) -> None:
    assert (soaked.violations, soaked.rounds) == ([], ROUNDS)
    assert soaked.read > 1000 * soaked.rounds, "the page was told of it"
    for unit, held in soaked.held.items():
        first = held[0]
        assert max(one.descriptors for one in held) <= min(first.descriptors + DESCRIPTORS, NEEDED[unit]), unit
        assert max(one.threads for one in held) <= first.threads + THREADS, unit
        assert max(one.memory for one in held) <= first.memory + MEMORY_BYTES, unit
