"""`sabot device watch` (in a forked process), `probe` and `list`, with bytes by hand and with simulated devices."""

import json
import os
import select
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from bare_shoe import BareShoe, bare_shoe
from msgspec.structs import replace

from controller.cli import device_list
from controller.cli.main import main
from drivers.port_list import FoundPort
from simulators.devices.cards import make_cards
from simulators.devices.display import SimulatedDisplay
from simulators.devices.shoe import SimulatedShoe
from simulators.pty_port import PtyHost
from tests.daemon.warm import Warm
from tests.demo.warm_demo import NO_FAULT
from tests.endings import HANGS_S
from tests.in_process import run
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

PLAYER_8S = "05 31 44 81 B8 03 34 46"
BANKER_5C = "05 37 44 91 A5 03 34 34"
DAMAGED = "05 31 44 81 B8 03 34 47"
PLAYER_0 = "05 32 44 80 B8 03 34 44"


def device(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs a `sabot device` command that ends by itself; returns its result."""
    return run(main, "device", *arguments)


class Watch:
    """A forked command, with both its outputs."""

    def __init__(self, warm: Warm, *arguments: str) -> None:
        (out, its_out), (err, its_err) = os.pipe(), os.pipe()
        self._forked = warm.start(("device", *arguments), os.environ | NO_FAULT, its_out, its_err)
        os.close(its_out)
        os.close(its_err)
        self.stdout, self.stderr = open(out, encoding="utf-8"), open(err, encoding="utf-8")  # noqa: SIM115, PTH123
        self.poll, self.wait, self.send_signal = self._forked.poll, self._forked.wait, self._forked.send_signal

    def communicate(self) -> tuple[str, str]:
        """Waits for the command's end; returns the rest of both outputs."""
        self.wait(HANGS_S)
        return self.stdout.read(), self.stderr.read()

    def end(self) -> None:
        self._forked.kill()
        self.wait(HANGS_S)
        self.stdout.close()
        self.stderr.close()


Watching = Callable[..., AbstractContextManager[Watch]]


@pytest.fixture(scope="module")
def warm() -> Iterator[Warm]:
    with Warm() as warm:
        yield warm


@pytest.fixture
def watching(warm: Warm) -> Watching:
    @contextmanager
    def begun(*arguments: str) -> Iterator[Watch]:
        watch = Watch(warm, *arguments)
        try:
            yield watch
        finally:
            watch.end()

    return begun


def line(process: Watch) -> dict[str, object]:
    text = process.stdout.readline()
    assert text, process.stderr.read()
    found = json.loads(text)
    assert isinstance(found, dict)
    return found


def angel(shoe: BareShoe, *more: str) -> tuple[str, ...]:
    return ("watch", shoe.path, "--kind", "shoe", "--protocol", "angel-eye", "--json", *more)


def test_every_event_is_one_line_and_copies_are_none(watching: Watching) -> None:
    with bare_shoe() as shoe, watching(*angel(shoe, "--count", "15")) as watch:
        first = line(watch)
        assert (first["event"], first["unauthenticated"], first["simulated"]) == ("connected", True, True)
        shoe.says(
            PLAYER_8S, "05 32 47 91 03 45 37", "05 33 43 03 37 33", "05 34 45 C1 03 42 33", "05 35 4C 81 03 46 42"
        )
        drawn = {"event": "card-drawn", "card": "8S", "target": "player", "index": 1, "retransmission": False}
        assert line(watch) == drawn | {"simulated": True}
        result = {"event": "result", "winner": "player", "player_pair": True, "banker_pair": False}
        assert line(watch) == result | {"simulated": True}
        assert line(watch) == {"event": "cut-card", "simulated": True}
        raised = line(watch)
        assert (raised["event"], raised["code"], raised["message"]) == ("error-raised", 1, "a card could not be read")
        assert line(watch) == {"event": "lock-changed", "locked": True, "simulated": True}
        shoe.says("05 43 53 03 31 33", "05 44 50 03 31 37")
        assert [line(watch)["event"] for _ in range(2)] == ["started", "standby"]
        shoe.says("05 45 64 80 B8 03 31 41", "05 46 52 81 B8 03 32 45", "05 31 65 81 03 44 36")
        outside = line(watch)
        assert (outside["event"], outside["reason"], outside["card"]) == ("card-drawn-outside-play", "lock-mode", "8S")
        again = line(watch)
        assert (again["event"], again["retransmission"], again["card"]) == ("card-drawn", True, "8S")
        assert line(watch)["event"] == "error-cleared"
        shoe.says(DAMAGED, copies=1)
        assert line(watch) == {"event": "frame-rejected", "reason": "bad-checksum", "simulated": True}
        shoe.says(PLAYER_0)
        assert line(watch) == {"event": "frame-rejected", "reason": "out-of-bounds", "simulated": True}
        shoe.says("05 33 4D 30 37 30 30 30 31 03 37 42")
        preset = line(watch)
        assert (preset["event"], preset["address"], preset["value"]) == ("preset-changed", "07", "0001")
        shoe.says(BANKER_5C)
        gap = line(watch)
        assert (gap["event"], gap["target"], gap["missed_before"]) == ("card-drawn", "banker", 3)
        assert watch.wait(HANGS_S) == 0
        assert watch.stdout.read() == ""


def test_a_damaged_copy_and_a_good_one_stand_in_the_order_in_which_they_came(watching: Watching) -> None:
    with bare_shoe() as shoe, watching(*angel(shoe, "--count", "4")) as watch:
        line(watch)
        shoe.says(DAMAGED + PLAYER_8S + PLAYER_8S + DAMAGED, copies=1)
        events = [line(watch)["event"] for _ in range(3)]
        assert events == ["frame-rejected", "card-drawn", "frame-rejected"]
        assert watch.wait(HANGS_S) == 0


def test_a_sign_is_connected_once_its_port_is_open_and_is_told_nothing(watching: Watching) -> None:
    with bare_shoe() as sign:
        arguments = ("watch", sign.path, "--kind", "jackpot-display", "--protocol", "alpha", "--json", "--count", "2")
        with watching(*arguments) as watch:
            first = line(watch)
            assert (first["event"], first["kind"], first["unauthenticated"]) == ("connected", "jackpot-display", True)
            sign.says("55", copies=1)
            assert line(watch)["event"] == "frame-rejected"
            assert watch.wait(HANGS_S) == 0
        assert sign.heard() == b""


def test_noise_before_a_device_has_answered_is_talk_and_the_first_line_is_connected(watching: Watching) -> None:
    with bare_shoe() as shoe, watching("watch", shoe.path, "--kind", "shoe", "--protocol", "tdp", "--json") as watch:
        wait_for(lambda: (shoe.says("55 AA 00", copies=2), select.select([watch.stderr], [], [], 0.05)[0])[1])
        assert "(bad-cobs)" in watch.stderr.readline()
        watch.send_signal(signal.SIGTERM)
        out, err = watch.communicate()
    assert (out, err) == ("", "")


def test_a_device_that_says_nothing_is_talked_of(watching: Watching) -> None:
    with bare_shoe() as shoe, watching("watch", shoe.path, "--kind", "shoe", "--protocol", "tdp", "--json") as watch:
        assert "No device has answered yet" in watch.stderr.readline()
        watch.send_signal(signal.SIGTERM)
        assert watch.communicate() == ("", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_clean(number: signal.Signals, watching: Watching) -> None:
    with bare_shoe() as shoe, watching(*angel(shoe)) as watch:
        line(watch)
        watch.send_signal(number)
        assert watch.wait(HANGS_S) == 0
        assert watch.stderr.read() == ""


def test_a_pulled_cable_is_one_lost_and_its_return_one_connected(tmp_path: Path, watching: Watching) -> None:
    link = tmp_path / "shoe"
    with bare_shoe() as shoe:
        link.symlink_to(shoe.path)
        arguments = ("watch", str(link), "--kind", "shoe", "--protocol", "angel-eye", "--json", "--count", "4")
        with watching(*arguments) as watch, bare_shoe() as other:
            line(watch)
            link.unlink()  # first, since another process may get the number of a closed pty
            shoe.unplug()
            assert line(watch)["event"] == "lost"
            link.symlink_to(other.path)
            assert line(watch)["event"] == "connected"
            other.says(PLAYER_8S)
            drawn = line(watch)
            # the command heard nothing while the line was away
            assert (drawn["card"], drawn["missed_before"]) == ("8S", None)
            assert watch.wait(HANGS_S) == 0
            assert watch.stderr.read() == "Cards may have passed unseen while the line was away.\n"


def test_a_reader_that_has_gone_ends_it(watching: Watching) -> None:
    with bare_shoe() as shoe, watching(*angel(shoe)) as watch:
        line(watch)
        watch.stdout.close()
        shoe.says(PLAYER_8S)
        assert watch.wait(HANGS_S) == 0


@pytest.mark.parametrize(
    ("arguments", "code", "word"),
    [
        (("watch", "/dev/no-such-port", "--kind", "shoe", "--protocol", "angel-eye"), 2, "port-missing"),
        (("watch", "loop://", "--kind", "shoe", "--protocol", "angel-eye"), 2, "port-refused"),
        (("watch", "/dev/null", "--kind", "shoe", "--protocol", "tdp"), 2, "port-refused"),
        (("watch", "/dev/null", "--kind", "shuffler", "--protocol", "angel-eye"), 2, "protocol-of-kind"),
        (("watch", "socket://127.0.0.1:1", "--kind", "shoe", "--protocol", "angel-eye"), 2, "port-missing"),
        (("probe", "/dev/no-such-port"), 2, "port-missing"),
    ],
)
def test_a_port_that_cannot_be_opened_is_said_in_words(arguments: tuple[str, ...], code: int, word: str) -> None:
    done = device(*arguments, "--json")
    assert done.returncode == code
    assert json.loads(done.stdout)["error"]["code"] == word
    assert done.stderr.strip()


def test_a_port_that_another_program_holds_is_busy(watching: Watching) -> None:
    with bare_shoe() as shoe, watching(*angel(shoe)) as first:
        line(first)
        second = device(*angel(shoe))
        assert (second.returncode, json.loads(second.stdout)["error"]["code"]) == (1, "port-busy")


def test_behind_a_serial_server(watching: Watching) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"socket://127.0.0.1:{server.getsockname()[1]}"
        arguments = ("watch", url, "--kind", "shoe", "--protocol", "angel-eye", "--json", "--count", "2")
        with watching(*arguments) as watch:
            connection, _ = server.accept()
            with connection:
                assert (line(watch)["event"], line_sent(connection, watch)["card"]) == ("connected", "8S")
                assert watch.wait(HANGS_S) == 0


def line_sent(connection: socket.socket, watch: Watch) -> dict[str, object]:
    connection.sendall(bytes.fromhex(PLAYER_8S) * 3)
    found = line(watch)
    assert found["simulated"] is False
    return found


def test_a_shoe_that_keeps_its_events_is_told_to_forget_them(tmp_path: Path, watching: Watching) -> None:
    link = tmp_path / "shoe"
    shoe = SimulatedShoe(now_s=time.monotonic())
    cards = make_cards(1)[:20]
    with PtyHost() as host:
        host.add(link, shoe, baud_rate=None)
        count = str(len(cards) + 2)
        arguments = ("watch", str(link), "--kind", "shoe", "--protocol", "tdp", "--json", "--count", count)
        with watching(*arguments) as watch:
            first = line(watch)
            assert (first["event"], first["serial_number"], first["unauthenticated"]) == (
                "connected",
                "SIM-SHOE",
                False,
            )
            assert line(watch)["event"] == "started"
            host.call(lambda now_s: [shoe.card_passes(card, now_s) for card in cards])
            assert [line(watch)["card"] for _ in cards] == [card.face for card in cards]
            assert watch.wait(HANGS_S) == 0
    assert os.path.lexists(link) is False


def test_a_tdp_device_says_who_it_is(tmp_path: Path) -> None:
    with PtyHost() as host:
        host.add(tmp_path / "shoe", SimulatedShoe(now_s=time.monotonic()), baud_rate=None)
        for kind in ((), ("--kind", "shoe")):
            probe = device("probe", str(tmp_path / "shoe"), *kind, "--json")
            found = json.loads(probe.stdout)
            assert (probe.returncode, found["kind"], found["simulated"]) == (0, "shoe", True)


def test_a_display_is_asked_again_as_what_it_says_it_is(tmp_path: Path) -> None:
    with PtyHost() as host:
        host.add(tmp_path / "sign", SimulatedDisplay(now_s=time.monotonic()), baud_rate=None)
        probe = device("probe", str(tmp_path / "sign"), "--json")
        other = device("probe", str(tmp_path / "sign"), "--kind", "shuffler", "--json")
    found, refused = json.loads(probe.stdout), json.loads(other.stdout)
    assert (probe.returncode, found["kind"], found["model"]) == (0, "jackpot-display", "Sabot simulator")
    assert (other.returncode, refused["answered"], refused["model"]) == (1, True, None)


def test_an_angel_eye_is_heard_and_not_known(watching: Watching) -> None:
    with (
        bare_shoe() as shoe,
        watching("probe", shoe.path, "--protocol", "angel-eye", "--seconds", "20", "--json") as probe,
    ):
        while probe.poll() is None:  # it reads only bytes that come after the port was opened
            shoe.says(PLAYER_8S)
            time.sleep(0.05)
        out, _ = probe.communicate()
    found = json.loads(out)
    assert (probe.wait(HANGS_S), found["answered"], found["unauthenticated"]) == (0, True, True)


def test_nobody_is_said_to_be_nobody() -> None:
    with bare_shoe() as shoe:
        probe = device("probe", shoe.path, "--protocol", "angel-eye", "--seconds", "0.2", "--json")
    assert (probe.returncode, json.loads(probe.stdout)["answered"]) == (1, False)


def test_the_ports_of_this_machine() -> None:
    ports = device("list", "--json")
    assert ports.returncode == 0
    assert isinstance(json.loads(ports.stdout)["ports"], list)


def test_a_port_is_listed_with_what_the_rules_for_its_name_need(monkeypatch: pytest.MonkeyPatch) -> None:
    ports = [FoundPort("/dev/ttyACM0", "/dev/serial/by-path/a", None, "CSM", "1d50:60fc", "CSM-0001")]
    monkeypatch.setattr(device_list, "found_ports", lambda: ports)
    assert run(main, "device", "list").stdout == "/dev/ttyACM0  /dev/serial/by-path/a  CSM  CSM-0001\n"
    ports[0] = replace(ports[0], description="CSM\x1b[2J", serial_number="1\u202e\n2")
    assert run(main, "device", "list").stdout == "/dev/ttyACM0  /dev/serial/by-path/a  CSM?[2J  1??2\n"
