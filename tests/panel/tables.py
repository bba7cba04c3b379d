"""Tables for the panel's tests: a closed one without play, and whole ones that the demo plays."""

import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Protocol
from urllib.parse import urlsplit

from controller.core.games.blackjack.state import initial_state
from controller.protocol.status import Status
from tests.core.table import SETUP
from tests.daemon.rig import DEALER, PINS, Rig
from tests.daemon.warm import Warm
from tests.demo.evenings import ROOT, SIM
from tests.endings import HANGS_S, seconds_to_end
from tests.panel.dealt import Dealt, Served
from tests.panel.scripted import ScriptedTable
from tests.panel.spun import Spun
from tests.waiting import wait_for, whole_lines

TURN_WITHIN_S = 120.0  # the script plays on until then
SABOT = [sys.executable, "-m", "controller.cli.main"]


class Table(Protocol):
    """A table with a panel: the panel's URL, the controller's socket, and the PINs of the test's people."""

    url: str
    pins: dict[int, str]
    socket: Path


class Panel:
    """`sabot panel` of this configuration, in a process of its own. `warm`: where set, it is forked from there."""

    warm: ClassVar[Warm | None] = None

    def __init__(self, config: Path, port: int = 0, listen: str = "127.0.0.1") -> None:
        words = ("panel", "--port", str(port), "--listen", listen, "--config", str(config))
        self._process = self._started(words) if self.warm is None else self.warm.piped(words)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip().removeprefix("panel: ")

    @staticmethod
    def _started(words: Sequence[str]) -> "subprocess.Popen[str]":
        return subprocess.Popen([*SABOT, *words], cwd=ROOT, stdout=subprocess.PIPE, text=True)

    def end(self) -> None:
        self._process.terminate()
        self._process.wait(HANGS_S)
        if self._process.stdout is not None:
            self._process.stdout.close()


class Closed:
    """A controller with idle devices, and a panel; it costs next to nothing."""

    def __init__(self, directory: Path) -> None:
        directory.mkdir()
        self.pins = PINS
        self.rig = Rig(directory)
        self.rig.__enter__()
        self.rig.start()
        self.rig.connected()
        self.socket = self.rig.socket
        self._panel = Panel(self.rig.config)
        self.url = self._panel.url

    def restart_panel(self) -> None:
        """Ends the panel and starts another at the same address, without the earlier sign-ins."""
        self._panel.end()
        self._panel = Panel(self.rig.config, urlsplit(self.url).port or 0)

    def end(self) -> None:
        self._panel.end()
        self.rig.__exit__()


class Painted:
    """A panel that shows a given status and accepts presses.

    Given a `Dealt` or `Spun` table instead of a status, the presses play that table.
    """

    pins = PINS

    def __init__(
        self, directory: Path, shown: Status | Dealt | Spun, person: tuple[int, str] = (DEALER, "dealer")
    ) -> None:
        directory.mkdir()
        self.socket = directory / "control.sock"
        number, role = person
        who = {"person": number, "name": f"Person {number}", "role": role}
        self.shown = shown
        self.table = (
            ScriptedTable(self.socket, shown, initial_state(SETUP), who)
            if isinstance(shown, Status)
            else Served(self.socket, shown, who)
        )
        self.table.__enter__()
        rig = Rig(directory)
        self._panel = Panel(rig.config)
        rig.host.close()
        self.url = self._panel.url

    def end(self) -> None:
        self._panel.end()
        self.table.__exit__()


@dataclass(frozen=True)
class Evening:
    """A running demo in which the test itself plays the people of some posts."""

    url: str
    pins: dict[int, str]
    socket: Path
    log: Path
    process: "subprocess.Popen[bytes]"

    def turns(self, person: int) -> list[str]:
        """The acts that the demo's script has wished so far from a person whom the test plays."""
        start = f"your turn: {person} "
        return [line.removeprefix(start) for line in whole_lines(self.log) if line.startswith(start)]

    def turn_of(self, person: int, pattern: str, after: int = 0) -> re.Match[str]:
        """Waits until the demo wishes an act that matches `pattern` from the person; returns the match.

        `after`: the number of earlier wishes to skip.
        """

        def turn() -> re.Match[str] | None:
            last = self.turns(person)[after:][-1:]
            return re.fullmatch(pattern, last[0]) if last else None

        found = wait_for(turn, lambda: (pattern, self.log.read_text()[-1000:]), TURN_WITHIN_S)
        assert found is not None
        return found

    def end(self) -> None:
        self.process.terminate()
        seconds_to_end(self.process)


def begin(directory: Path, *words: str) -> Evening:
    """Starts a demo with these options; returns it once its panel serves."""
    log = directory.with_suffix(".log")
    tracks = () if "--tracks" in words else ("--tracks", "cards")
    command = [*SIM, "demo", "--json", "--panel-port", "0", "--state-dir", str(directory), *tracks, *words]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file)
    socket = directory / "control.sock"

    def evening() -> Evening | None:
        assert process.poll() is None, log.read_text()
        lines = whole_lines(log)
        urls = [line.removeprefix("panel: ") for line in lines if line.startswith("panel: ")]
        pins = {int(line.split()[2]): line.split()[3] for line in lines if line.startswith("you: ")}
        return Evening(urls[0], pins, socket, log, process) if urls and len(pins) == 2 and socket.is_socket() else None

    try:
        begun = wait_for(evening, log.read_text)
    except AssertionError:
        process.kill()
        process.wait()
        raise
    assert begun is not None
    return begun
