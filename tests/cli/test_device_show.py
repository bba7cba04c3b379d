"""`sabot device show` on real pseudo-terminals, read by hand, by simulated displays, and without an answer."""

import json
import os
import select
import subprocess
import threading
import time
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sign_by_hand import HandSign

from controller.cli.main import main
from simulators.devices.alpha_sign import SimulatedAlphaSign
from simulators.devices.display import SimulatedDisplay
from simulators.pty_port import PtyHost
from tests.in_process import run

pytestmark = pytest.mark.waits


def show(port: object, *words: str) -> subprocess.CompletedProcess[str]:
    return run(main, "device", "show", str(port), "--kind", "jackpot-display", *words)


class Listener:
    """The other end of a bare pty: it reads and never answers."""

    def __init__(self) -> None:
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        self.port = os.ttyname(self._near)
        self._heard = b""
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._listen)
        self._thread.start()

    def _listen(self) -> None:
        while not self._stopping.is_set():
            self._read(0.05)

    def _read(self, within_s: float) -> bool:
        is_there = bool(select.select([self._far], [], [], within_s)[0])
        if is_there:
            self._heard += os.read(self._far, 4096)
        return is_there

    def heard(self) -> bytes:
        """All bytes that a command which has ended has sent to the line."""
        self._stopping.set()
        self._thread.join()
        while self._read(0):
            pass
        return self._heard

    def close(self) -> None:
        self.heard()
        os.close(self._far)
        os.close(self._near)


@pytest.fixture
def listener() -> Iterator[Listener]:
    made = Listener()
    yield made
    made.close()


@pytest.mark.parametrize("options", [[], ["--checksum"], ["--framing", "8N1", "--baud-rate", "4800"]])
def test_a_sign_that_only_listens(listener: Listener, options: list[str]) -> None:
    done = show(listener.port, "--protocol", "alpha", "--cents", "123456", "--json", *options)
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["ok"], document["shown_cents"], document["verified"]) == (True, 123456, False)
    assert (document["identity"], document["simulated"]) == ("unauthenticated", True)
    sign = HandSign()
    sign.read(listener.heard())
    assert sign.memory == {"A": "A", "1": "B"}
    assert "\x101" in sign.texts["A"]
    assert sign.shown == "1234.56"
    assert sign.history[0] == "E$", "the memory first"


def test_the_same_amount_again_writes_no_set_up(listener: Listener) -> None:
    amounts = [word for cents in (500, 500, 725, 725) for word in ("--cents", str(cents))]
    assert show(listener.port, "--protocol", "alpha", *amounts).returncode == 0
    sign = HandSign()
    sign.read(listener.heard())
    assert sign.shown == "7.25"
    assert [sign.history.count(one) for one in ("E$", "AA")] == [1, 2], "the text twice, since no answer comes"


def test_the_fault_message(listener: Listener) -> None:
    assert show(listener.port, "--protocol", "alpha", "--cents", "1", "--fault").returncode == 0
    sign = HandSign()
    sign.read(listener.heard())
    assert sign.shown == "TABLE HELD"


@pytest.mark.parametrize(
    ("protocol", "make", "options"),
    [
        ("alpha", SimulatedAlphaSign, ["--read-back"]),
        ("tdp", lambda: SimulatedDisplay(now_s=time.monotonic()), []),
    ],
)
def test_a_display_that_can_be_read(
    tmp_path: Path, protocol: str, make: Callable[[], SimulatedAlphaSign | SimulatedDisplay], options: list[str]
) -> None:
    display = make()
    with PtyHost() as host:
        host.add(tmp_path / "sign", display, baud_rate=115200)
        done = show(tmp_path / "sign", "--protocol", protocol, "--cents", "99", "--json", *options)
        shown = host.call(lambda _now_s: display.shown_cents)
    assert done.returncode == 0, done.stderr
    assert shown == 99
    assert json.loads(done.stdout)["verified"] is True


def test_a_sign_that_shows_something_else_is_a_failed_check(tmp_path: Path) -> None:
    sign = SimulatedAlphaSign()
    sign.is_stuck = True
    with PtyHost() as host:
        host.add(tmp_path / "sign", sign)
        done = show(tmp_path / "sign", "--protocol", "alpha", "--cents", "99", "--read-back", "--json")
    assert done.returncode == 1
    assert "the display shows something else: it shows 0.00" in done.stderr
    document = json.loads(done.stdout)
    assert (document["ok"], document["verified"], document["shown_cents"]) == (False, False, None)
    assert document["found_cents"] == 0


@pytest.mark.parametrize("words", [["--cents", "1.5"], ["--cents", "-1"], ["--cents", str(10**14)], []])
def test_what_is_no_amount_is_wrong_usage(words: list[str]) -> None:
    assert show("/dev/null", "--protocol", "alpha", *words).returncode == 2


@pytest.mark.parametrize("option", [["--read-back"], ["--checksum"], ["--framing", "7E1"], ["--baud-rate", "0"]])
def test_an_option_that_the_protocol_does_not_have_is_wrong_usage(option: list[str]) -> None:
    done = show("/dev/null", "--protocol", "tdp", "--cents", "1", *option)
    assert done.returncode == 2
    assert option[0] in done.stderr


def test_an_amount_behind_the_fault_message_is_not_said_to_be_shown(tmp_path: Path) -> None:
    with PtyHost() as host:
        host.add(tmp_path / "sign", SimulatedDisplay(now_s=time.monotonic()), baud_rate=115200)
        done = show(tmp_path / "sign", "--protocol", "tdp", "--cents", "77", "--fault")
    assert done.stdout == "The display shows the fault message; 0.77 stands behind it.\n"


def test_a_port_where_nothing_is(tmp_path: Path) -> None:
    done = show(tmp_path / "nothing", "--protocol", "tdp", "--cents", "1", "--json")
    assert done.returncode == 2
    document = json.loads(done.stdout)
    assert (document["ok"], document["error"]["code"]) == (False, "port-missing")
    assert str(tmp_path / "nothing") in done.stderr
