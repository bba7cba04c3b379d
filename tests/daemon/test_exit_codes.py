"""The exit codes of a `sabot run` that cannot start: systemd tries again after 1, and waits for a person after 2."""

import ast
import re
import socket
from pathlib import Path

import pytest

import controller.daemon
from controller.cli import errors
from controller.cli.main import main
from controller.machine.exits import ExitCode
from tests.in_process import run

FOLDER = Path(controller.daemon.__file__).parent
UNIT = Path(__file__).parents[2] / "systemd/sabot.service"

WAITS_FOR_A_PERSON = {
    "journal-mode": "chmod",
    "other-table": "the configuration, or the journal, is another table's",
    "other-setup": "a session is open under another configuration",
    "other-game": "the configuration, or the journal, is of another game",
    "older-twin": "the table was brought back from a backup on another computer",
    "other-rules": "a session is open under another version",
    "seal-key": "the key file is none, or others may read it",
    "journal-behind": "two people say why it lacks entries",
    "socket-refused": "something else lies at its place; its directory systemd has made before",
}
MAY_END_BY_ITSELF = {
    "journal-locked": "a device is being tried, or another controller is ending",
    "journal-gone": "the medium is not mounted yet",
    "journal-elsewhere": "the medium is not mounted yet",
    "journal-file": "the medium is failing, or not there yet",
    "journal-file-refused": "the owner is being changed; the message names the command",
    "socket-live": "another controller is ending",
    "seal-key": "the medium is not there yet",
}


def failures() -> set[tuple[str, str]]:
    """Exit code and name of each failure that the daemon's modules raise, also where the code is chosen at run time."""
    found = set()
    for path in FOLDER.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "CliFailure":
                code, name = node.args[0], ast.literal_eval(node.args[1])
                codes = [code.attr] if isinstance(code, ast.Attribute) else ["USAGE", "FAILED"]
                found |= {(one, name) for one in codes}
    return found


def test_each_failure_of_a_start_has_its_exit_code() -> None:
    wanted = {("USAGE", name) for name in WAITS_FOR_A_PERSON} | {("FAILED", name) for name in MAY_END_BY_ITSELF}
    assert failures() == wanted


def test_configuration_and_staff_wait_for_a_person_and_so_does_the_unit() -> None:
    source = Path(errors.__file__).read_text("utf-8")
    codes = dict(re.findall(r"case (\w+)\(\):\n\s+return ExitCode.(\w+)", source))
    assert {codes["ConfigRefused"], codes["StaffRefused"]} == {"USAGE"}
    unit = UNIT.read_text("utf-8")
    assert f"RestartPreventExitStatus={int(ExitCode.USAGE)}\n" in unit
    assert "Restart=on-failure\n" in unit
    assert "StartLimitIntervalSec=0\n" in unit


PANEL = """
[table]
id = "T"
profile = "mo-box"
decks = 1
seats = 6
minimum_bet = 10
maximum_bet = 300
[journal]
path = "journal"
[staff]
path = "staff.toml"
[panel]
port = {port}
{more}
"""


@pytest.mark.waits
def test_a_panel_waits_for_its_address_and_not_for_a_wrong_certificate(tmp_path: Path) -> None:
    """A panel tries again for an address, which comes with the network, and not for a wrong certificate."""
    config = tmp_path / "table.toml"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        config.write_text(PANEL.format(port=taken.getsockname()[1], more=""))
        assert run(main, "panel", "--config", str(config)).returncode == ExitCode.FAILED
    (tmp_path / "none.pem").write_text("no certificate")
    config.write_text(PANEL.format(port=0, more='certificate = "none.pem"'))
    assert run(main, "panel", "--config", str(config)).returncode == ExitCode.USAGE
