"""`sabot status --watch` on a terminal of 80 by 24: hold, step and command are visible beside all other lines."""

import codecs
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from scripted_controller import HANG_UP, STATUS, Json, ScriptedController

from controller.catalogue import Language
from controller.cli.render import decode_status
from controller.cli.watch import Look, Screen, watch_lines
from controller.protocol.status import DeviceStatus, HoldStatus, NextStatus, Status, StepState, StepStatus
from controller.protocol.suggestion import Suggestion
from tests.endings import HANGS_S
from tests.waiting import wait_for

SMALL = Screen(80, 23)
COMMAND = "sabot act clear-hold --person 21 --value hold=H3"


def status_of(document: Json) -> Status:
    return decode_status({key: msgspec.Raw(msgspec.json.encode(value)) for key, value in document.items()})


HELD = status_of(STATUS)
PLAYS = replace(HELD, holds=[], state="Bets are open.")


def crowded() -> Status:
    """A status with as much as a table can have at once."""
    late = [StepStatus(f"s{n}", "Do this, " * 20, StepState.LATER, ["chief_supervisor"]) for n in range(9)]
    first = HELD.holds[0]
    others = [HoldStatus(id=f"H{n}", kind="lid", text="The lid is open. " * 9) for n in range(4, 9)]
    devices = {f"device-{n}": DeviceStatus(connected=False, text="gone " * 30, quality="line " * 30) for n in range(9)}
    return replace(HELD, holds=[replace(first, plan=[*first.plan, *late]), *others], devices=devices)


def texts(status: Status, screen: Screen = SMALL) -> list[str]:
    return [line.text for line in watch_lines(status, Language.EN, screen)]


def test_a_hold_its_step_and_its_command_come_first() -> None:
    lines = watch_lines(crowded(), Language.EN, SMALL)
    held = next(line for line in lines if line.look is Look.HELD)
    assert held.text == "HELD: jam (H3), shuffler, at the mouth"
    step = next(at for at, line in enumerate(lines) if line.text.startswith("> 3. Open the lid."))
    assert lines[step + 1].text.strip() == COMMAND
    assert step < 8
    assert len(lines) <= SMALL.rows
    assert lines[-1].text.startswith("… ")
    assert max(len(line.text) for line in lines) <= SMALL.columns


@pytest.mark.parametrize("rows", [6, 10, 23, 60])
@pytest.mark.parametrize("columns", [40, 80, 200])
@pytest.mark.parametrize("language", Language)
def test_no_screen_is_overfilled(rows: int, columns: int, language: Language) -> None:
    for status in (HELD, PLAYS, crowded(), Status()):
        for lost_at in ("", "22:41:07"):
            screen = Screen(columns, rows, devices=True, lost_at=lost_at)
            lines = watch_lines(replace(status, language=language.value), language, screen)
            assert len(lines) <= rows
            assert [line.text for line in lines if len(line.text) > columns] == []


def test_a_long_command_can_be_copied() -> None:
    long = Suggestion("state-cards-moved", {"source": "jammed", "target": "rack", "count": "1"}, [], [], 21, True)
    hold = replace(HELD.holds[0], plan=[StepStatus("clear", "Say where.", StepState.NEXT, [], [long])])
    lines = [line.strip() for line in texts(replace(HELD, holds=[hold]), Screen(60, 23))]
    at = next(at for at, line in enumerate(lines) if line.startswith("sabot act"))
    assert lines[at].endswith(" \\")
    whole = " ".join(line.removesuffix(" \\") for line in lines[at : at + 2])
    assert whole == "sabot act state-cards-moved --person 21 --value source=jammed --value target=rack --value count=1"


def test_without_a_hold_the_state_and_what_is_next() -> None:
    status = replace(PLAYS, next=[NextStatus("take-bets", ["dealer"])])
    lines = watch_lines(status, Language.EN, SMALL)
    assert ("Bets are open.", Look.BANNER) in [(line.text, line.look) for line in lines]
    assert any(line.text.startswith("  take-bets") for line in lines)


def test_devices_are_shown_on_request_and_in_trouble() -> None:
    assert "Device, shuffler: jammed" not in texts(HELD)
    assert "Device, shoe: NOT CONNECTED" in texts(HELD)
    assert "Device, shuffler: jammed" in texts(HELD, Screen(80, 60, devices=True))


def test_what_was_lost_is_said_and_the_rest_is_dimmed() -> None:
    lines = watch_lines(HELD, Language.EN, Screen(80, 23, lost_at="22:41:07"))
    assert lines[0].text.startswith("NO CONTROLLER since 22:41:07.")
    assert {line.look for line in lines[1:]} == {Look.QUIET}


# --- a real terminal


class Terminal:
    """The command on a pty of 80 by 24; `seen` is its whole output."""

    def __init__(self, *words: str, **environment: str) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        known = {"PATH": os.environ["PATH"], "SABOT_LANGUAGE": "en", "TERM": "linux"}
        command = [sys.executable, "-m", "controller.cli.main", "status", "--watch", *words]
        self.child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=known | environment)
        os.close(slave)
        self.seen = ""
        self._decoder = codecs.getincrementaldecoder("utf-8")()  # a letter may come in two pieces

    def sees(self, pattern: str) -> None:
        """Reads the command's output until the terminal's present screen matches this pattern."""
        wait_for(lambda: self._shows(pattern), lambda: self.seen[-2000:])

    def _shows(self, pattern: str) -> bool:
        if select.select([self._master], [], [], 0)[0]:
            self.seen += self._decoder.decode(os.read(self._master, 65_536))
        return re.search(pattern, self.seen.rpartition("\x1b[H")[2], re.DOTALL) is not None

    def close(self) -> None:
        self.child.send_signal(signal.SIGINT)
        assert self.child.wait(HANGS_S) == 0
        os.close(self._master)


@contextmanager
def watching(path: Path, **environment: str) -> Iterator[Terminal]:
    terminal = Terminal("--socket", str(path), **environment)
    try:
        yield terminal
    finally:
        terminal.close()


@pytest.mark.waits
def test_it_comes_back_by_itself_when_the_controller_does(socket_path: Path) -> None:
    lives: list[list[Json | bytes]] = [[HANG_UP], [{"seq": 9, "changed": {"holds": [], "state": "Bets are open."}}]]

    def script(request: Json) -> list[Json | bytes]:
        if request["do"] == "ping":
            return [{"id": request["id"], "ok": True}]
        return [{"id": request["id"], "ok": True, "seq": 7, "status": STATUS}, *lives[0]]

    with ScriptedController(socket_path, script), watching(socket_path) as terminal:
        terminal.sees(r"\x1b\[1;30;43mNO CONTROLLER since .*HELD: jam")
        lives.pop(0)
        terminal.sees(r"\x1b\[1;7mBets are open\.")


@pytest.mark.waits
def test_without_colour_where_none_is_wanted(socket_path: Path) -> None:
    def script(request: Json) -> list[Json | bytes]:
        return [{"id": request["id"], "ok": True, "seq": 7, "status": STATUS}]

    with ScriptedController(socket_path, script), watching(socket_path, NO_COLOR="1") as terminal:
        terminal.sees("HELD: jam.*> 3. Open the lid.*sabot act clear-hold")
        assert "\x1b[1" not in terminal.seen
