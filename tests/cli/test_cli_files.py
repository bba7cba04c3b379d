"""`sabot config`, `staff`, `journal`, `run` and the ends of every command: files, exit codes, and one document of
output.
"""

import getpass
import io
import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.cli.main import main
from controller.cli.talk import quoted
from controller.core.words import Role
from controller.staff import load_staff
from tests.endings import HANGS_S
from tests.in_process import run
from tests.waiting import sleeps, wait_for

CONFIG = """\
[table]
id = "BJ-07"
profile = "pt-csm"
decks = 6
seats = 7
minimum_bet = 10
maximum_bet = 300
[devices.shuffler]
port = "/dev/tty"
protocol = "tdp"
[journal]
path = "journal"
[staff]
path = "staff.toml"
"""


@pytest.fixture
def config(tmp_path: Path) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(CONFIG, "utf-8")
    return path


def run_json(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, object]]:
    code = main([*arguments, "--json"])
    return code, json.loads(capsys.readouterr().out)


# --- config check


def test_config_check_of_a_good_file(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, document = run_json(capsys, "config", "check", str(config))
    assert (code, document["ok"], document["errors"]) == (0, True, [])
    assert main(["config", "check", str(config)]) == 0
    assert "BJ-07" in capsys.readouterr().out


def test_config_check_says_every_error_and_ends_with_2(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = CONFIG.replace("decks = 6", "decks = 5").replace("= 300", "= 310").replace("seats = 7", 'seats = "six"')
    config.write_text(text.replace("/dev/tty", "/dev/no-such-port") + "pth = 5\n", "utf-8")
    code, document = run_json(capsys, "config", "check", str(config))
    assert code == 2
    errors = document["errors"]
    assert isinstance(errors, list)
    assert {(error["key"], error["clause"]) for error in errors} == {
        ("table.seats", None),
        ("staff.pth", None),
        ("table.decks", "pt.bj.3a"),
        ("table.maximum_bet", "pt.bj.37"),
        ("devices.shuffler.port", None),
    }
    assert all(error["file"] == str(config) and error["wrong"] and error["right"] for error in errors)
    assert main(["config", "check", str(config)]) == 2
    captured = capsys.readouterr()
    assert len(captured.out.splitlines()) == 5
    assert captured.err == ""


def test_config_check_with_ports_that_may_be_missing(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(CONFIG.replace("/dev/tty", "/dev/no-such-port"), "utf-8")
    assert main(["config", "check", "--ports-may-be-missing", str(config)]) == 0
    capsys.readouterr()


# --- staff


def with_pin(pin: str, *words: str) -> int:
    reading, writing = os.pipe()
    os.write(writing, pin.encode() + b"\n")
    os.close(writing)
    try:
        return main([*words, "--pin-fd", str(reading)])
    finally:
        os.close(reading)


class Terminal(io.StringIO):
    """A terminal at which no line is typed."""

    def isatty(self) -> bool:
        return True


def add(where: list[str], person: str, role: str, pin: str) -> int:
    return with_pin(pin, "staff", "add", *where, "--person", person, "--name", "Ana Reis", "--role", role)


@pytest.mark.slow
def test_staff_add_list_remove(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--config", str(config)]
    assert add(where, "12", "chief-supervisor", "471108") == 0
    assert add(where, "3", "dealer", "480091") == 0
    capsys.readouterr()
    book = load_staff(tmp_path / "staff.toml")
    assert book.verify(12, "471108") is Role.CHIEF_SUPERVISOR
    assert book.cost.memory_kib == 65_536
    code, document = run_json(capsys, "staff", "list", *where)
    assert code == 0
    assert document == {
        "people": [
            {"number": 3, "name": "Ana Reis", "role": "dealer"},
            {"number": 12, "name": "Ana Reis", "role": "chief_supervisor"},
        ]
    }
    assert run_json(capsys, "staff", "remove", "--number", "12", "--file", str(tmp_path / "staff.toml"))[0] == 0
    assert main(["staff", "list", *where]) == 0
    assert capsys.readouterr().out == "3  Ana Reis  dealer\n"


@pytest.mark.slow
def test_staff_pin_gives_another_pin(config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    where = ["--config", str(config)]
    assert add(where, "12", "chief-supervisor", "471108") == 0
    assert with_pin("903317", "staff", "pin", *where, "--number", "12") == 0
    book = load_staff(tmp_path / "staff.toml")
    assert (book.verify(12, "903317"), book.verify(12, "471108")) == (Role.CHIEF_SUPERVISOR, None)
    before = (tmp_path / "staff.toml").read_bytes()
    capsys.readouterr()
    assert with_pin("121212", "staff", "pin", *where, "--number", "12") != 0
    assert with_pin("903317", "staff", "pin", *where, "--number", "13") != 0
    assert [line.split(".")[0] for line in capsys.readouterr().err.splitlines()] == [
        "This PIN is a pattern of digits or of keys, which whoever guesses tries first",
        "There is no person with the number 13",
    ]
    assert (tmp_path / "staff.toml").read_bytes() == before


@pytest.mark.parametrize("command", [["add", "--name", "Rui Sá", "--role", "dealer"], ["pin"]], ids=["add", "pin"])
@pytest.mark.slow
def test_another_change_while_a_pin_is_typed_stays(
    command: list[str], config: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    where, path = ["--config", str(config)], tmp_path / "staff.toml"
    assert add(where, "3", "dealer", "480091") == 0
    assert add(where, "12", "chief-supervisor", "471108") == 0

    def types(_prompt: str) -> str:
        """Types the PIN while another terminal removes the dealer."""
        if load_staff(path).member(3) is not None:
            assert main(["staff", "remove", "--number", "3", "--file", str(path)]) == 0
        return "903317"

    monkeypatch.setattr(sys, "stdin", Terminal())
    monkeypatch.setattr(getpass, "getpass", types)
    number = "12" if command == ["pin"] else "13"
    assert main(["staff", *command, *where, "--number", number]) == 0
    book = load_staff(path)
    assert (book.member(3), book.verify(3, "480091")) == (None, None), "the dealer stays removed"
    assert [one.number for one in book.former] == [3]
    assert book.verify(int(number), "903317") is not None


@pytest.mark.waits
def test_what_was_interrupted_does_not_end_well(config: Path, tmp_path: Path) -> None:
    whom = ["--config", str(config), "--person", "12", "--name", "Ana Reis", "--role", "dealer", "--json"]
    terminal, end = pty.openpty()
    with subprocess.Popen(
        command("staff", "add", *whom),
        stdin=end,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as adding:
        os.close(end)
        assert adding.stderr is not None
        assert adding.stderr.read(3) == b"PIN"
        wait_for(lambda: sleeps(adding.pid))
        adding.send_signal(signal.SIGINT)
        out, _ = adding.communicate(timeout=HANGS_S)
    os.close(terminal)
    assert adding.returncode == 1
    assert json.loads(out)["error"]["code"] == "interrupted"
    assert not (tmp_path / "staff.toml").exists()


def test_staff_refusals_end_with_2_and_change_nothing(
    config: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    where = ["--config", str(config)]
    assert add(where, "12", "dealer", "1111") == 2
    assert not (tmp_path / "staff.toml").exists()
    assert add(where, "12", "dealer", "471108") == 0
    before = (tmp_path / "staff.toml").read_bytes()
    assert add(where, "12", "dealer", "480091") == 2
    assert "12" in capsys.readouterr().err
    code, document = run_json(capsys, "staff", "remove", "--person", "13", *where)
    assert (code, document["ok"]) == (2, False)
    assert (tmp_path / "staff.toml").read_bytes() == before
    (tmp_path / "staff.toml").chmod(0o644)
    assert main(["staff", "list", *where]) == 2
    assert "chmod 600" in capsys.readouterr().err


def test_staff_of_a_wrong_configuration_names_its_errors(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(CONFIG.replace("decks = 6", "decks = 5"), "utf-8")
    assert main(["staff", "list", "--config", str(config)]) == 2
    assert "[pt.bj.3a]" in capsys.readouterr().err


# --- journal


def test_a_journal_that_is_not_there_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for command in (["verify"], ["replay"], ["export", "--out", str(tmp_path / "out")]):
        code, document = run_json(capsys, "journal", *command, str(tmp_path / "none"))
        assert (code, document["ok"]) == (2, False), command


def test_a_journal_that_does_not_verify_ends_with_1(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    export = tmp_path / "export"
    export.write_bytes(b"nonsense\n")
    code, document = run_json(capsys, "journal", "verify", str(export))
    assert code == 1
    assert set(document) == {"ok", "entries", "head", "first_bad", "line", "reason", "signature", "anchor"}
    assert (document["ok"], document["entries"], document["anchor"]) == (False, 0, "not-checked")
    assert main(["journal", "verify", str(export)]) == 1
    assert "NOT WELL" in capsys.readouterr().out


# --- the ends of a command


@pytest.mark.parametrize(
    "arguments",
    [[], ["nothing"], ["run"], ["status", "--what"], ["journal", "export", "x"], ["staff", "add", "--role", "boss"]],
)
def test_wrong_usage_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "usage: sabot" in captured.err


@pytest.mark.parametrize("command", [[], ["act"], ["config", "check"], ["staff", "add"], ["journal", "verify"]])
def test_help_of_every_command(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command, "--help"])
    assert ended.value.code == 0
    assert "usage: sabot" in capsys.readouterr().out


def test_run_with_a_wrong_configuration_ends_with_2(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config.write_text(CONFIG.replace("decks = 6", "decks = 5"), "utf-8")
    assert main(["run", "--config", str(config)]) == 2
    assert "[pt.bj.3a]" in capsys.readouterr().err


@pytest.mark.waits
def test_a_reader_that_goes_away_is_no_error(config: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        [sys.executable, "-m", "controller.cli.main", "config", "check", str(config)],
        stdout=writing,
        stderr=subprocess.PIPE,
        timeout=HANGS_S,
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (0, b"")


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "controller.cli.main", *arguments]


@pytest.mark.waits
def test_a_check_that_nobody_hears_to_the_end_fails_all_the_same(tmp_path: Path) -> None:
    export = tmp_path / "export"
    export.write_bytes(b"nonsense\n")
    reading, writing = os.pipe()
    os.close(reading)
    process = subprocess.run(
        command("journal", "verify", str(export)), stdout=writing, stderr=subprocess.PIPE, timeout=20
    )
    os.close(writing)
    assert (process.returncode, process.stderr) == (1, b"")


@pytest.mark.waits
def test_a_full_disk_under_the_output_is_said(config: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        process = subprocess.run(
            command("config", "check", str(config)), stdout=full, stderr=subprocess.PIPE, timeout=20
        )
    assert process.returncode == 1
    assert process.stderr == b"The output cannot be written: stdout: the medium is full.\n"


def test_a_journal_that_is_not_there_is_said_not_to_be_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["journal", "verify", str(tmp_path / "nothing"), "--json"]) == 2
    told = capsys.readouterr()
    assert json.loads(told.out)["error"]["code"] == "no-journal"
    assert f"There is no journal at {tmp_path / 'nothing'}" in told.err


def test_a_path_that_cannot_be_looked_at_is_said_not_to_be_readable(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["journal", "verify", "x" * 5000]) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_an_export_into_a_directory_that_is_not_there_names_the_directory(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "nowhere" / "evening.txt"
    assert main(["journal", "export", str(tmp_path), "--out", str(out)]) == 2
    assert f"there is no directory {out.parent}" in capsys.readouterr().err


def test_words_of_a_journal_that_somebody_made_do_not_play_with_the_terminal() -> None:
    assert quoted("21\x1b[2J\r\u202e\u200b 10\u00a0€ 合") == "21?[2J??? 10\u00a0€ 合"


@pytest.mark.parametrize("command", [("config", "check"), ("staff", "list", "--file")])
def test_no_name_of_a_file_moves_the_cursor(command: tuple[str, ...], tmp_path: Path) -> None:
    place = tmp_path / "a\x1b[2J\u202e"
    place.mkdir()
    told = run(main, *command, str(place))
    assert told.returncode != 0
    assert "a?[2J?" in told.stdout + told.stderr
    assert "\x1b" not in told.stdout + told.stderr
