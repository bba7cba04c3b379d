"""The parts of `make image-play-test` that need no image: cables, the people's socket, the table of the card."""

import json
import os
import socket
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/image"))

from door import door
from monitor import Cables, Monitor, MonitorLostError, place
from trial_play import links_of, set_table

from controller.catalogue import Language
from simulators.demo.house import furnish
from simulators.demo.options import DemoOptions

pytestmark = pytest.mark.waits


class Emulator:
    """The edge: an emulator's end of the monitor. It refuses the commands named in `refuses`."""

    def __init__(self, path: Path) -> None:
        self.done: list[tuple[str, str]] = []
        self.refuses: set[str] = set()
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        one, _address = self._server.accept()
        with one, one.makefile("rw") as lines:
            lines.write('{"QMP": {}}\n{"event": "RESUME"}\n')
            for line in lines:
                command = json.loads(line)
                named = command["arguments"].get("id", "")
                self.done.append((command["execute"], named))
                lines.write('{"error": {}}\n' if command["execute"] in self.refuses else '{"return": {}}\n')
                lines.flush()

    def close(self) -> None:
        self._thread.join()
        self._server.close()


def accept_and_close(server: socket.socket) -> None:
    server.accept()[0].close()


@pytest.fixture
def emulator(tmp_path: Path) -> Iterator[Emulator]:
    made = Emulator(tmp_path / "monitor")
    yield made
    made.close()


def test_an_adapter_comes_and_goes_with_the_link_of_its_line(emulator: Emulator, tmp_path: Path) -> None:
    link = tmp_path / "shoe"
    monitor = Monitor(tmp_path / "monitor")
    cables = Cables(monitor, {"shoe": link})
    cables.look()
    link.symlink_to("/dev/pts/1")
    cables.look()
    cables.look()
    assert emulator.done[1:] == [("chardev-add", "line-shoe-1"), ("device_add", "shoe-1")]
    link.unlink()
    link.symlink_to("/dev/pts/2")
    emulator.refuses = {"chardev-remove"}
    cables.look()
    assert emulator.done[3:] == [("device_del", "shoe-1"), ("chardev-add", "line-shoe-2"), ("device_add", "shoe-2")]
    cables.look()
    emulator.refuses = set()
    cables.look()
    cables.look()
    assert emulator.done[6:] == [("chardev-remove", "line-shoe-1")] * 2
    monitor.close()


def test_an_emulator_that_ends_is_said(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "monitor"))
        server.listen()
        closes = threading.Thread(target=accept_and_close, args=(server,))
        closes.start()
        with pytest.raises(MonitorLostError):
            Monitor(tmp_path / "monitor")
        closes.join()


def test_the_door_leads_to_the_port_and_closes_where_nobody_is(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, door(tmp_path / "people", server.getsockname()[1]):
        with socket.socket(socket.AF_UNIX) as person:
            person.connect(str(tmp_path / "people"))
            person.sendall(b"status\n")
            one, _address = server.accept()
            with one:
                assert one.recv(64) == b"status\n"
                one.sendall(b"closed\n")
                assert person.recv(64) == b"closed\n"
            assert person.recv(64) == b""
        server.close()
        with socket.socket(socket.AF_UNIX) as person:
            person.connect(str(tmp_path / "people"))
            assert person.recv(64) == b""


def test_the_table_of_the_card_knows_no_path_of_this_computer(tmp_path: Path) -> None:
    options, data = DemoOptions(rounds=2), tmp_path / "data"
    house = furnish(tmp_path / "work", Language.EN, options)
    (data / "etc").mkdir(parents=True)
    (data / "state").mkdir()
    owner = os.geteuid(), os.getegid()
    set_table(house, links_of(house, options), data, owner)
    text = (data / "etc/table.toml").read_text()
    assert str(tmp_path) not in text
    assert f'"{place("shuffler")}"' in text
    assert (data / "state/staff.toml").read_text() == house.staff.read_text()
