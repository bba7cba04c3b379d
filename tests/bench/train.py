"""G38: the time from `sabot-sim train` to its page's address, and to a table at which the dealer may begin."""

import signal
import subprocess
import sys
from tempfile import TemporaryDirectory
from time import perf_counter

from tests.bench.processes import END_WITHIN_S, ENVIRONMENT
from tests.bench.rows import Plan, Row, interleave, ratios, say, spread

PROGRAM = "import sys; from simulators.cli import main; sys.exit(main(sys.argv[1:]))"
ADDRESS, CLOSED = "panel: ", "The table is closed."
"""The beginnings of the lines that `train` prints when its page is served, and when the table is ready."""


def run(plan: Plan) -> list[Row]:
    ready: list[float] = []

    def page() -> float:
        served_s, closed_s = _started()
        ready.append(closed_s)
        return served_s

    taken = interleave({"train": page, "bare Python": _bare}, plan.repetitions)
    say(f"  ready after {ready[-1]:.1f} s")
    beside = {name: spread(values) for name, values in taken.items()} | {"a table to begin at": spread(ready)}
    return [Row("G38", "`train`: start to its page, over a bare Python", ratios(*taken.values()), beside, "s")]


def _started() -> tuple[float, float]:
    """Seconds to the page's address and to the closed table."""
    with TemporaryDirectory() as name:
        began_s = perf_counter()
        command = [sys.executable, "-c", PROGRAM, "train", "--drill", "deal", "--seed", "1"]
        environment = ENVIRONMENT | {"TMPDIR": name, "LANG": "C.UTF-8"}
        with subprocess.Popen(
            command, cwd=name, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True
        ) as train:
            assert train.stdout is not None
            found = {}
            for line in train.stdout:
                begins = next((one for one in (ADDRESS, CLOSED) if line.startswith(one)), None)
                if begins is not None:
                    found[begins] = perf_counter() - began_s
                if begins == CLOSED:
                    break
            train.send_signal(signal.SIGINT)
            train.stdout.read()
            train.wait(END_WITHIN_S)
    return found[ADDRESS], found[CLOSED]


def _bare() -> float:
    began_s = perf_counter()
    subprocess.run([sys.executable, "-c", "pass"], check=True)
    return perf_counter() - began_s
