"""The same arguments give the same digest, in any way and place; another seed gives another digest.

Another Python is found by its name, or is given: `OTHER_PYTHON=/path/to/python3.13 make test`. It needs our libraries.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from simulators.world.card_game import GAME, run_world
from simulators.world.plan import WorldPlan
from simulators.world.quiet import QuietLine
from simulators.world.result import Digests

ROOT = Path(__file__).parents[2]
SEEDS = range(2, 4)  # small tables; one of them searches a face-down card in a second world
ROUNDS = 2
OTHERS = tuple(f"python3.{minor}" for minor in (11, 12, 13) if minor != sys.version_info.minor)
SAID = tuple(filter(None, [os.environ.get("OTHER_PYTHON")]))


def digests() -> list[Digests]:
    return [run_world(WorldPlan(seed, ROUNDS, GAME.kinds)).digests for seed in SEEDS]


@pytest.fixture(scope="session")
def here() -> list[Digests]:
    return digests()


@pytest.mark.slow
def test_a_second_run_is_the_same(here: list[Digests]) -> None:
    assert digests() == here


def test_each_seed_is_another_world(here: list[Digests]) -> None:
    assert len(set(here)) == len(here)


@pytest.mark.drawn(1)
@pytest.mark.parametrize(("seed", "profile"), [(2, "pt-csm"), (3, "pt-csm"), (20, "pt-shoe")])
def test_lines_that_rest_change_nothing(seed: int, profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heartbeats counted at once (quiet.py) have the effect of single ones.

    In the first of these worlds some are half over at an event on their line, in the others some would have brought the
    host news.
    """
    plan = WorldPlan(seed, ROUNDS, GAME.kinds, profile=profile)
    resting = run_world(plan).digests
    monkeypatch.setattr(QuietLine, "rest", lambda self: None)
    assert run_world(plan).digests == resting


@pytest.mark.waits
def test_jobs_and_hash_seeds_change_nothing() -> None:
    one = document(hash_seed="1", jobs="1")
    two = document(hash_seed="2", jobs="2")
    assert one["digest"] == two["digest"]
    assert (one["faults"], one["violations"]) == (two["faults"], two["violations"])


@pytest.mark.waits
@pytest.mark.parametrize("name", SAID or OTHERS)
def test_another_python_is_the_same(name: str) -> None:
    python = shutil.which(name)
    if python is None or subprocess.run([python, "-c", NEEDED], capture_output=True, cwd=ROOT).returncode:
        pytest.skip(f"no {name} with this program's libraries")
    assert document(python=python)["digest"] == document()["digest"]


NEEDED = "import cobs, cryptography, msgspec, serial, transitions; from simulators import cli"


def document(*, python: str = sys.executable, hash_seed: str = "0", jobs: str = "1") -> dict[str, object]:
    """The output of `sabot-sim world --json`."""
    run = "import sys; from simulators.cli import main; sys.exit(main(sys.argv[1:]))"
    arguments = [
        "world",
        "--seeds",
        f"{SEEDS.start}:{SEEDS.stop}",
        "--rounds",
        str(ROUNDS),
        "--faults",
        "all",
        "--jobs",
        jobs,
        "--json",
    ]
    done = subprocess.run(
        [python, "-c", run, *arguments],
        cwd=ROOT,
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    found: dict[str, object] = json.loads(done.stdout)
    return found
