"""`sabot status` against a scripted controller: words for people, one document for machines, changes as they come."""

import json
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from scripted_controller import HANG_UP, STATUS, Json, ScriptedController

from controller.cli.main import main
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits


def answers_status(request: Json) -> list[Json | bytes]:
    assert request["do"] == "status"
    return [{"id": request["id"], "ok": True, "status": STATUS}]


def test_status_for_people(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, answers_status):
        assert main(["status", "--socket", str(socket_path)]) == 3
    text = capsys.readouterr().out
    assert text.splitlines()[0] == "*** SIMULATED TABLE ***"
    for expected in (
        "A mesa está parada: encravamento.",
        "Session: in play. Round: players and bank playing.",
        "Put back: 5 of 11 cards.",
        "At the table: dealer 3 (dealing at the table).",
        "H3  A card is jammed.",
        "(not yet recorded)",
        "Where: shuffler, at the mouth",
        "Who may: chief supervisor",
        "    +  1. Call the chief supervisor. (dealer)",
        "    -  2. The repair. (technician)",
        "    >  3. Open the lid. (chief supervisor)\n            sabot act clear-hold --person 21 --value hold=H3\n",
        "attend-hold",
        "take charge of a hold (chief supervisor)",
        "D1  report of a damaged card (room manager)",
        "301 inside the shuffler, 4 in the discard rack, 6 on the table, 1 jammed; 312 in all.",
        "Device, shuffler: jammed",
        "Device, shoe: NOT CONNECTED",
        "Journal: SLOW, 3.5 s behind",
    ):
        assert expected in text
    assert "{" not in text


def test_status_in_portuguese(
    socket_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_LANGUAGE", "pt")
    with ScriptedController(socket_path, answers_status):
        assert main(["status", "--socket", str(socket_path)]) == 3
    text = capsys.readouterr().out
    assert "Quem pode: fiscal-chefe" in text
    assert "4 no canto de descarte" in text


def test_a_table_that_says_its_language_is_shown_in_it(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status = STATUS | {"language": "pt"}
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": status}]):
        assert main(["status", "--socket", str(socket_path)]) == 3
    assert "Quem pode: fiscal-chefe" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("holds", "owed", "said"),
    [
        ([], {"purpose": "seat", "seat": 3}, "The next card is for seat 3."),
        ([], {"purpose": "hole", "seat": 0}, "The next card is for the bank."),
        ([], {"purpose": "burn", "seat": None}, "The next card is burnt."),
        (STATUS["holds"], {"purpose": "burn", "seat": None}, ""),
        ([], None, ""),
    ],
)
def test_whose_the_next_card_is(
    socket_path: Path, capsys: pytest.CaptureFixture[str], holds: object, owed: object, said: str
) -> None:
    status = STATUS | {"holds": holds, "owed": owed}
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": status}]):
        assert main(["status", "--socket", str(socket_path)]) == (3 if holds else 0)
    text = capsys.readouterr().out
    assert said in text
    assert said or "The next card is" not in text


def test_status_as_json_is_the_status_as_it_came(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, answers_status):
        assert main(["status", "--json", "--socket", str(socket_path)]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out) == STATUS
    assert captured.out.count("\n") == 1
    assert captured.err == ""


def test_a_status_that_says_little_is_shown_all_the_same(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    little: Json = {"table": "BJ-07", "session": "closed", "round": "idle", "next": [{"act": "new-act", "who": []}]}
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": little}]):
        assert main(["status", "--socket", str(socket_path)]) == 0
    text = capsys.readouterr().out
    assert "Session: closed. Round: no round." in text
    assert "Nothing holds the table." in text
    assert "new-act" in text


SNAPSHOT: Json = {"ok": True, "seq": 7, "status": STATUS}
CHANGE: Json = {"seq": 8, "changed": {"holds": [], "state": "Bets are open."}}


class TwoLives:
    """A controller that hangs up after its first change and answers anew; then the watch is interrupted."""

    def __init__(self) -> None:
        self._watcher = threading.get_ident()
        self._lives = 0

    def __call__(self, request: Json) -> list[Json | bytes]:
        if request["do"] == "ping":
            signal.pthread_kill(self._watcher, signal.SIGINT)  # Ctrl-C
            return []
        self._lives += 1
        return [SNAPSHOT | {"id": request["id"]}, CHANGE, *([HANG_UP] if self._lives == 1 else [])]


def test_watch_renders_every_change_and_outlives_the_controller(
    socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedController(socket_path, TwoLives()):
        assert main(["status", "--watch", "--socket", str(socket_path)]) == 0
    captured = capsys.readouterr()
    pages = captured.out.split("*** SIMULATED TABLE ***")[1:]
    assert len(pages) == 4
    assert "A card is jammed." in pages[0]
    assert "Bets are open." in pages[1]
    assert "Nothing holds the table." in pages[1]
    assert "Device, shuffler: jammed" in pages[1]  # the unchanged part is still there
    assert captured.err.count(str(socket_path)) == 1  # lost once


def test_watch_as_json_streams_one_object_a_line(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, TwoLives()):
        assert main(["status", "--watch", "--json", "--socket", str(socket_path)]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    told = [{"seq": 7, "status": STATUS}, CHANGE]
    assert lines[:2] == lines[3:] == told
    assert lines[2]["error"]["code"] == "unreachable"


def test_watch_without_a_controller_from_the_start_ends(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, lambda _request: [HANG_UP]):
        assert main(["status", "--watch", "--socket", str(socket_path)]) == 4
    assert main(["status", "--watch", "--socket", str(socket_path)]) == 4
    assert str(socket_path) in capsys.readouterr().err


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (b"no json\n", 4),
        (b"[]\n", 4),
        (b"\xff\n", 4),
        (HANG_UP, 4),
        (b'{"ok": true}\n', 1),
        (b'{"ok": true, "status": {"holds": 5}}\n', 1),
    ],
)
def test_an_answer_that_is_none_ends_with_4_and_one_that_is_no_status_with_1(
    socket_path: Path, capsys: pytest.CaptureFixture[str], answer: bytes, code: int
) -> None:
    with ScriptedController(socket_path, lambda _request: [answer, HANG_UP]):
        assert main(["status", "--json", "--socket", str(socket_path)]) == code
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ok"] is False
    assert captured.err.strip()


def test_an_answer_without_end_is_not_waited_for(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, lambda _request: [b"x" * 1_200_000]):  # the line stays open
        assert main(["status", "--json", "--socket", str(socket_path)]) == 4
    assert "the message is too long" in capsys.readouterr().err


def test_no_controller_ends_with_4_and_says_where_it_was_looked_for(
    socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["status", "--json", "--socket", str(socket_path)]) == 4
    captured = capsys.readouterr()
    assert json.loads(captured.out)["error"]["code"] == "unreachable"
    assert str(socket_path) in captured.err


def configured(tmp_path: Path, table: str, socket: Path | None) -> Path:
    """A configuration file of that table, with or without a socket of its own."""
    config = tmp_path / "table.toml"
    config.write_text(
        f"[table]\nid = '{table}'\nprofile = 'pt-csm'\ndecks = 6\nseats = 7\nminimum_bet = 10\nmaximum_bet = 300\n"
        "[devices.shuffler]\nport = '/dev/no-such-port'\nprotocol = 'tdp'\n"
        "[journal]\npath = 'j'\n[staff]\npath = 's'\n" + (f"[controller]\nsocket = '{socket}'\n" if socket else ""),
        "utf-8",
    )
    return config


def test_the_socket_of_a_configuration_is_used(
    tmp_path: Path, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = configured(tmp_path, "BJ-07", socket_path)
    with ScriptedController(socket_path, answers_status):
        assert main(["status", "--config", str(config)]) == 3
    assert "BJ-07" in capsys.readouterr().out


@pytest.mark.parametrize("has_socket", [False, True])
def test_another_table_than_the_configurations_is_told_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *, has_socket: bool
) -> None:
    """The command prints no other table's status, even where a demonstration answers at the usual socket."""
    usual = tmp_path / "usual.sock"
    monkeypatch.setenv("SABOT_SOCKET", str(usual))
    config = configured(tmp_path, "BJ-12", usual if has_socket else None)
    with ScriptedController(usual, answers_status) as controller:
        assert main(["status", "--config", str(config), "--json"]) == 1
        captured = capsys.readouterr()
        assert json.loads(captured.out)["error"]["code"] == "table-of-other-socket"
        assert "BJ-07" in captured.err
        assert "BJ-12" in captured.err
        arguments = ["--config", str(config), "--person", "11", "--pin-fd", "0"]
        assert main(["act", "open-session", *arguments]) == 1
    assert [request["do"] for request in controller.requests] == ["status", "status"]


def test_the_environment_says_where_the_socket_is(
    socket_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_SOCKET", str(socket_path))
    with ScriptedController(socket_path, answers_status):
        assert main(["status"]) == 3
    assert "BJ-07" in capsys.readouterr().out


def test_a_status_loads_nothing_but_what_it_needs(socket_path: Path) -> None:
    """`sabot status`, which runs often on a small computer, loads neither rules nor devices nor the configuration."""
    code = (
        "import sys; from controller.cli.main import main; code = main(sys.argv[1:]); "
        "print(*sorted(sys.modules), file=sys.stderr); sys.exit(code)"
    )
    with ScriptedController(socket_path, answers_status):
        done = subprocess.run(
            [sys.executable, "-c", code, "status", "--socket", str(socket_path)],
            capture_output=True,
            text=True,
            timeout=HANGS_S,
            check=False,
        )
    assert done.returncode == 3
    heavy = (
        "controller.daemon",
        "controller.config",
        "controller.core.games.blackjack.table",
        "structlog",
        "argon2",
        "serial",
    )
    loaded = done.stderr.split()
    assert "controller.cli.status" in loaded
    assert [name for name in loaded if name.startswith(heavy)] == []


@pytest.mark.parametrize(
    ("command", "heavy"),
    [
        ("journal", ("controller.runtime", "controller.config", "controller.staff")),
        ("doctor", ("controller.daemon.run", "controller.runtime")),
    ],
)
def test_a_command_loads_no_controller_to_tell_its_options(command: str, heavy: tuple[str, ...]) -> None:
    code = (
        "import sys; from controller.catalogue import Language; from controller.cli.main import parser_of; "
        "parser_of(Language.EN, sys.argv[1:]); print(*sorted(sys.modules))"
    )
    words = [sys.executable, "-c", code, command]
    done = subprocess.run(words, capture_output=True, text=True, timeout=HANGS_S, check=False)
    loaded = done.stdout.split()
    assert f"controller.cli.{command}" in loaded
    assert [name for name in loaded if name.startswith(heavy)] == []


@pytest.mark.parametrize(("waiting", "is_shown"), [(0, True), (1, False)])
def test_the_code_for_the_inspections_book_is_shown_once_everything_is_durable(
    waiting: int, is_shown: bool, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    status = STATUS | {"session_number": 7, "journal": {"seq": 1234, "head": "ab" * 32, "waiting": waiting}}
    with ScriptedController(socket_path, lambda request: [{"id": request["id"], "ok": True, "status": status}]):
        assert main(["status", "--socket", str(socket_path)]) == 3
    page = capsys.readouterr().out
    assert ("Code for the inspection's book: 7-1234-NENTQ-AXBNE-NTQAX-BNENT-" in page) is is_shown
