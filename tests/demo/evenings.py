"""Whole demos for tests, run like a person runs them."""

import json
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

ROOT = Path(__file__).parents[2]
SIM = (sys.executable, "-c", "import sys; from simulators.cli import main; sys.exit(main())")
"""`sabot-sim`, by the module: a checkout need not be installed."""


WARM: Final = (sys.executable, "-m", "tests.demo.warm_demo")
"""`sabot-sim` with a controller that starts in a moment."""


PLAYS_S: Final = 280.0
"""The seconds for the play before the tested event."""


def command(*words: str) -> list[str]:
    return [*SIM, "demo", *words]


def run_demo(*words: str, timeout_s: float = PLAYS_S, sim: Sequence[str] = SIM) -> tuple[int, dict[str, object]]:
    """Runs a demo with `--json`, and returns exit code and document."""
    given = [*sim, "demo", "--json", "--no-panel", *words]
    done = subprocess.run(given, cwd=ROOT, capture_output=True, text=True, timeout=timeout_s, check=False)
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def start_demo(words: Sequence[str], output: Path) -> "subprocess.Popen[bytes]":
    """Starts a demo with its output in a file."""
    with output.open("wb") as file:
        return subprocess.Popen(
            command(*words), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
        )


def processes_of(directory: Path) -> dict[int, list[str]]:
    """Returns number and command line of each living process whose command line names a path in `directory`."""
    found = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(FileNotFoundError, ProcessLookupError):
            words = (entry / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")
            if any(word.startswith(str(directory)) for word in words):
                found[int(entry.name)] = words
    return found


def controllers_of(directory: Path) -> list[int]:
    """Returns the numbers of the controllers among the processes of this directory."""
    return [pid for pid, words in processes_of(directory).items() if "run" in words]
