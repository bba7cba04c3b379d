"""Whole demos for tests: run as a person would run them, or in this process with their books."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
SIM = (sys.executable, "-c", "import sys; from simulators.cli import main; sys.exit(main())")
"""`sabot-sim`, by the module: a checkout need not be installed."""


def command(*words: str) -> list[str]:
    return [*SIM, "demo", *words]


def run_demo(*words: str, timeout_s: float = 110) -> tuple[int, dict[str, object]]:
    """A demo with `--json`: exit code and document."""
    done = subprocess.run(
        command("--json", *words), cwd=ROOT, capture_output=True, text=True, timeout=timeout_s, check=False
    )
    assert done.stdout, done.stderr
    return done.returncode, json.loads(done.stdout)


def start_demo(words: Sequence[str], output: Path) -> "subprocess.Popen[bytes]":
    """A demo with its output in a file."""
    with output.open("wb") as file:
        return subprocess.Popen(
            command(*words), cwd=ROOT, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT
        )
