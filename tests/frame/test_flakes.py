"""A test that waits is marked so, and `make flakes` repeats it and counts its failures."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests import flakes
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
UNMARKED = """
import asyncio, socket, subprocess, time
import pytest

def test_a_process():
    subprocess.run(["true"])

def test_a_socket():
    socket.socket().close()

def test_a_loop():
    asyncio.run(asyncio.sleep(0))

def test_a_clock():
    time.sleep(0)

@pytest.fixture
def process():
    subprocess.run(["true"])

def test_by_its_fixture(process):
    pass

@pytest.mark.waits
def test_that_says_so(process):
    pass

def test_that_waits_for_nothing():
    pass
"""
RED_WITH_ODD_SEEDS = """
import os, pytest

@pytest.mark.waits
def test_at_times():
    assert int(os.environ["PYTHONHASHSEED"]) % 2 == 0

@pytest.mark.waits
def test_always_green():
    pass

def test_that_does_not_wait():
    raise AssertionError
"""


def test_a_test_that_waits_and_does_not_say_so_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test_it.py").write_text(UNMARKED)
    options = ["-c", str(ROOT / "pyproject.toml"), "-p", "tests.marked", "-q"]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=HANGS_S)
    red = [line.split("::")[1] for line in done.stdout.splitlines() if line.startswith("FAILED")]
    assert [(name.partition(" ")[0], name.partition("It waits for ")[2].partition(":")[0]) for name in red] == [
        ("test_a_process", "a process"),
        ("test_a_socket", "a socket"),
        ("test_a_loop", "a socket"),
        ("test_a_clock", "a clock"),
        ("test_by_its_fixture", "a process"),
    ]
    assert "2 passed" in done.stdout


def test_a_test_that_is_red_at_times_is_named_with_what_repeats_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "test_it.py"
    file.write_text(RED_WITH_ODD_SEEDS)
    monkeypatch.setattr(flakes, "OUTPUTS", tmp_path / "said")
    assert flakes.main(["--times", "3", "--seed", "6", "--load", "0", "--workers", "0", str(file)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert [line.startswith(f"run {number} of 3, seed {number + 5}: ") for number, line in enumerate(told[:3], 1)] == [
        True
    ] * 3
    assert told[3].startswith("red in 1 of 3: ")
    assert told[3].endswith("test_it.py::test_at_times")
    assert told[4].startswith("    make flakes FLAKES='--times 1 --seed 7 ")
    assert len(told) == 5


def test_without_anything_that_loads_the_machine_it_says_what_to_type(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", "")
    assert flakes.main([]) == 2
    assert capsys.readouterr().err == "stress-ng is missing; on Debian: sudo apt install stress-ng\n"


def test_a_run_that_ends_badly_without_a_red_test_is_red(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_it.py").write_text("import no_such_module\n")
    monkeypatch.setattr(flakes, "OUTPUTS", tmp_path)
    assert flakes.one_run(1, "0", [str(tmp_path / "test_it.py")]) != set()
