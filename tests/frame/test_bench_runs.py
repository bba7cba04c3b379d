"""`make bench` is no test, but it must run: here its first rows, with a few events."""

import json
import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_card_event_is_measured_at_the_real_controller() -> None:
    command = [sys.executable, "-m", "tests.bench", "--json", "--only", "card-event", "--repetitions", "1"]
    done = subprocess.run(
        [*command, "--scale", "0.03"], cwd=ROOT, capture_output=True, text=True, timeout=100, env=os.environ
    )
    assert done.returncode in {0, 1}, done.stderr  # 1: a goal was missed, which ten events prove nothing about
    rows = {row["id"]: row for row in json.loads(done.stdout)["rows"]}
    assert {"G1", "G2"} <= rows.keys()
    assert rows["G1"]["figure"]["median"] > 0
    assert rows["G1"]["measured"]["sabot"]["median"] > 0
