"""Floods at full speed against the real process: memory and journal stay bounded, answers and cards still come.

Each flood lasts FLOOD_S seconds: few here, and SABOT_FLOOD_S in `make night`.
"""

import json
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import pytest

from firmware_protocols.tdp.display import DisplayFaulted
from firmware_protocols.tdp.shuffler import CardOut
from simulators.demo.parts import TableParts
from simulators.devices.parts import SimulatedBadgeReader, SimulatedKey
from tests.daemon.rig import BADGE, DEALER, WITHIN_S, Rig
from tests.runtime.flooding import flood
from tests.runtime.peers import Peer
from tests.waiting import wait_for

SHORT_S: Final = 1.0
FLOOD_S = float(os.environ.get("SABOT_FLOOD_S", SHORT_S))
MEMORY_BYTES = 256 * 1024 * 1024  # the unit's MemoryMax
GROWTH_BYTES_PER_S = 20_000
AT_ONCE_BYTES = 300_000  # the bytes of events within the budgets
CLIENTS = 24

pytestmark = [pytest.mark.timeout(300 + 10 * int(FLOOD_S)), pytest.mark.waits]


def tells_without_end(peer: Peer, event: object) -> None:
    """Makes this device send the event whenever its line has room."""
    whole = peer.data_to_send

    def data_to_send() -> bytes:
        if peer.link.in_session and not peer.link.host_silent:
            flood(peer, event, 100)
        return whole()

    peer.data_to_send = data_to_send  # type: ignore[method-assign]
    peer.next_time_s = lambda: 0.0  # type: ignore[method-assign]


def badge_events(number: str) -> bytes:
    """Twenty badges of this number, as a reader types them."""
    reader = SimulatedBadgeReader()
    for _ in range(20):
        reader.show(number)
    return reader.data_to_send()


def types_without_end(part: SimulatedBadgeReader | SimulatedKey, told: bytes) -> None:
    """Makes this part send the bytes whenever its line has room."""
    part.data_to_send = lambda: told * (4096 // len(told) + 1)  # type: ignore[method-assign]
    part.next_time_s = lambda: 0.0  # type: ignore[method-assign]


TYPED: Final = {"badge": ("reader", badge_events(BADGE), "0")}
LONG_TYPED: Final = {
    "badge-and-no-disk": ("reader", badge_events(BADGE), "full"),
    "no-badge": ("reader", badge_events("777"), "0"),
    "key": ("key", b"10", "0"),
}
ALL_TYPED: Final = TYPED | (LONG_TYPED if FLOOD_S > SHORT_S else {})


@contextmanager
def clients_that_ask(rig: Rig, line: dict[str, object]) -> Iterator[None]:
    """Runs clients that send this line without end and read every answer."""
    over = threading.Event()

    def ask() -> None:
        data = json.dumps(line).encode() + b"\n"
        with rig.client() as client, suppress(OSError):
            client._socket.settimeout(0.05)
            while not over.is_set():
                with suppress(TimeoutError):
                    client._socket.sendall(data * 10)
                with suppress(TimeoutError, BlockingIOError):
                    client._socket.recv(1 << 20)

    threads = [threading.Thread(target=ask) for _ in range(CLIENTS - 2)]
    for thread in threads:
        thread.start()
    try:
        yield
    finally:
        over.set()
        for thread in threads:
            thread.join(WITHIN_S)


def journal_bytes(rig: Rig) -> int:
    return sum(path.stat().st_size for path in rig.journal.iterdir())


def played_on(rig: Rig) -> tuple[int, int, float]:
    """Passes cards through the shoe during the flood; returns their number, the most bytes of memory, the seconds."""
    most, began_s = 0, time.monotonic()
    while time.monotonic() < began_s + FLOOD_S:
        rig.host.call(lambda now_s: rig.shoe.card_passed("7H", now_s))
        time.sleep(0.1)
        most = max(most, rig.resident_bytes())
    return rig.host.call(lambda _now_s: rig.shoe.posted), most, time.monotonic() - began_s


def check(rig: Rig, before_bytes: int, *, journal: bool = True) -> float:
    """Passes cards during the flood and checks memory and journal; returns the bytes by which the log may grow.

    `journal`: checks, too, that every card was acknowledged.
    """
    cards, most, took_s = played_on(rig)
    may_grow = AT_ONCE_BYTES + GROWTH_BYTES_PER_S * took_s
    assert most < MEMORY_BYTES
    assert journal_bytes(rig) - before_bytes < may_grow
    if journal:
        wait_for(lambda: rig.shoe.acknowledged == cards)
    return may_grow


@pytest.mark.drawn(2)
@pytest.mark.parametrize("disk", ["0", "full"])
@pytest.mark.parametrize(("name", "event"), [("display", DisplayFaulted(7)), ("shuffler", CardOut())])
def test_a_device_that_floods_fills_neither_disk_nor_memory_and_the_shoe_plays_on(
    running: Rig, name: str, event: object, disk: str
) -> None:
    before = journal_bytes(running)
    running.disk.write_text(disk)
    running.host.call(lambda _now_s: tells_without_end(getattr(running, name), event))
    check(running, before, journal=disk == "0")
    running.disk.write_text("0")
    running.until(lambda status: status["journal"]["condition"] == "writing")
    cut = "jackpot_display" if name == "display" else "shuffler"
    assert (
        running.until(lambda status: status["devices"][cut]["trouble"] == "flood")["devices"][cut]["connected"] is False
    )


@pytest.mark.parametrize(("part", "told", "disk"), ALL_TYPED.values(), ids=ALL_TYPED)
def test_a_part_that_floods_fills_neither_disk_nor_log_nor_memory_and_the_shoe_plays_on(
    rig: Rig, parts: TableParts, part: str, told: bytes, disk: str
) -> None:
    rig.start()
    rig.connected()
    before, log_before = journal_bytes(rig), rig.log.stat().st_size
    rig.disk.write_text(disk)
    rig.host.call(lambda _now_s: types_without_end(getattr(parts, part), told))
    may_grow = check(rig, before, journal=disk == "0")
    assert rig.log.stat().st_size - log_before < may_grow
    rig.disk.write_text("0")
    assert rig.until(lambda status: status["journal"]["condition"] == "writing")["present"] == []


STATUS: Final = {"do": "status"}
LIST: Final = {"do": "list"}
REFUSED: Final = {"do": "act", "act": "confirm-display", "values": {}}
PIN: Final = {"do": "act", "act": "sign-in", "person": 99, "pin": "000000", "values": {"operation": "hold"}}
KEYED: Final = REFUSED | {"key": "the same again"}
ENDS: Final = {"do": "act", "act": "open-session", "values": {}, "then": [{"act": "abandon-opening", "values": {}}]}
BY_DAY: Final = {"status": (STATUS, "0"), "list": (LIST, "0"), "refused": (REFUSED, "0"), "pin": (PIN, "0")}
LONG: Final = {"keyed-on-a-slow-disk": (KEYED, "2"), "sessions-that-end": (ENDS, "0")}
LINES: Final = BY_DAY | (LONG if FLOOD_S > SHORT_S else {})


@pytest.mark.parametrize(("line", "disk"), LINES.values(), ids=LINES)
def test_clients_that_flood_fill_neither_disk_nor_memory_and_the_shoe_plays_on(
    running: Rig, line: dict[str, object], disk: str
) -> None:
    running.act("sign-in", DEALER, operation="table")
    before = journal_bytes(running)
    running.disk.write_text(disk)
    with clients_that_ask(running, line):
        check(running, before, journal=disk == "0")
    running.disk.write_text("0")
    assert running.status()["table"] == "T1"


@pytest.mark.skipif(FLOOD_S <= SHORT_S, reason="by night; what paces connections is tried by day in test_hardening.py")
def test_who_connects_without_end_takes_nobody_his_turn(running: Rig) -> None:
    before, over = journal_bytes(running), threading.Event()

    def connect() -> None:
        while not over.is_set():
            with suppress(OSError), socket.socket(socket.AF_UNIX) as one:
                one.settimeout(0.5)
                one.connect(str(running.socket))

    threads = [threading.Thread(target=connect) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        check(running, before)
    finally:
        over.set()
        for thread in threads:
            thread.join(WITHIN_S)
