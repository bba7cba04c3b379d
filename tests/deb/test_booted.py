"""Tests in a booted Debian: from the packages to a table that plays, and a table whose root is read-only."""

import json
import re
import subprocess

import pytest
from machine import Machine
from packages import Packages
from table import ANSWERS, PINS

pytestmark = pytest.mark.waits

DEMO = ("sabot", "status", "--socket", "/run/sabot-demo/control.sock", "--json")
EXPOSED_AT_MOST = 1.5  # by systemd's own figure; the panel's port costs more than the real table's unit has


def test_two_commands_from_the_packages_to_a_confined_simulated_table(machine: Machine, packages: Packages) -> None:
    machine.run("apt-get", "install", "--yes", machine.put(packages.sabot), machine.put(packages.sim))
    machine.run("systemctl", "start", "sabot-demo.service")
    machine.wait_until("the table plays", 120, "sh", "-c", f'{" ".join(DEMO)} | grep -q \'"session": "in-play"\'')
    status = json.loads(machine.run(*DEMO).stdout)
    assert status["simulated"]
    assert all(device["connected"] for device in status["devices"].values())
    told = machine.run("systemd-analyze", "security", "--offline=true", "sabot-demo.service").stdout
    assert float(re.findall(r"Overall exposure level for sabot-demo.service: ([0-9.]+)", told)[0]) < EXPOSED_AT_MOST
    machine.run("systemctl", "stop", "sabot-demo.service")
    assert machine.run("systemctl", "show", "-P", "Result", "sabot-demo.service").stdout == "success\n"


def test_under_systemd_run_a_table_is_played_to_its_end(machine: Machine, packages: Packages) -> None:
    machine.run("dpkg", "-i", machine.put(packages.sabot), machine.put(packages.sim))
    played = machine.run(
        *(
            "systemd-run",
            "--quiet",
            "--wait",
            "--pipe",
            "--property=DynamicUser=yes",
            "--property=RuntimeDirectory=demo",
        ),
        *("sabot-sim", "demo", "--rounds", "2", "--seed", "3", "--json", "--no-panel"),
    )
    document = json.loads(played.stdout)
    assert (document["rounds"], document["violations"]) == (2, [])


def test_a_table_whose_root_is_read_only(machine: Machine, packages: Packages) -> None:
    """The state lies on a separate medium: the table starts, accepts acts and keeps them, also after a power cut."""
    machine.run("dpkg", "-i", machine.put(packages.sabot))
    (machine.tree / "srv/answers.toml").write_text(ANSWERS)
    commission = ("sabot", "commission", "--answers", "/srv/answers.toml", "--pin-fd", "0")
    machine.run(*commission, check=False, given=PINS)
    machine.power_off()
    state = machine.tree.parent / "state"
    subprocess.run(["cp", "--archive", str(machine.tree / "var/lib/sabot"), str(state)], check=True)
    read_only = ("--read-only", f"--bind={state}:/var/lib/sabot")
    machine.boot(*read_only)
    for place in ("/usr/x", "/etc/sabot/x", "/var/x"):
        assert "Read-only file system" in machine.run("touch", place, check=False).stderr
    machine.wait_until("the table", 30, "sabot", "status")
    for act in ("sign-in --value operation=table", "open-session"):
        machine.run("sabot", "act", *act.split(), "--person", "11", "--pin-fd", "0", given="739164\n")
    machine.power_cut()
    machine.boot(*read_only)
    machine.wait_until("the session again", 30, "sh", "-c", 'sabot status --json | grep -q \'"session": "opened"\'')
