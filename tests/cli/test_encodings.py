"""A terminal of any encoding gets the answer: a character that it lacks ends no command, and JSON stays whole."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from controller.core.words import Role
from controller.staff import StaffBook, save_staff
from tests.daemon.rig import CHEAP, DEALER, PINS, ROOT
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

NAME = "Łucja Conceição 陳"
COMMAND = "import sys; from controller.cli.main import main; sys.exit(main())"


def ended(encoding: str, *command: str, closes_stdout: bool = False) -> subprocess.CompletedProcess[bytes]:
    environment = os.environ | {"SABOT_LANGUAGE": "pt", "PYTHONIOENCODING": encoding, "PYTHONPATH": str(ROOT)}
    starts = [sys.executable, "-c", COMMAND, *command]
    shell = ["sh", "-c", 'exec "$@" >&-', "sh"] if closes_stdout else []
    return subprocess.run([*shell, *starts], capture_output=True, cwd=ROOT, env=environment, timeout=HANGS_S)


@pytest.fixture
def listed(tmp_path: Path) -> list[str]:
    """A command that prints a name which few encodings have."""
    book = StaffBook(cost=CHEAP).with_person(DEALER, NAME, Role.DEALER, PINS[DEALER])
    save_staff(book, tmp_path / "staff.toml")
    return ["staff", "list", "--file", str(tmp_path / "staff.toml")]


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "big5", "utf-8"])
def test_an_encoding_ends_no_command(listed: list[str], encoding: str) -> None:
    told = ended(encoding, *listed)
    assert (told.returncode, told.stderr) == (0, b"")
    assert NAME.encode(encoding, "replace") in told.stdout


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "big5", "utf-8"])
def test_json_is_whole_in_every_encoding(listed: list[str], encoding: str) -> None:
    told = ended(encoding, *listed, "--json")
    assert json.loads(told.stdout.decode("utf-8"))["people"][0]["name"] == NAME


@pytest.mark.parametrize("form", [[], ["--json"]])
def test_without_an_output_a_command_runs_to_its_end(listed: list[str], form: list[str]) -> None:
    told = ended("utf-8", *listed, *form, closes_stdout=True)
    assert (told.returncode, told.stderr) == (0, b"")
