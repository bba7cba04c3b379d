"""The subject: the real `sabot run` in a process of its own, its three devices on ptys, people at its socket.

The devices are the scripted ones of the runtime's tests (wire level). Opening, loading and dealing follow the
procedure, over the same tty and the same socket as at any table.
"""

import json
import os
import select
import subprocess
import sys
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from time import monotonic, perf_counter_ns, sleep
from types import TracebackType
from typing import Self

from controller.cli.client import Answer, Client, Unreachable
from controller.core.words import Role
from controller.runtime.devices import EVENTS_PER_S
from controller.staff import HashCost, StaffBook, save_staff
from simulators.devices.wire import Adapter
from tests.bench.lines import PATIENCE_S, READ_AT_MOST, Line
from tests.runtime.peers import DisplayPeer, Peer, ShoePeer, ShufflerPeer

DECKS = 4
CARDS = 52 * DECKS
ROUND_FILLS_S = 40 / EVENTS_PER_S  # a round's cards out and back in are 32 events of the shuffler
DEALER, CHIEF = 11, 21
PIN = "739164"

_CONFIG = """\
[table]
id = "bench"
profile = "pt-csm"
decks = {decks}
seats = 7
minimum_bet = 10
maximum_bet = 300
currency = "EUR"
language = "en"
simulated = true

[devices.shuffler]
port = {shuffler}
protocol = "tdp"

[devices.shoe]
port = {shoe}
protocol = "tdp"

[devices.jackpot_display]
port = {display}
protocol = "tdp"

[journal]
path = "journal"

[staff]
path = "staff.toml"

[controller]
socket = {socket}
state = "state"
"""


class RealTable:
    """A real table; the controller runs inside this context manager."""

    def __init__(
        self, directory: Path, disk: Path | None = None, latency_s: float = 0.0, module: str = "controller.cli.main"
    ) -> None:
        """`disk`: the file with the seconds that each sync takes; `latency_s`: of each line's adapter. `module`: the
        program in place of ours.
        """
        self.directory, self._disk, self._module = directory, disk, module
        self.socket = directory / "control.sock"
        now_s = monotonic()
        self.shuffler, self.shoe, self.display = ShufflerPeer(now_s), ShoePeer(now_s), DisplayPeer(now_s)
        self.lines = {name: Line(directory / name) for name in ("shuffler", "shoe", "display")}
        self._ends: dict[int, Peer] = {self.lines[name].fd: getattr(self, name) for name in self.lines}
        self._adapters = {fd: Adapter(latency_s, now_s) for fd in self._ends}
        self._furnish()

    def _furnish(self) -> None:
        paths = {name: json.dumps(str(line.link)) for name, line in self.lines.items()}
        text = _CONFIG.format(decks=DECKS, socket=json.dumps(str(self.socket)), **paths)
        (self.directory / "table.toml").write_text(text)
        book = StaffBook(cost=HashCost(memory_kib=8, time_cost=1, parallelism=1))
        for number, role in ((DEALER, Role.DEALER), (CHIEF, Role.CHIEF_SUPERVISOR)):
            book = book.with_person(number, role.value, role, PIN)
        save_staff(book, self.directory / "staff.toml")

    def __enter__(self) -> Self:
        module = self._module if self._disk is None else "tests.daemon.child"
        command = [sys.executable, "-m", module, "run", "--config", str(self.directory / "table.toml")]
        slow = {"SABOT_TEST_DISK": str(self._disk), "SABOT_TEST_DIRECTORY": str(self.directory / "no-file")}
        with (self.directory / "log").open("ab") as log:
            self._child = subprocess.Popen(command, stdout=log, stderr=log, env=os.environ | slow)
        with ExitStack() as on_failure:
            on_failure.callback(self._end)
            self.client = self._connected()
            on_failure.callback(self.client.close)
            self.until(lambda: all(peer.link.in_session for peer in self._ends.values()))
            on_failure.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        self._end()

    def _end(self) -> None:
        self._child.terminate()
        try:
            self._child.wait(PATIENCE_S)
        finally:
            self._child.kill()
            for line in self.lines.values():
                line.close()

    @property
    def pid(self) -> int:
        return self._child.pid

    def _connected(self) -> Client:
        deadline_s = monotonic() + PATIENCE_S
        while monotonic() < deadline_s and self._child.poll() is None:
            try:
                return Client(self.socket, within_s=PATIENCE_S)
            except Unreachable:
                self.serve(0.02)
        raise TimeoutError((self.directory / "log").read_text())

    # ---- devices

    def serve(self, within_s: float = 0.0) -> None:
        """Waits for bytes, then lets each device read its bytes and send its own."""
        ready, _, _ = select.select(list(self._ends), [], [], within_s)
        for fd in ready:
            self.take(fd, os.read(fd, READ_AT_MOST))
        for fd, peer in self._ends.items():
            peer.on_time(monotonic())
            self._say(fd, peer)

    def take(self, fd: int, data: bytes) -> None:
        """Gives the device at this descriptor the bytes, and sends its answers."""
        peer = self._ends[fd]
        peer.receive_data(data, monotonic())
        self._say(fd, peer)

    def _say(self, fd: int, peer: Peer) -> None:
        if data := peer.data_to_send():
            self._send(fd, data)

    def _send(self, fd: int, data: bytes) -> None:
        """Sends through the line's adapter; returns when the computer has all of it."""
        adapter = self._adapters[fd]
        out = adapter.take(data, monotonic())
        while (due_s := adapter.next_time_s()) is not None:
            sleep(max(0.0, due_s - monotonic()))
            out += adapter.take(b"", monotonic())
        os.write(fd, out)

    def rest(self, seconds: float) -> None:
        """Serves the devices for a while."""
        end_s = monotonic() + seconds
        while (left_s := end_s - monotonic()) > 0:
            self.serve(left_s)

    def until(self, is_so: Callable[[], bool]) -> None:
        """Serves the devices until `is_so` is true; TimeoutError with the controller's log."""
        deadline_s = monotonic() + PATIENCE_S
        while not is_so():
            self.serve(0.01)
            if monotonic() > deadline_s:
                raise TimeoutError((self.directory / "log").read_text())

    def until_quiet(self) -> None:
        """Serves until every event is acknowledged."""
        self.until(lambda: not any(peer.link.waiting_events for peer in self._ends.values()))

    def until_open(self) -> None:
        """Serves until the mouth may release the next card."""
        self.until(lambda: self.shuffler.mouth_is_open and not self.shoe.status.locked)

    # ---- people

    def act(self, act: str, person: int = DEALER, **values: str) -> None:
        """Does an act that must be allowed."""
        answer = self.outcome(act, person, **values)
        if not answer.ok:
            raise RuntimeError(f"{act}: {answer.line.decode()}")

    def outcome(self, act: str, person: int = DEALER, **values: str) -> Answer:
        answer = self.client.ask("act", act=act, person=person, pin=PIN, values=values)
        self.serve()
        return answer

    def hold(self) -> str:
        """The id of the open hold, once one is open."""
        self.until(lambda: bool(self._holds()))
        return self._holds()[0]

    def _holds(self) -> list[str]:
        status = json.loads(self.client.ask("status").line)["status"]
        return [hold["id"] for hold in status["holds"]]

    # ---- longer courses

    def open_session(self) -> None:
        """Goes from a closed table to a table in play."""
        self.act("sign-in", DEALER, operation="table")
        for act in ("open-session",):
            self.act(act)
        self.act("number-deck-set", CHIEF, deck_set="1")
        self.act("confirm-display")
        self.act("confirm-mixing")
        self.act("sign-in", CHIEF, operation="loading")
        self.act("begin-loading")
        while self.shuffler.status.inside < CARDS:
            self._packet(min(CARDS // 4, CARDS - self.shuffler.status.inside))
        self.act("complete-loading")
        self.until_open()
        self.draw("2C")

    def _packet(self, cards: int) -> None:
        self.act("open-packet", CHIEF)
        self.until(lambda: self.shuffler.status.feed_open)
        self.feed(cards)
        self.act("close-packet", CHIEF)

    def feed(self, cards: int) -> None:
        """Feeds cards as fast as the wire's window allows."""
        for _ in range(cards):
            self.shuffler.card_in(monotonic())
            if self.shuffler.link.waiting_events >= 40:
                self.until_quiet()
        self.until_quiet()

    def draw(self, card: str) -> None:
        """Draws a card through the open mouth: counted and read."""
        self.shuffler.card_out(monotonic())
        self.shoe.card_passed(card, monotonic())
        self.until_quiet()

    def begin_round(self) -> None:
        """Goes to the first card of a deal to all seats, with the devices' budgets filled before it."""
        self.rest(ROUND_FILLS_S)
        self.act("take-bets", seats="1,2,3,4,5,6,7")
        self.act("announce-no-more-bets")
        self.until_open()

    def end_round(self) -> None:
        """Goes from the last card to the next round, with the rack's cards put back."""
        for act in ("turn-hole-card", "confirm-settled", "collect-cards", "begin-putting-back"):
            self.act(act)
        self.until(lambda: self.shuffler.status.feed_open)
        self.feed(CARDS - self.shuffler.status.inside)
        self.act("end-putting-back")

    # ---- measuring

    def count_card(self) -> None:
        """Counts a card out at the shuffler; returns when that is acknowledged."""
        self.shuffler.card_out(monotonic())
        self.until_quiet()

    def read_card_us(self, card: str) -> float:
        """Microseconds from the last byte of the reader's event to the first byte that permits the next card.

        They include an adapter's time at the reader's line, since the event has left the reader before it.
        """
        self.serve()
        self.shoe.card_passed(card, monotonic())
        shoe, shuffler = self.lines["shoe"].fd, self.lines["shuffler"].fd
        data = self.shoe.data_to_send()
        began = perf_counter_ns()
        self._send(shoe, data)
        while True:
            got = os.read(shuffler, READ_AT_MOST)
            ended = perf_counter_ns()
            self.take(shuffler, got)
            if self.shuffler.mouth_is_open:
                return (ended - began) / 1000


def pace(next_s: float, every_s: float) -> float:
    """Sleeps until `next_s`; returns the time of the next beat. A missed beat is left out."""
    left_s = next_s - monotonic()
    if left_s > 0:
        sleep(left_s)
    return max(next_s, monotonic()) + every_s if left_s <= 0 else next_s + every_s
