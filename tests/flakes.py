"""`make flakes`: every test that waits, many times over, on a machine that is busy with other work.

Each run has another order of tests and another hash seed. At the end the command prints how often each test failed, and
the line that repeats its first failure. Exit code 1: a test failed; 2: stress-ng is missing.
"""

import argparse
import contextlib
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
OUTPUTS: Final = ROOT / "build/flakes"
"""The output of each run."""

TIMES: Final = 20
LARGEST_SEED: Final = 2**32 - 1
MISSING: Final = "stress-ng is missing; on Debian: sudo apt install stress-ng"
REDS: Final = "SABOT_REDS"
THE_RUN: Final = "the run itself"
"""Stands for a test where a run fails without a failed test."""


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Appends the name of a failed test to the file that SABOT_REDS names; pytest calls it in each run."""
    if report.failed:
        with Path(os.environ[REDS]).open("a") as reds:
            reds.write(f"{report.nodeid}\n")


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Runs stress-ng meanwhile: `processes` processes compute and one writes to the disk; with 0 nothing runs."""
    if not processes:
        yield
        return
    words = ["stress-ng", "--quiet", "--cpu", str(processes), "--iomix", "1", "--temp-path", str(OUTPUTS)]
    with subprocess.Popen(words, start_new_session=True) as load:
        try:
            yield
        finally:
            load.terminate()


def one_run(seed: int, workers: str, places: Sequence[str]) -> set[str]:
    """Runs the tests once; returns the failed ones' names, or THE_RUN where pytest failed without a failed test."""
    reds = OUTPUTS / f"{seed}.reds"
    reds.write_text("")
    words = ["-m", "pytest", "-p", "tests.flakes", "-p", "tests.forked", "-m", "waits", "-n", workers]
    environment = os.environ | {REDS: str(reds), "SABOT_SHUFFLE": str(seed), "PYTHONHASHSEED": str(seed)}
    with (OUTPUTS / f"{seed}.txt").open("wb") as said:
        done = subprocess.run(
            [sys.executable, *words, *places], cwd=ROOT, env=environment, stdout=said, stderr=subprocess.STDOUT
        )
    found = set(reds.read_text().splitlines())
    return found or ({THE_RUN} if done.returncode else set())


def told(red: Mapping[int, set[str]], places: Sequence[str]) -> list[str]:
    """The lines of the final report, the most frequent failures first. `red`: the failed tests of each seed.

    The printed command repeats the whole run, since another test of it may be the cause.
    """
    seeds = {test: [seed for seed, tests in red.items() if test in tests] for test in set().union(*red.values())}
    lines = []
    for test, found in sorted(seeds.items(), key=lambda one: (-len(one[1]), one[0])):
        again = " ".join(["--times 1 --seed", str(found[0]), *places])
        lines += [f"red in {len(found)} of {len(red)}: {test}", f"    make flakes FLAKES='{again}'"]
    return lines or [f"green in each of {len(red)}"]


def main(given: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("make flakes", description=__doc__)
    processors = os.cpu_count() or 1
    parser.add_argument("--times", type=int, default=TIMES, help="how many runs")
    parser.add_argument("--seed", type=int, help="of the first run; the next has the next (drawn)")
    parser.add_argument("--workers", default=str(processors), help="processes that test")
    parser.add_argument("--load", type=int, default=processors, help="processes that keep the machine busy")
    parser.add_argument("places", nargs="*", default=["tests"], help="folders, files or tests")
    asked = parser.parse_args(given)
    if asked.load and shutil.which("stress-ng") is None:
        print(MISSING, file=sys.stderr)
        return 2
    first = random.SystemRandom().randrange(LARGEST_SEED - asked.times) if asked.seed is None else asked.seed
    OUTPUTS.mkdir(parents=True, exist_ok=True)
    red: dict[int, set[str]] = {}
    with busy(asked.load), contextlib.suppress(KeyboardInterrupt):
        for seed in range(first, first + asked.times):
            red[seed] = one_run(seed, asked.workers, asked.places)
            said = ", ".join(sorted(red[seed])) or "green"
            print(f"run {len(red)} of {asked.times}, seed {seed}: {said} ({OUTPUTS / f'{seed}.txt'})", flush=True)
    print(*told(red, asked.places), sep="\n")
    return 1 if any(red.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
