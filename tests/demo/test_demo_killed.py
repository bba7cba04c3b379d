"""A demo that is killed leaves no controller behind."""

import os
import signal
from pathlib import Path

import pytest

from tests.demo.evenings import controllers_of, start_demo
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

WITHIN_S = 120.0
# bytes of a journal; a controller that is only starting would end by itself for want of its ports
AT_WORK_BYTES = 20_000


def written(directory: Path) -> int:
    """Returns the number of bytes in the journal."""
    return sum(file.stat().st_size for file in directory.rglob("*.segment"))


def is_at_work(directory: Path) -> bool:
    return bool(controllers_of(directory)) and written(directory) >= AT_WORK_BYTES


def test_a_demo_that_is_killed_leaves_no_controller(tmp_path: Path) -> None:
    demo = start_demo(
        ["--rounds", "50", "--seed", "7", "--json", "--state-dir", str(tmp_path / "state")], tmp_path / "out"
    )
    try:
        wait_for(lambda: demo.poll() is not None or is_at_work(tmp_path), within_s=WITHIN_S)
        assert demo.poll() is None, (tmp_path / "out").read_text()
        demo.send_signal(signal.SIGKILL)
        demo.wait(WITHIN_S)
        wait_for(lambda: not controllers_of(tmp_path), lambda: controllers_of(tmp_path))
    finally:
        demo.kill()
        demo.wait(WITHIN_S)
        for number in controllers_of(tmp_path):
            os.kill(number, signal.SIGKILL)
