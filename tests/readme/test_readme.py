"""Every command of the README is run on a simulated table, with the table's paths in place of an installation's."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from controller.cli.main import main as sabot
from simulators.cli import main as sabot_sim
from tests.demo.evenings import PLAYS_S
from tests.endings import HANGS_S
from tests.in_process import run as in_process
from tests.waiting import wait_for

pytestmark = [pytest.mark.waits, pytest.mark.daily]

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


def commands() -> list[str]:
    """The lines of the README's shell blocks, without comments."""
    blocks = re.findall(r"```sh\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    lines = [line.split("#")[0].strip() for block in blocks for line in block.splitlines()]
    return [line for line in lines if line]


@dataclass(frozen=True)
class Table:
    """A simulated table's directory, after its session or during play."""

    directory: Path

    def here(self, command: str) -> list[str]:
        """The arguments of the README's command, with this table's paths."""
        places = {
            ".venv/bin/": f"{BIN}/",
            "/etc/sabot/table.toml": str(self.directory / "table.toml"),
            "/var/lib/sabot/journal": str(self.directory / "journal"),
            "evening.txt": str(self.directory / "evening.txt"),
            "round.txt": str(self.directory / "round.txt"),
            "/tmp/shuffler": str(self.directory / "lonely-shuffler"),  # noqa: S108 - the README's own path
            "/tmp/shoe": str(self.directory / "lonely-shoe"),  # noqa: S108
            "/tmp/sign": str(self.directory / "lonely-sign"),  # noqa: S108
        }
        for written, real in places.items():
            command = command.replace(written, real)
        return shlex.split(command)


def run(arguments: list[str], given: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        arguments, input=given, capture_output=True, text=True, timeout=PLAYS_S, env={**os.environ, **environment}
    )


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Table:
    directory = tmp_path_factory.mktemp("played")
    done = run([f"{BIN}/sabot-sim", "demo", "--rounds", "1", "--seed", "7", "--json", "--state-dir", str(directory)])
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["violations"] == []
    return Table(directory)


@pytest.fixture
def playing(tmp_path: Path) -> Iterator[Table]:
    demo = subprocess.Popen(
        [f"{BIN}/sabot-sim", "demo", "--seed", "7", "--state-dir", str(tmp_path)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        status = [f"{BIN}/sabot", "status", "--socket", str(tmp_path / "control.sock")]
        wait_for(lambda: run(status).returncode != 4, within_s=PLAYS_S)
        yield Table(tmp_path)
    finally:
        demo.terminate()
        assert demo.wait(HANGS_S) is not None


TRIED_ELSEWHERE = {
    "make run": "the demo's own tests start and end it; the continuous integration begins with make",
    "make test": "this is it",
    "make pages": "a test compares what it would write with what stands there",
    "make bench": "takes minutes and measures the machine as much as us; each path that it times has tests of its own",
    "make night": "it is the everyday command, with more seeds",
    ".venv/bin/sabot device conform /tmp/shuffler --kind shuffler": "tests/conform, in virtual time",
    ".venv/bin/sabot-sim power-cuts": "the journal's tests, with fewer of its last entries",
    ".venv/bin/sabot run --config /etc/sabot/table.toml": "every demo starts it",
    ".venv/bin/sabot-sim demo --rounds 50 --seed 7 --json": "the demo's tests, with fewer rounds",
    ".venv/bin/sabot-sim demo --profile pt-shoe --rounds 20 --json": "the demo's tests, with fewer rounds",
    ".venv/bin/sabot-sim train --drill hands": "tests/demo/test_train.py, with a scripted dealer",
    ".venv/bin/sabot-sim floor --tables 20": "the floor's tests, with fewer tables",
    ".venv/bin/sabot-sim demo --profile mo-box --rounds 3 --json": "the demo's tests, with fewer rounds",
    ".venv/bin/sabot-sim demo --profile pt-roulette --rounds 4 --json": "the demo's tests, with fewer rounds",
}
ON_A_PLAYING_TABLE = [c for c in commands() if " act " in c or " status " in c]
OFFLINE = [c for c in commands() if re.search(r"sabot (journal|config|profile|scenario|clauses) ", c + " ")]
WORLDS = [c for c in commands() if "sabot-sim world" in c]
ON_A_LONE_DEVICE = [c for c in commands() if "sabot device" in c and c not in TRIED_ELSEWHERE]
REST = set(commands()).difference(TRIED_ELSEWHERE, ON_A_PLAYING_TABLE, OFFLINE, WORLDS, ON_A_LONE_DEVICE)


def test_offline_commands_do_well(played: Table) -> None:
    for command in OFFLINE:
        program, *words = played.here(command)
        assert program == f"{BIN}/sabot"
        done = in_process(sabot, *words)
        if "check" in words:  # the simulated devices ended with the table
            assert done.returncode == 2
            assert "port" in done.stdout + done.stderr
        else:
            assert done.returncode == 0, (command, done.stderr)


AUDIT = ROOT / "controller/journal/AUDIT.md"


def test_the_auditors_commands_do_well(played: Table, tmp_path: Path) -> None:
    """The commands run in the page's order on a copy of an evening's journal; the last ones remove a part of it."""
    for name in ("journal", "journal.key", "journal.pub", "journal.begun"):
        copy = shutil.copytree if (played.directory / name).is_dir() else shutil.copy2
        copy(played.directory / name, tmp_path / name)
    code = in_process(sabot, "journal", "code", str(tmp_path / "journal"), "--json")
    noted = json.loads(code.stdout)["code"]
    values = {"CODE-FROM-THE-BOOK": noted, "CODE": noted, "12": "1", "WITNESS-KEY": _witness(tmp_path)}
    tried = []
    which = "journal (?:verify|export|replay|show|prove|cosign|prune)|witness sign"
    for command in re.findall(rf"^    sabot ((?:{which}) .*)$", AUDIT.read_text(), re.MULTILINE):
        if "later.txt" in command or "--url" in command:
            continue  # an export after a removal: tests/runtime/test_removed_state.py; over HTTP: tests/witness
        words = [str(tmp_path / PLACES[word]) if word in PLACES else values.get(word, word) for word in command.split()]
        done = in_process(sabot, *words)
        assert done.returncode == 0, (command, done.stderr, done.stdout)
        tried.append(words[1])
    of_witness = ["cosign", "sign", "cosign", "verify", "verify"]
    assert tried == ["verify", "export", "verify", "replay", "show", "prove", "verify", *of_witness, "prune"]


PLACES = {"JOURNAL": "journal", "DIRECTORY": "witness"} | {
    name: name for name in ("evening.txt", "round.txt", "request.txt", "signed.txt", "journal.pub")
}
"""The page's words with their values in this journal's directory; its session has one round."""


def _witness(directory: Path) -> str:
    """Makes a witness in this directory that knows the table's log; returns the witness's key."""
    place, journal = str(directory / "witness"), str(directory / "journal")
    made = in_process(sabot, "witness", "new", place, "--name", "inspection.example", "--json")
    key = str(json.loads(made.stdout)["key"])
    asked = in_process(sabot, "journal", "cosign", journal, "--witness", key, "--out", f"{place}.asked", "--json")
    added = in_process(sabot, "witness", "add", place, json.loads(asked.stdout)["log"])
    assert added.returncode == 0, added.stderr
    return key


@pytest.mark.parametrize("command", WORLDS)
def test_worlds_play(command: str) -> None:
    program, *words = Table(Path()).here(command.replace("0:100 --rounds 20", "1:4 --rounds 2"))
    assert program == f"{BIN}/sabot-sim"
    done = in_process(sabot_sim, *words)
    assert done.returncode == 0, done.stdout
    assert "violations: 0" in done.stdout or "ended: closed" in done.stdout


def test_commands_at_a_playing_table(playing: Table) -> None:
    """Each answers; the answer depends on the table's play."""
    socket = str(playing.directory / "control.sock")
    for command in ON_A_PLAYING_TABLE:
        arguments = [argument for argument in playing.here(command) if argument != "--watch"]
        pin = ["--pin-fd", "0"] if "--person" in arguments else []
        done = run([*arguments, *pin], "000000\n" if pin else "", SABOT_SOCKET=socket)
        well = (0, 3) if " status" in command else (0,)  # the table may be held at that moment
        assert done.returncode in ((1,) if pin else well), (command, done.stderr)


def test_the_rest_is_a_person_and_lone_devices(played: Table) -> None:
    staff = next(c for c in REST if " staff add " in c)
    devices = [c for c in commands() if "sabot-sim device" in c]
    assert {staff, *devices} == REST
    added = run([*played.here(staff.replace("--number 21", "--number 77")), "--pin-fd", "0"], "739164\n")
    assert added.returncode == 0, added.stderr
    with ExitStack() as lonely:
        links = [lonely.enter_context(plugged_in(played.here(device))) for device in devices]
        for command in ON_A_LONE_DEVICE:
            done = run(played.here(command))
            assert done.returncode == 0, (command, done.stderr)
    assert not any(link.is_symlink() for link in links)


@contextmanager
def plugged_in(arguments: list[str]) -> Iterator[Path]:
    """Runs a simulated device; yields the path of its port."""
    device = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        link = Path(arguments[arguments.index("--link") + 1])
        wait_for(lambda: link.is_symlink() or device.poll() is not None)
        assert device.poll() is None
        yield link
    finally:
        device.terminate()
        device.wait(HANGS_S)
