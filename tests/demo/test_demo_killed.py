"""A demo that is killed leaves no controller behind."""

import os
import signal
import time
from pathlib import Path

from tests.demo.evenings import controllers_of, start_demo

WITHIN_S = 120.0
AT_WORK_BYTES = 20_000  # of a journal: one that is only starting would end by itself for want of its ports


def written(directory: Path) -> int:
    """Bytes of the journal."""
    return sum(file.stat().st_size for file in directory.rglob("*.segment"))


def test_a_demo_that_is_killed_leaves_no_controller(tmp_path: Path) -> None:
    demo = start_demo(
        ["--rounds", "50", "--seed", "7", "--json", "--state-dir", str(tmp_path / "state")], tmp_path / "out"
    )
    try:
        until_s = time.monotonic() + WITHIN_S
        while not (running := controllers_of(tmp_path)) or written(tmp_path) < AT_WORK_BYTES:
            assert demo.poll() is None, (tmp_path / "out").read_text()
            assert time.monotonic() < until_s
            time.sleep(0.05)
        demo.send_signal(signal.SIGKILL)
        demo.wait(WITHIN_S)
        while controllers_of(tmp_path):
            assert time.monotonic() < until_s, f"{running} go on"
            time.sleep(0.05)
    finally:
        demo.kill()
        demo.wait(WITHIN_S)
        for number in controllers_of(tmp_path):
            os.kill(number, signal.SIGKILL)
