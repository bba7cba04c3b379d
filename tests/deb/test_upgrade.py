"""Upgrade and the way back: at every step of them, also where the power goes, the old or the new version runs."""

import random
import signal
import subprocess
import time
from pathlib import Path

import pytest
from machine import Chroot, Machine
from packages import Packages, with_cuts
from table import TABLE


def runs(chroot: Chroot, *allowed: Packages) -> Packages:
    """The version that runs; any other than those allowed fails the test."""
    told = chroot.run("sabot", "--version").stdout
    found = [one for one in allowed if one.commit in told]
    assert found, told
    assert chroot.run("sabot", "profile", "list").stdout  # whole, not only its first module
    return found[0]


def test_upgrade_and_rollback(chroot: Chroot, packages: Packages, newer_packages: Packages) -> None:
    for version in (packages, newer_packages, packages):
        chroot.run("dpkg", "-i", chroot.put(version.sabot), chroot.put(version.sim))
        assert runs(chroot, packages, newer_packages) == version
    versions = sorted(path.name for path in (chroot.tree / "usr/lib/sabot").iterdir())
    assert versions == sorted([packages.version, "current", "previous"])


def test_the_power_may_go_at_each_step_of_the_scripts(
    chroot: Chroot, packages: Packages, newer_packages: Packages, tmp_path: Path
) -> None:
    chroot.run("dpkg", "-i", chroot.put(packages.sabot))
    cutting, places = with_cuts(newer_packages.sabot, tmp_path)
    assert places > 15
    file, old = chroot.put(cutting), chroot.put(packages.sabot)
    interrupted = 0
    for place in range(places):
        (chroot.tree / "run/cut").write_text(str(place))
        done = chroot.run("sh", "-c", f"dpkg -i {file}", check=False)
        interrupted += done.returncode != 0
        runs(chroot, packages, newer_packages)
        (chroot.tree / "run/cut").unlink()
        chroot.run("sh", "-c", f"dpkg --configure -a; dpkg -i {file}")
        assert runs(chroot, packages, newer_packages) == newer_packages
        chroot.run("dpkg", "-i", old)
        assert runs(chroot, packages, newer_packages) == packages
    assert interrupted >= 12  # the rest is for removal, or for a booted systemd


@pytest.mark.parametrize("seed", range(6))
def test_the_power_may_go_while_files_are_unpacked(
    seed: int, chroot: Chroot, packages: Packages, newer_packages: Packages
) -> None:
    chroot.run("dpkg", "-i", chroot.put(packages.sabot))
    file = chroot.put(newer_packages.sabot)
    dpkg = subprocess.Popen(["chroot", str(chroot.tree), "dpkg", "-i", file], stdout=-3, stderr=-3)
    time.sleep(random.Random(seed).uniform(0.1, 2.0))  # noqa: S311 - a place to cut, the same each time
    dpkg.send_signal(signal.SIGKILL)
    dpkg.wait()
    runs(chroot, packages, newer_packages)
    chroot.run("sh", "-c", f"dpkg --configure -a; dpkg -i {file}")
    assert runs(chroot, packages, newer_packages) == newer_packages


def test_at_a_running_table(machine: Machine, packages: Packages, newer_packages: Packages) -> None:
    """Booted and hardened: an open session stops the upgrade, a closed table is upgraded and goes on."""
    machine.run("dpkg", "-i", machine.put(packages.sabot))
    (machine.tree / "etc/sabot/table.toml").write_text(TABLE)
    pins = {11: ("dealer", "739164"), 21: ("chief_supervisor", "739165"), 31: ("technician", "739166")}
    for number, (role, pin) in pins.items():
        add = f"sabot staff add --config /etc/sabot/table.toml --number {number} --name N --role {role} --pin-fd 0"
        machine.run("runuser", "-u", "sabot", "--", *add.split(), given=f"{pin}\n")
    machine.run("systemctl", "start", "sabot.service")
    assert machine.run("sabot", "status").returncode == 0
    sign_in = "sabot act sign-in --person 11 --pin-fd 0 --value operation=table"
    machine.run(*sign_in.split(), given="739164\n")
    machine.run(*["sabot", "act", "open-session", "--person", "11", "--pin-fd", "0"], given="739164\n")
    refused = machine.run("dpkg", "-i", machine.put(newer_packages.sabot), check=False)
    assert refused.returncode != 0
    assert "a session is open" in refused.stderr
    assert packages.commit in machine.run("sabot", "--version").stdout
    machine.wait_until("back after the refusal", 20, "systemctl", "is-active", "--quiet", "sabot.service")
    machine.run(*["sabot", "act", "abandon-opening", "--person", "21", "--pin-fd", "0"], given="739165\n", check=False)
    machine.run("env", "SABOT_UPGRADE=now", "dpkg", "-i", machine.put(newer_packages.sabot))
    machine.wait_until("the new version", 20, "sh", "-c", f"sabot status --json | grep -q {newer_packages.commit}")
    machine.power_cut()
    machine.boot()
    machine.wait_until("the table after the power cut", 30, "sabot", "status", "--json")
    verified = machine.run("runuser", "-u", "sabot", "--", "sabot", "journal", "verify", "/var/lib/sabot/journal")
    assert verified.stdout.startswith("Well: ")
