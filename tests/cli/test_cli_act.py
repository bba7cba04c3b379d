"""`sabot act` against a scripted controller: its requests, its output, its exit code."""

import json
import os
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from scripted_controller import HANG_UP, STATUS, Json, Script, ScriptedController, listed

from controller.cli.main import main
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

DONE: Json = {"ok": True, "seq": 42, "state_digest": "ab", "text": "Session opened."}
REFUSED: Json = {
    "ok": False,
    "state_digest": "ab",
    "refusal": {
        "guard": "supervisor_is_present_for_loading",
        "rule": "supervisor_is_present_for_loading",
        "clause": "pt.bj.54d",
        "why": None,
        "reason": "No chief supervisor is present.",
        "remedy": "Sign in at the table.",
        "who": ["dealer"],
    },
}
WRONG_PIN: Json = {
    "ok": False,
    "error": {"code": "pin-wrong", "text": "Person or PIN is wrong.", "wait_ms": 1001},
}


@contextmanager
def answering(socket_path: Path, answer: Json) -> Iterator[ScriptedController]:
    """Answers an act with `answer`, and `list` like a closed table."""

    def script(request: Json) -> list[Json | bytes]:
        return [{"id": request["id"]} | (answer if request["do"] == "act" else listed(request))]

    with ScriptedController(socket_path, script) as controller:
        yield controller


def asked(controller: ScriptedController) -> list[Json]:
    """The requests for acts that the command has sent, without the requests for the list."""
    return [request for request in controller.requests if request["do"] == "act"]


@contextmanager
def pin_descriptor(text: str) -> Iterator[str]:
    reading, writing = os.pipe()
    os.write(writing, text.encode())
    os.close(writing)
    try:
        yield str(reading)
    finally:
        os.close(reading)


def by_dealer(socket_path: Path, *arguments: str) -> int:
    """Runs `sabot act` with these arguments and a dealer's number and PIN; returns the exit code."""
    with pin_descriptor("411123") as descriptor:
        return main(["act", *arguments, "--person", "11", "--pin-fd", descriptor, "--socket", str(socket_path)])


def test_an_act_of_the_dealer(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, DONE) as controller:
        assert by_dealer(socket_path, "take-bets", "--value", "seats=1,3,5") == 0
    request = {"do": "act", "act": "take-bets", "person": 11, "pin": "411123", "values": {"seats": "1,3,5"}}
    assert asked(controller) == [{"id": 2, "language": "en"} | request]
    assert capsys.readouterr().out == "Session opened.\n"


NEXT: Json = {
    "name": "clear",
    "text": "Say that the cause is gone.",
    "state": "next",
    "who": ["chief_supervisor"],
    "acts": [
        {
            "act": "clear-hold",
            "values": {"hold": "H3"},
            "asks": [],
            "who": ["chief_supervisor"],
            "person": 21,
            "needs_pin": True,
        }
    ],
}


def test_an_act_says_what_comes_next(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, DONE | {"next": NEXT}):
        assert by_dealer(socket_path, "open-session", "--json") == 0
        assert json.loads(capsys.readouterr().out)["next"] == NEXT
        assert by_dealer(socket_path, "confirm-display") == 0
    assert capsys.readouterr().out.splitlines() == [
        "Session opened.",
        "Next: Say that the cause is gone. (chief supervisor)",
        "    sabot act clear-hold --person 21 --value hold=H3",
    ]


@pytest.mark.parametrize(("default", "sent"), [("H3", "H3"), (None, None)])
def test_the_only_hold_need_not_be_named(
    socket_path: Path, capsys: pytest.CaptureFixture[str], default: str | None, sent: str | None
) -> None:
    def script(request: Json) -> list[Json | bytes]:
        if request["do"] == "act":
            return [{"id": request["id"]} | DONE]
        found = listed(request)
        found["acts"][0]["values"][0]["default"] = default
        return [{"id": request["id"]} | found]

    with ScriptedController(socket_path, script) as controller:
        code = by_dealer(socket_path, "attend-hold")
    assert code == (0 if sent else 2)
    assert [request["values"] for request in asked(controller)] == ([{"hold": sent}] if sent else [])
    assert sent or "hold" in capsys.readouterr().err


CODE = "1-1234-NENTQ-AXBNE-NTQAX-BNENT-"


def opening(phase: str) -> Script:
    """The script of a controller that does the act and whose table is in this phase afterwards."""
    status = STATUS | {"session": phase, "session_number": 1}
    answers: dict[str, Json] = {"act": DONE, "status": {"ok": True, "status": status}}
    return lambda request: [{"id": request["id"]} | (answers.get(str(request["do"])) or listed(request))]


@pytest.mark.parametrize(
    ("act", "phase"),
    [("open-session", "opened"), ("confirm-deck-check", "closed"), ("confirm-irregular-closing", "closed")],
)
def test_where_a_session_opens_or_closes_the_code_for_the_inspections_book_is_shown(
    act: str, phase: str, socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with ScriptedController(socket_path, opening(phase)):
        assert by_dealer(socket_path, act) == 0
        said = capsys.readouterr().out.splitlines()
        assert said[:2] == ["Session opened.", "Note this code in the inspection's book:"]
        assert said[2].startswith(CODE)
        assert "█" in said[3]
        assert by_dealer(socket_path, act, "--json") == 0
        assert json.loads(capsys.readouterr().out) == DONE | {"code": said[2]}


@pytest.mark.parametrize("is_there", [True, False])
def test_an_act_is_done_though_its_code_cannot_be_asked_for(
    socket_path: Path, capsys: pytest.CaptureFixture[str], *, is_there: bool
) -> None:
    refuses = {"ok": False, "error": {"code": "busy", "text": "Ask again."}}

    def script(request: Json) -> list[Json | bytes]:
        if request["do"] != "status":
            return [{"id": request["id"]} | (DONE if request["do"] == "act" else listed(request))]
        return [{"id": request["id"]} | refuses] if is_there else [HANG_UP]

    with ScriptedController(socket_path, script):
        assert by_dealer(socket_path, "open-session", "--json") == 0
    told = capsys.readouterr()
    assert json.loads(told.out) == DONE
    assert "`sabot status` shows it" in told.err


def test_a_deck_check_that_does_not_close_shows_no_code(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with ScriptedController(socket_path, opening("checking")):
        assert by_dealer(socket_path, "confirm-deck-check") == 0
    assert capsys.readouterr().out == "Session opened.\n"


def test_a_person_with_a_pin_from_a_descriptor(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, DONE) as controller, pin_descriptor("4711\nleft for the next reader") as descriptor:
        arguments = ["act", "sign-in", "--person", "12", "--pin-fd", descriptor, "--value", "operation=loading"]
        assert main([*arguments, "--json", "--socket", str(socket_path)]) == 0
        assert os.read(int(descriptor), 4) == b"left"
    assert asked(controller)[0]["person"] == 12
    assert asked(controller)[0]["pin"] == "4711"
    captured = capsys.readouterr()
    assert json.loads(captured.out) == DONE
    assert captured.err == ""


def test_a_refusal_names_reason_remedy_clause_and_who(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, REFUSED):
        assert by_dealer(socket_path, "begin-loading") == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == (
        "Refused: No chief supervisor is present.\nWhat to do: Sign in at the table.\n"
        "Who may: dealer. Clause: pt.bj.54d\n"
    )


def test_a_refusal_by_a_rule_of_ours_says_what_it_is_for(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ours: Json = REFUSED["refusal"] | {"rule": "count_is_possible", "clause": None, "why": "it has to be possible."}
    with answering(socket_path, REFUSED | {"refusal": ours}):
        assert by_dealer(socket_path, "begin-loading") == 1
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == "Who may: dealer. Sabot's own rule (count_is_possible): it has to be possible."


def test_a_refusal_as_json_is_one_document(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, REFUSED):
        assert by_dealer(socket_path, "begin-loading", "--json") == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out) == REFUSED


def test_a_wrong_pin_ends_with_1_and_says_the_wait(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, WRONG_PIN), pin_descriptor("4712") as descriptor:
        arguments = ["act", "sign-out", "--person", "12", "--pin-fd", descriptor, "--json"]
        assert main([*arguments, "--socket", str(socket_path)]) == 1
    captured = capsys.readouterr()
    assert json.loads(captured.out) == WRONG_PIN
    assert "Person or PIN is wrong. (pin-wrong) The next try counts in 2 s." in captured.err
    assert "4712" not in captured.out + captured.err


def test_a_request_that_the_controller_does_not_take_ends_with_2(
    socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(socket_path, {"ok": False, "error": {"code": "bad-request", "text": "Not understood."}}):
        assert by_dealer(socket_path, "open-session") == 2
    assert "Not understood." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["open-sesion"], "open-session"),
        (["take-bets"], "--value seats="),
        (["take-bets", "--value", "seats=1,x"], "1,x"),
        (["take-bets", "--value", "seats"], "--value NAME=VALUE"),
        (["take-bets", "--value", "seats=1", "--value", "seats=2"], "--value NAME=VALUE"),
        (["open-session", "--value", "hold=1"], "no value"),
        (["turn-hole-card", "--value", "salt=00"], "salt"),
        (["open-session"], "--person"),
        (["open-session", "--pin-fd", "0"], "--person"),
        (["open-session", "--person", "12", "--pin-fd", "987"], "987"),
        (["open-session", "--person", "12"], "--pin-fd"),
        ([], "--list"),
    ],
)
def test_wrong_usage_ends_with_2(
    socket_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], said: str
) -> None:
    with answering(socket_path, DONE) as controller:
        assert main(["act", *arguments, "--socket", str(socket_path), "--json"]) == 2
    assert asked(controller) == []
    captured = capsys.readouterr()
    assert json.loads(captured.out)["ok"] is False
    assert said in captured.err


def test_a_pin_is_never_an_argument(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["act", "sign-out", "--person", "12", "--pin", "4711"])
    assert ended.value.code == 2
    capsys.readouterr()


def test_a_pin_is_asked_for_on_a_terminal_and_not_echoed(socket_path: Path) -> None:
    ours, theirs = os.openpty()
    with answering(socket_path, DONE) as controller:
        process = subprocess.Popen(
            [sys.executable, "-m", "controller.cli.main", "act", "sign-out", "--person", "12"],
            env={"SABOT_SOCKET": str(socket_path), "SABOT_LANGUAGE": "en", "PATH": os.environ["PATH"]},
            stdin=theirs,
            stdout=subprocess.PIPE,
            stderr=theirs,
            start_new_session=True,
        )
        os.close(theirs)
        seen = b""
        while b"PIN of person 12: " not in seen:
            assert select.select([ours], [], [], HANGS_S)[0], seen
            seen += os.read(ours, 1000)
        os.write(ours, b"4711\n")
        out, _ = process.communicate(timeout=HANGS_S)
        seen += _rest(ours)
        os.close(ours)
    assert process.returncode == 0
    assert asked(controller)[0]["pin"] == "4711"
    assert b"4711" not in seen + out


def _rest(descriptor: int) -> bytes:
    try:
        return os.read(descriptor, 1000)
    except OSError:  # the other end is closed and nothing waits
        return b""


def test_the_list_says_what_is_allowed_for_whom_and_why_the_rest_is_not(
    socket_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with answering(socket_path, {}) as controller:
        assert by_dealer(socket_path, "--list", "--all") == 0
    assert controller.requests == [{"id": 1, "do": "list", "language": "en"}]
    said = capsys.readouterr().out.splitlines()
    allowed, rest = said[: said.index("Not now:")], said[said.index("Not now:") :]
    assert allowed[0] == "Allowed now:"
    assert any(line.startswith("  sign-in --value operation=…: come to this table") for line in allowed)
    at = rest.index("  draw-card --value seat=…: ask for one further card (dealer)")
    assert rest[at + 1].startswith("      ")
    assert rest[at + 1].endswith("[a_card_is_inside]")


def test_the_list_is_short_unless_all_is_asked_for(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, {}):
        assert by_dealer(socket_path, "--list") == 0
    said = capsys.readouterr().out
    assert "  open-session" in said
    assert "draw-card" not in said
    assert re.search(r"^Not now: \d+ others\. ", said, re.MULTILINE)


def test_the_list_as_json(socket_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with answering(socket_path, {}):
        assert by_dealer(socket_path, "--list", "--json") == 0
    assert json.loads(capsys.readouterr().out) == listed({})
