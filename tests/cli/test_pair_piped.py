"""`sabot device pair` without a terminal, by the lines of the makers' guide: its messages meanwhile, and its result."""

import json
import os
import re
import select
import subprocess
import sys
from pathlib import Path

import pytest

import simulators.c
from controller.staff import load_staff
from simulators.devices.shoe import SimulatedShoe
from tests.cli.test_device_pair import CHIEF, PINS, TECHNICIAN, Bench, bench_of
from tests.endings import HANGS_S

pytestmark = pytest.mark.waits

GUIDE = (Path(simulators.c.__file__).parent / "MAKERS.md").read_text(encoding="utf-8")
[SCRIPT] = [block for block in re.findall(r"```sh\n(.*?)```", GUIDE, re.S) if "--pin-fd" in block]
SABOT = f"""#!/bin/sh
exec "{sys.executable}" -m controller.cli.main "$@"
"""


def lines_of(bench: Bench) -> list[str]:
    """The guide's lines, in the bench's directory, with a program `sabot` and the files of two PINs."""
    program = bench.here / "sabot"
    program.write_text(SABOT)
    program.chmod(0o700)
    for person, name in ((TECHNICIAN, "pin.41"), (CHIEF, "pin.21")):
        (bench.here / name).write_text(f"{PINS[person]}\n")
    return SCRIPT.splitlines()


def started(bench: Bench, line: str) -> "subprocess.Popen[str]":
    path = f"{bench.here}:{os.environ['PATH']}"
    piped = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen(
        ["/bin/sh", "-c", line],
        cwd=bench.here,
        env={**os.environ, "PATH": path},
        text=True,
        **piped,
    )


def test_a_script_adds_people_and_pairs_a_device(tmp_path: Path) -> None:
    with bench_of(tmp_path, SimulatedShoe) as bench:
        (tmp_path / "staff.toml").unlink()
        *people, pair = lines_of(bench)
        for line in people:
            with started(bench, line) as child:
                assert child.communicate(timeout=HANGS_S)[1] == ""
            assert child.returncode == 0
        assert [one.number for one in load_staff(tmp_path / "staff.toml").people] == [21, 41]
        with started(bench, pair) as child:
            said = [next_line(child), next_line(child)]
            assert "turn on the switch inside" in said[0]
            assert "SIM-SHOE, answers" in said[1]
            assert child.poll() is None, "it says so while it waits"
            bench.switch_on()
            result, more = child.communicate(timeout=HANGS_S)
        assert (child.returncode, more) == (0, "")
        assert json.loads(result)["paired"]


def next_line(child: "subprocess.Popen[str]") -> str:
    """The next line of its standard error, as soon as it comes."""
    assert child.stderr is not None
    assert select.select([child.stderr], [], [], HANGS_S)[0]
    return child.stderr.readline()
