"""`sabot-sim table`: a configuration's devices as one table, with a real controller and hands led by lines."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from controller.cli.client import Client, Unreachable
from simulators.hand_words import WORDS, BadLineError, hand_act, usage
from simulators.people.hands import FreedTo, FreeJam, PullCard
from tests.endings import HANGS_S
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

CONFIG = """
[table]
id = "REHEARSAL"
profile = "pt-csm"
decks = 4
seats = 6
minimum_bet = 10
maximum_bet = 300
simulated = true
[devices.shuffler]
port = "ports/shuffler"
protocol = "tdp"
[devices.shoe]
port = "ports/shoe"
protocol = "tdp"
[devices.lamp]
port = "ports/lamp"
line = 17
[journal]
path = "journal"
[staff]
path = "staff.toml"
[controller]
socket = "control.sock"
"""


PORTS = ("shuffler", "shoe", "lamp")


class Table:
    """The two programs with one configuration."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        self.config = directory / "table.toml"
        self.config.write_text(CONFIG.replace('"ports/', f'"{directory}/ports/'))
        self.devices = self._start("simulators.cli", "table", "--by-hand")
        add = ["staff", "add", "--number", "11", "--name", "N", "--role", "dealer", "--pin-fd", "0"]
        self.sabot(*add, given="739164\n")
        wait_for(lambda: all((directory / "ports" / name).is_symlink() for name in PORTS))
        self.controller = self._start("controller.cli.main", "run")

    def _start(self, module: str, *words: str) -> subprocess.Popen[str]:
        code = f"import sys; from {module} import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", code, *words, "--config", str(self.config)]
        return subprocess.Popen(command, text=True, stdin=-1, stdout=-1, stderr=subprocess.DEVNULL)

    def sabot(self, *words: str, given: str = "") -> subprocess.CompletedProcess[str]:
        code = "import sys; from controller.cli.main import main; sys.exit(main(sys.argv[1:]))"
        command = [sys.executable, "-c", code, *words, "--config", str(self.config)]
        return subprocess.run(command, capture_output=True, text=True, input=given, timeout=HANGS_S)

    def hands(self, line: str) -> None:
        assert self.devices.stdin is not None
        self.devices.stdin.write(f"{line}\n")
        self.devices.stdin.flush()

    def look(self) -> dict[str, object]:
        self.hands("look")
        assert self.devices.stdout is not None
        found: dict[str, object] = json.loads(self.devices.stdout.readline())
        return found

    def until(self, wanted: Callable[[dict[str, object]], object]) -> None:
        wait_for(lambda: (status := self._status()) is not None and wanted(status), self._status)

    def _status(self) -> dict[str, object] | None:
        try:
            with Client(self.directory / "control.sock") as client:
                status = client.ask("status").document()["status"]
        except Unreachable:
            return None
        assert isinstance(status, dict)
        return status

    def close(self) -> None:
        for child in (self.controller, self.devices):
            child.terminate()
            child.communicate(timeout=HANGS_S)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    made = Table(tmp_path)
    yield made
    made.close()


def connected(status: dict[str, object], *names: str) -> bool:
    devices = status["devices"]
    assert isinstance(devices, dict)
    return all(devices[name]["connected"] for name in names)


def test_a_controller_finds_its_table_and_feels_the_hands(table: Table) -> None:
    table.until(lambda status: connected(status, "shuffler", "shoe", "lamp"))
    assert table.look()["outside"] == 208
    table.hands("unplug device=shoe")
    table.until(lambda status: not connected(status, "shoe"))
    table.hands("plug device=shoe")
    table.until(lambda status: connected(status, "shoe"))
    table.hands("feed-too-early cards=1")
    table.until(lambda status: status["holds"])  # a card is in a machine that must be empty
    assert table.look()["outside"] == 207
    table.hands("no-such-word")
    table.hands("end")
    assert table.devices.wait(HANGS_S) == 0
    assert not list((table.directory / "ports").glob("s*"))


def test_words_are_the_acts_of_hands() -> None:
    assert hand_act("free-jam", {"to": "rack"}) == FreeJam(FreedTo.RACK)
    pulled = hand_act("pull-card", {"purpose": "seat", "seat": "3", "face_down": "yes"})
    assert isinstance(pulled, PullCard)
    assert (pulled.seat, pulled.face_down, pulled.session) == (3, True, 0)
    assert "pull-wrongly" not in WORDS  # its value is no plain one
    assert len(usage()) == len(WORDS) > 25


@pytest.mark.parametrize(
    ("word", "given", "said"),
    [
        ("free-jem", {}, "free-jam"),
        ("free-jam", {"to": "pocket"}, "rack"),
        ("free-jam", {}, "needs to="),
        ("hand-over-packet", {"cards": "many"}, "0, 1, 2"),
        ("feed-packet", {"cards": "3"}, "^cards: "),
        ("pull-card", {"purpose": "seat", "face_down": "maybe"}, "yes, no"),
    ],
)
def test_a_wrong_line_says_what_would_be_right(word: str, given: dict[str, str], said: str) -> None:
    with pytest.raises(BadLineError, match=said):
        hand_act(word, given)


def test_a_script_that_is_wrong_and_a_real_table_are_refused(tmp_path: Path) -> None:
    config, script = tmp_path / "table.toml", tmp_path / "script"
    config.write_text(CONFIG.replace('"ports/', f'"{tmp_path}/ports/'))
    script.write_text("look\nwait seconds=0.01\nfly  # nobody can\n")
    command = [sys.executable, "-c", "import sys; from simulators.cli import main; sys.exit(main())", "table"]
    done = subprocess.run([*command, "--config", str(config), "--script", str(script)], capture_output=True, text=True)
    assert done.returncode == 1
    assert "fly" in done.stderr
    config.write_text(config.read_text().replace("simulated = true", "simulated = false"))
    done = subprocess.run([*command, "--config", str(config)], capture_output=True, text=True)
    assert done.returncode == 2
    assert "simulated = true" in done.stderr
