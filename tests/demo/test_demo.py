"""`sabot-sim demo` end to end: its play, its refusals, and that nothing is left behind."""

import json
import os
import re
import signal
import socket
import subprocess
from itertools import product
from pathlib import Path

import pytest

from controller.catalogue import Language
from simulators.cli import main
from simulators.demo.house import furnish
from simulators.demo.options import DemoOptions
from simulators.demo.played import Demo
from simulators.demo.segments import SegmentTail
from tests.demo.evenings import PLAYS_S, ROOT, command, processes_of, run_demo, start_demo
from tests.endings import HANGS_S, seconds_to_end
from tests.in_process import run
from tests.waiting import wait_for, whole_lines

pytestmark = pytest.mark.waits


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_an_evening_with_an_angel_eye_at_the_mouth_and_an_alpha_sign(tmp_path: Path) -> None:
    """At 4800 baud, without acknowledgements, a misread card is named and all cards go to their owed places."""
    table = tmp_path / "table"
    devices = ("--shoe", "angel-eye", "--display", "alpha", "--faults", "jam-at-mouth,misread")
    code, made = run_demo("--rounds", "4", "--seed", "3", *devices, "--state-dir", str(table))
    assert (code, made["violations"]) == (0, [])
    physical = made["physical"]
    assert isinstance(physical, dict)
    assert (physical["total"], physical["faults"]) == (312, {"Jam": 1, "Misread": 1})
    text = (table / "table.toml").read_text("utf-8")
    assert all(f'protocol = "{protocol}"' in text for protocol in ("angel-eye", "alpha"))


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_an_evening_in_macau(tmp_path: Path) -> None:
    """No display, no packets by law, burnt cards apart, the bank's second card after the players (mo.5.2.2.2)."""
    table = tmp_path / "table"
    code, made = run_demo("--rounds", "2", "--seed", "3", "--profile", "mo-csm", "--state-dir", str(table))
    assert (code, made["violations"]) == (0, [])
    assert (made["rounds"], made["cards_unloaded"]) == (2, 312)
    assert 'profile = "mo-csm"' in (table / "table.toml").read_text("utf-8")


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_an_evening_without_any_device(tmp_path: Path) -> None:
    """A metal box: the dealer states each card, a round is the only one of its shuffle (mo.2.2.3)."""
    table = tmp_path / "table"
    code, made = run_demo("--rounds", "2", "--seed", "3", "--profile", "mo-box", "--state-dir", str(table))
    assert (code, made["violations"]) == (0, [])
    assert (made["rounds"], made["cards_loaded"], made["burned"]) == (2, 104, 2)
    text = (table / "table.toml").read_text("utf-8")
    assert all(f"[devices.{device}]" not in text for device in ("shuffler", "shoe", "jackpot_display"))


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--profile", "mo-pit"], "mo-pit"),
        (["--shoe", "alpha"], "alpha"),
        (["--display", "angel-eye"], "angel-eye"),
        (["--rounds", "0"], "--rounds"),
        (["--kill-at", "soon"], "--kill-at"),
        (["--state-dir", "{used}"], "already"),
    ],
)
def test_what_cannot_be_played_is_refused(tmp_path: Path, words: list[str], says: str) -> None:
    (tmp_path / "journal").mkdir()
    given = [word.format(used=tmp_path) for word in words]
    done = run(main, "demo", *given)
    assert done.returncode == 2
    assert says in done.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["journal"]


def said(what: str, output: Path) -> str:
    """Waits for this word in the demo's output, and returns the output up to the word."""
    return "\n".join(wait_for(lambda: _until(what, whole_lines(output)), output.read_text, PLAYS_S))


def _until(what: str, lines: list[str]) -> list[str]:
    return lines if any(what in line for line in lines) else []


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_without_options_hands_money_and_the_jackpot_are_played_and_much_happens_soon(tmp_path: Path) -> None:
    """A jam, a ruling and a paid prize come within three rounds, which take two minutes with a viewer."""
    table = tmp_path / "table"
    code, made = run_demo("--rounds", "3", "--state-dir", str(table))
    assert (code, made["violations"]) == (0, [])
    done = {entry.kind for entry in SegmentTail(table / "journal").new_entries() if not entry.refused}
    assert {"place-bet", "stand", "draw-card", "collect-jackpot-bets", "pay-jackpot"} <= done
    assert {"shuffler-jammed", "call-for-ruling", "make-ruling"} <= done


MOMENTS = ("A packet goes into the feed", "welcome")


@pytest.mark.first
@pytest.mark.drawn(1)
@pytest.mark.parametrize(("number", "when"), [*product((signal.SIGINT, signal.SIGTERM), MOMENTS)])
def test_a_signal_ends_everything_within_three_seconds(
    tmp_path: Path, number: signal.Signals, when: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No process, no socket, no link; the usual socket's link included."""
    usual = tmp_path / "run"
    usual.mkdir(mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(usual))
    table = tmp_path / "table"
    output = tmp_path / "output"
    demo = start_demo(["--seed", "7", "--state-dir", str(table)], output)
    try:
        said("SIMULATED" if when == "welcome" else when, output)
        if when != "welcome":
            assert (usual / "sabot" / "control.sock").is_socket(), "a plain `sabot status` finds the table"
        others = processes_of(table)
        demo.send_signal(number)
        assert seconds_to_end(demo, *others) < 3.0
        assert demo.returncode == 0
    finally:
        demo.kill()
        demo.wait()
    assert processes_of(tmp_path) == {}
    left = [path for path in table.iterdir() if path.is_symlink() or path.is_socket() or path.name.startswith(".tty")]
    assert left == []
    assert not os.path.lexists(usual / "sabot" / "control.sock")


@pytest.mark.first
def test_an_evening_that_is_broken_off_is_no_pass(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    output = tmp_path / "output"
    demo = start_demo(["--rounds", "50", "--seed", "7", "--json", "--state-dir", str(tmp_path / "table")], output)
    try:
        said("The shuffler is being loaded", output)
        others = processes_of(tmp_path)
        demo.send_signal(signal.SIGINT)
        assert seconds_to_end(demo, *others) < 3.0
        assert demo.returncode == 1
    finally:
        demo.kill()
        demo.wait()
    text = output.read_text("utf-8")
    made = json.loads(text[text.index("{") :])
    assert made["violations"] == ["the demo was stopped before the table had closed"]
    assert made["journal_entries"] > 0


def test_a_controller_that_does_not_run_is_told_and_no_pass(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    house = furnish(tmp_path / "table", Language.EN)
    house.staff.unlink()
    assert Demo(DemoOptions(rounds=1, as_json=True), house, lambda: False).run() == 1
    told = capsys.readouterr()
    assert json.loads(told.out)["violations"] == ["sabot run ends by itself with exit code 2"]
    assert "staff.toml" in told.err, "the end of the controller's log"


@pytest.mark.first
def test_a_living_controller_keeps_the_usual_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    directory = tmp_path / "run" / "sabot"
    directory.mkdir(parents=True, mode=0o700)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "run"))
    output = tmp_path / "output"
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(directory / "control.sock"))
        listener.listen()
        demo = start_demo(["--seed", "7", "--state-dir", str(tmp_path / "table")], output)
        try:
            text = said("PIN", output)
            demo.send_signal(signal.SIGINT)
            assert demo.wait(HANGS_S) == 0
        finally:
            demo.kill()
            demo.wait()
    assert "--socket" in text, "the commands name the demo's own socket"
    assert (directory / "control.sock").is_socket()
    assert not (directory / "control.sock").is_symlink()


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_a_person_takes_over_at_a_jam(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The dealer is refused with the clause; the supervisor follows the steps; the table plays on."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    output = tmp_path / "output"
    demo = start_demo(["--seed", "7", "--state-dir", str(tmp_path / "table")], output)
    try:
        text = said("A card is jammed", output)
        guest = Guest(tmp_path / "table" / "control.sock", dict(re.findall(r"number (\d+),\s+PIN\s+(\d+)", text)))
        hold = re.findall(r"(H\d+): A card is jammed", text)[-1]
        refused = guest.act(12, "attend-hold", hold=hold)
        assert refused.returncode == 1
        assert "pt.bj.51d" in refused.stdout + refused.stderr
        assert guest.act(22, "attend-hold", hold=hold).returncode == 0
        said("source=jammed", output)
        assert guest.act(22, "state-cards-moved", source="jammed", target="rack", count="1").returncode == 0
        assert guest.act(22, "clear-hold", hold=hold).returncode == 0
        said("act confirm-hold --person 22", output)
        wait_for(lambda: not guest.act(22, "confirm-hold", hold=hold).returncode)  # the machine counts its slots first
        text = said(f"{hold} is ended", output)
        assert "chief supervisor: attend-hold" not in text, "the script's supervisor stepped back"
    finally:
        demo.send_signal(signal.SIGINT)
        demo.wait(HANGS_S)


class Guest:
    """A person who takes a post at a second terminal."""

    def __init__(self, control: Path, pins: dict[str, str]) -> None:
        self._control = control
        self._pins = pins

    def act(self, person: int, act: str, **values: str) -> "subprocess.CompletedProcess[str]":
        read_end, write_end = os.pipe()
        os.write(write_end, self._pins[str(person)].encode() + b"\n")
        os.close(write_end)
        given = [word for name, value in values.items() for word in ("--value", f"{name}={value}")]
        program = "import sys; from controller.cli.main import main; sys.exit(main())"
        words = ["act", act, "--socket", str(self._control), "--person", str(person), "--pin-fd", str(read_end), *given]
        try:
            return subprocess.run(
                [*command()[:2], program, *words],
                cwd=ROOT,
                pass_fds=[read_end],
                capture_output=True,
                text=True,
                timeout=HANGS_S,
                check=False,
            )
        finally:
            os.close(read_end)
