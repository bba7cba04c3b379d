"""`sabot status --check`: one line for monitoring, and its exit code, for each possible fault."""

import json
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from scripted_controller import HANG_UP, Json, ScriptedController

from controller.cli.main import main
from controller.journal.errors import Reason, StorageReason
from controller.machine import socket_path as places
from controller.runtime.health import Journaling
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

WELL: Json = {
    "table": "BJ-07",
    "state": "Bets are open.",
    "session": "in-play",
    "journal": {"seq": 12, "lag_ms": 2, "condition": "writing"},
    "devices": {"shuffler": {"connected": True}},
}

CASES: list[tuple[str, Json, int, str]] = [
    ("well", {}, 0, "SABOT OK - Table BJ-07: Bets are open. | holds=0 "),
    ("held", {"holds": [{"id": "H1", "kind": "jam"}]}, 1, "WARNING - Table BJ-07: Bets are open. Held: jam."),
    ("slow journal", {"journal": {"lag_ms": 3500, "slow": True, "condition": "writing"}}, 1, "is 3.5 s behind."),
    ("journal full", {"journal": {"condition": "failed", "reason": "full"}}, 2, "is not written: "),
    ("journal damaged", {"journal": {"condition": "damaged", "reason": "crc, #7"}}, 2, "CRITICAL"),
    ("copy", {"journal": {"second_copy": {"condition": "failed", "reason": "gone"}}}, 1, "second copy"),
    ("device", {"devices": {"shuffler": {"connected": False}}}, 2, "Not connected: shuffler."),
    ("power", {"power": {"undervoltage": "now"}}, 1, "too little voltage"),
    ("power earlier", {"power": {"undervoltage": "earlier"}}, 0, "OK"),
    ("simulated", {"simulated": True}, 1, "The table is simulated."),
    ("worst counts", {"simulated": True, "devices": {"shoe": {"connected": False}}}, 2, "CRITICAL"),
    ("a bar in a text", {"state": "one | two"}, 0, "one / two"),
]


@pytest.mark.parametrize(("status", "code", "said"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_each_trouble_has_its_state(
    status: Json, code: int, said: str, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": WELL | status}]):
        assert main(["status", "--check", "--socket", str(socket_path)]) == code
    line = capsys.readouterr().out
    assert said in line
    assert line.startswith("SABOT ")
    assert (line.count("\n"), line.count("|")) == (1, 1)


def test_nobody_is_critical_and_nonsense_unknown(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", "--check", "--socket", str(socket_path)]) == 2
    assert capsys.readouterr().out.startswith("SABOT CRITICAL - No controller answers")
    with ScriptedController(socket_path, lambda _request: [b'{"ok": true}\n', HANG_UP]):
        assert main(["status", "--check", "--socket", str(socket_path)]) == 3
    assert capsys.readouterr().out.startswith("SABOT UNKNOWN - ")


def test_the_document_has_state_and_figures(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": WELL}]):
        assert main(["status", "--check", "--json", "--socket", str(socket_path)]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["state"], document["exit_code"]) == ("ok", 0)
    assert document["figures"] == {"holds": "0", "journal_entries": "12c", "journal_lag": "0.002s", "devices_lost": "0"}


@pytest.mark.parametrize("reason", [*StorageReason, *(f"{one}, #7" for one in Reason)])
def test_every_reason_of_a_journal_fault_is_put_into_words(
    reason: str, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = WELL | {"journal": {"condition": Journaling.FAILED.value, "reason": reason}}
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": status}]):
        assert main(["status", "--check", "--socket", str(socket_path)]) == 2
    assert f"is not written: {reason}." not in capsys.readouterr().out


AS_ANOTHER = """
import locale, os, pathlib, sys
import controller.cli.status, controller.cli.errors
from controller.machine import socket_path
from controller.cli.main import main
socket_path.SERVICE_SOCKET = pathlib.Path(sys.argv[1])
if os.geteuid() == 0:  # whom no directory stops
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
sys.exit(main(["status"]))
"""


def test_who_may_not_speak_to_the_service_is_told_which_group_may() -> None:
    with TemporaryDirectory() as directory:
        Path(directory).chmod(0o755)
        service = Path(directory) / "run"
        service.mkdir(mode=0)
        command = [sys.executable, "-c", AS_ANOTHER, str(service / places.NAME)]
        environment = {"SABOT_LANGUAGE": "en", "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run(command, capture_output=True, text=True, timeout=HANGS_S, env=environment)
        service.rmdir()
    assert done.returncode == 4, done.stderr
    assert "usermod -aG " in done.stderr
