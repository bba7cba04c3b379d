"""The panel's connections from outside, in real processes with TLS and the descriptors of a unit.

During any misuse by strangers the panel serves the table's screen, and every address that does not misuse it.
"""

import contextlib
import select
import socket
import ssl
import struct
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from controller.journal.verify import entries_of
from controller.machine.connections import MOST_OF_AN_ADDRESS, OTHER_DESCRIPTORS
from controller.machine.places import OWN_SCREEN, Caller
from controller.machine.web import listening
from controller.panel.app import PAGES_OF_AN_ADDRESS
from controller.panel.wire import (
    KEPT_FOR_THIS_COMPUTER,
    MOST_FOR_AN_ADDRESS,
    MOST_FOR_BROWSERS,
    ControllerAway,
    Wires,
)
from controller.staff.lockout import A_MINUTE_MS, MANY_ELSEWHERE
from tests.daemon.rig import CHIEF, DEALER, PINS, ROOT, Rig
from tests.endings import HANGS_S
from tests.panel.desk import run, table_of
from tests.panel.tables import Closed
from tests.panel.visitor import TABLE_SCREEN, Visitor, trusting
from tests.waiting import stopwatch, wait_for

pytestmark = pytest.mark.waits

DESCRIPTORS = 1024
MANY = 1300
SERVED_WITHIN_S = 2.0
CHIEF_SIGNED_IN = 2
"""Descriptors in use: the chief's connection to the controller, and a connection in the other address's language."""

FLOOD = Path(__file__).with_name("flood.py")
LIMITED = f"""\
import os, resource, sys
resource.setrlimit(resource.RLIMIT_NOFILE, ({DESCRIPTORS}, {DESCRIPTORS}))
os.execv(sys.executable, [sys.executable, "-m", "controller.cli.main", *sys.argv[1:]])
"""


class Door:
    """A controller, and its panel with TLS and a unit's descriptors; `log`: the panel's own log."""

    def __init__(self, directory: Path) -> None:
        self.rig = Rig(directory)
        self.rig.__enter__()
        self.log = directory / "panel.log"
        certificate(directory / "panel.pem")
        with self.rig.config.open("a") as file:
            file.write('\n[panel]\nlisten = "127.0.0.1"\nport = 0\ncertificate = "panel.pem"\n')
        self.rig.start()
        self.rig.connected()
        command = [sys.executable, "-c", LIMITED, "panel", "--port", "0", "--config", str(self.rig.config)]
        with self.log.open("wb") as log:
            self.panel = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=log, text=True)
        assert self.panel.stdout is not None
        self.url = self.panel.stdout.readline().strip().removeprefix("panel: ")

    @property
    def descriptors(self) -> int:
        return len(list(Path(f"/proc/{self.panel.pid}/fd").iterdir()))

    def form(self, body: bytes) -> bytes:
        """The bytes of a press with a cookie that announces thirteen bytes of body and sends `body`."""
        return (
            self._request("POST /press", b"Content-Length: 13\r\nX-Sabot: 1\r\nSec-Fetch-Site: same-origin\r\n") + body
        )

    def stream(self) -> bytes:
        return self._request("GET /stream/table", b"")

    def _request(self, what: str, headers: bytes) -> bytes:
        visitor = Visitor(self.url, "127.0.0.2")
        visitor.visit()
        host = urlsplit(self.url).netloc
        return f"{what} HTTP/1.1\r\nHost: {host}\r\nCookie: {visitor.cookie}\r\n".encode() + headers + b"\r\n"

    def end(self) -> None:
        self.panel.terminate()
        self.panel.communicate(timeout=HANGS_S)
        self.rig.__exit__()

    @contextmanager
    def flooded(self, *addresses: str) -> Iterator["subprocess.Popen[str]"]:
        """Runs a flood of connections without handshakes from these addresses, once each connection was tried."""
        where = urlsplit(self.url)
        command = [sys.executable, str(FLOOD), str(where.hostname), str(where.port), str(MANY), *addresses]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as flood:
            try:
                assert flood.stdout is not None
                assert flood.stdout.readline() == "up\n"
                yield flood
            finally:
                flood.kill()

    def serves(self, person: int, other: str) -> None:
        """Checks that a sign-in at the table's screen is answered in time, and that address `other` gets the page."""
        assert self.rig.child is not None
        took_s = stopwatch(self.panel.pid, self.rig.child.pid)
        screen = Visitor(self.url)
        screen.visit()
        answer = screen.sign_in(person, PINS[person])
        assert took_s() < SERVED_WITHIN_S
        assert answer["ok"], answer
        assert Visitor(self.url, other).ask("GET", "/")[0] == 200


def certificate(path: Path) -> None:
    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1", "-subj", "/CN=table"]
    command = ["openssl", "req", "-x509", *key, "-keyout", str(path), "-out", f"{path}.crt"]
    subprocess.run(command, check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())


@pytest.fixture
def door(tmp_path: Path) -> Iterator[Door]:
    found = Door(tmp_path)
    yield found
    found.end()
    assert "crashed" not in found.log.read_text()


def test_connections_that_never_shake_hands_keep_the_table_s_screen_and_no_other_address_waiting(door: Door) -> None:
    """The panel serves the chief at once, and again after the flood's connections were ended and reopened."""
    with door.flooded("127.0.0.2") as flood:
        door.serves(CHIEF, "127.0.0.3")
        assert door.descriptors < MOST_OF_AN_ADDRESS + OTHER_DESCRIPTORS
        assert flood.stdout is not None
        assert select.select([flood.stdout], [], [], HANGS_S)[0]
        assert flood.stdout.readline() == "again\n"
        door.serves(CHIEF, "127.0.0.4")


def test_a_whole_flood_waits_to_be_accepted() -> None:
    """A connection beyond the queue is dropped, and its browser asks again after a second."""
    with listening("127.0.0.1", 0) as listener:
        info = listener.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 32)
    (most,) = struct.unpack_from("I", info, LONGEST_QUEUE_AT)
    assert most > 2 * MANY


LONGEST_QUEUE_AT = 28
"""The offset of `tcpi_sacked` in Linux's `struct tcp_info`: at a listening socket the longest queue."""


def test_forty_addresses_together_keep_nobody_waiting_either(door: Door) -> None:
    with door.flooded(*(f"127.0.0.{number}" for number in range(2, 42))):
        door.serves(CHIEF, "127.0.0.99")
        assert door.descriptors < DESCRIPTORS


def hello() -> bytes:
    """The first bytes of a browser's TLS handshake."""
    given, taken = ssl.MemoryBIO(), ssl.MemoryBIO()
    with contextlib.suppress(ssl.SSLWantReadError):
        trusting().wrap_bio(given, taken).do_handshake()
    return taken.read()


@pytest.mark.parametrize("ends", ["closed", "reset"])
def test_who_breaks_off_anywhere_leaves_no_place_taken_and_no_word_in_the_log(door: Door, ends: str) -> None:
    """A client breaks off in the handshake, after it, in a request, in its body, in an answer; also in plain text."""
    where, before = urlsplit(door.url), door.descriptors
    half = b"POST /press HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nn"
    plain = (b"", b"GET / HTTP/1.1\r\n\r\n", hello()[:40], hello(), hello() + b"nonsense")
    said = (b"", half[:30], half, door.form(b"name="), door.form(b"name=ui:close"), door.stream())
    for number in range(4 * (len(plain) + len(said))):
        connection = socket.create_connection((where.hostname, where.port or 0), source_address=("127.0.0.2", 0))
        if ends == "reset":
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        which = number % (len(plain) + len(said))
        if which < len(plain):
            connection.sendall(plain[which])
        else:
            connection = trusting().wrap_socket(connection)
            connection.sendall(said[which - len(plain)])
        connection.close()
    door.serves(CHIEF, "127.0.0.2")
    wait_for(lambda: door.descriptors <= before + CHIEF_SIGNED_IN, lambda: (door.descriptors, before))


def test_wrong_pins_from_many_addresses_are_few_and_keep_nobody_waiting_at_the_table(own_table: Closed) -> None:
    strangers = [Visitor(own_table.url, f"127.0.0.{number}") for number in range(2, 42)]
    for stranger in strangers:
        stranger.visit()
    for stranger in strangers:
        assert not stranger.sign_in(DEALER, "000000")["ok"]
    refused = [entry.table_ms for entry in entries_of(own_table.rig.journal) if entry.kind == "pin-refused"]
    in_a_minute = 2 * MANY_ELSEWHERE
    assert len(refused) >= in_a_minute
    assert [at for at, later in zip(refused, refused[in_a_minute:], strict=False) if later - at < A_MINUTE_MS] == []
    screen = Visitor(own_table.url)
    screen.visit()
    answer = screen.sign_in(DEALER, PINS[DEALER])
    assert answer["ok"], answer


def follows(url: str, source: str) -> tuple[socket.socket, bytes]:
    """Opens a page's stream from the address `source`; returns its connection, and the first bytes."""
    where, visitor = urlsplit(url), Visitor(url, source)
    visitor.visit()
    stream = socket.create_connection((where.hostname, where.port or 0), HANGS_S, (source, 0))
    asked = f"GET /stream/table HTTP/1.1\r\nHost: {where.netloc}\r\nCookie: {visitor.cookie}\r\n\r\n"
    stream.sendall(asked.encode())
    told = b""
    while b"event: " not in told:
        told += stream.recv(65_536)
    return stream, told


def test_an_address_has_its_share_of_the_pages_that_are_kept_up_to_date(own_table: Closed) -> None:
    with contextlib.ExitStack() as opened:
        told = []
        for source in ["127.0.0.2"] * (PAGES_OF_AN_ADDRESS + 1) + ["127.0.0.3", TABLE_SCREEN]:
            stream, first = follows(own_table.url, source)
            opened.enter_context(stream)
            told.append(b"event: end" not in first)
    assert told == [True] * PAGES_OF_AN_ADDRESS + [False, True, True]
    follows(own_table.url, "127.0.0.2")[0].close()


def test_strangers_never_have_every_connection_to_the_controller(tmp_path: Path) -> None:
    strangers = [Caller(f"10.0.0.{number}", is_own=False) for number in range(20)]

    async def go() -> None:
        wires = Wires(tmp_path / "control.sock")
        held = [await wires.open(strangers[0]) for _ in range(MOST_FOR_AN_ADDRESS)]
        for stranger in strangers:
            with contextlib.suppress(ControllerAway):
                held.append(await wires.open(stranger))
        assert len(held) <= MOST_FOR_BROWSERS - KEPT_FOR_THIS_COMPUTER
        held += [await wires.open(OWN_SCREEN) for _ in range(KEPT_FOR_THIS_COMPUTER)]
        with pytest.raises(ControllerAway):
            await wires.open(strangers[0])
        for wire in held:
            await wire.closed()
        for _ in range(MOST_FOR_AN_ADDRESS):
            await (await wires.open(strangers[0])).closed()
        (tmp_path / "control.sock").unlink()
        for _ in range(MOST_FOR_BROWSERS + 1):
            with pytest.raises(ControllerAway, match="No such file"):
                await wires.open(OWN_SCREEN)

    with table_of(tmp_path):
        run(go())
