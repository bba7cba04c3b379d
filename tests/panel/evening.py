"""A whole table with its panel, where nobody of the script deals or supervises: the demo in a child process."""

import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from tests.demo.evenings import ROOT, SIM

UP_WITHIN_S = 60.0


@dataclass(frozen=True)
class Evening:
    """One running demo: where its panel is, and the PINs of those whom the test plays."""

    url: str
    pins: dict[int, str]
    log: Path
    directory: Path
    process: "subprocess.Popen[bytes]"

    def your_turn(self, person: int) -> str:
        """What this person, who sees the table, would ask for next, as the script's would."""
        start = f"your turn: {person} "
        hints = [line for line in self.log.read_text().splitlines() if line.startswith(start)]
        return hints[-1].removeprefix(start) if hints else ""

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(20)


def begin(directory: Path, *words: str) -> Evening:
    """Starts a demo; its people of the posts that the test plays ask for nothing."""
    log = directory.with_suffix(".log")
    command = [*SIM, "demo", "--json", "--panel-port", "0", "--state-dir", str(directory), *words]
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=file)
    until_s = time.monotonic() + UP_WITHIN_S
    while time.monotonic() < until_s and process.poll() is None:
        lines = log.read_text().splitlines()
        urls = [line.removeprefix("panel: ") for line in lines if line.startswith("panel: ")]
        pins = {int(line.split()[2]): line.split()[3] for line in lines if line.startswith("you: ")}
        if urls and len(pins) == 2 and (directory / "control.sock").is_socket():
            return Evening(urls[0], pins, log, directory, process)
        time.sleep(0.05)
    process.kill()
    process.wait()
    raise AssertionError(log.read_text())
