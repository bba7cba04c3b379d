"""Upgrade and the way back: at every step, also after a power cut, the old or the new version runs."""

import random
import signal
import subprocess
import tarfile
import time
from pathlib import Path

import pytest
from machine import Chroot, Machine
from packages import Packages, with_cuts
from table import ANSWERS, PINS

pytestmark = pytest.mark.waits


def runs(chroot: Chroot, *allowed: Packages) -> Packages:
    """The running version; any other than the allowed ones fails the test."""
    told = chroot.run("sabot", "--version").stdout
    found = [one for one in allowed if one.commit in told]
    assert found, told
    assert chroot.run("sabot", "profile", "list").stdout  # the whole program, not only its first module
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
    assert interrupted >= 12  # the other places are for removal, or for a booted systemd


@pytest.mark.parametrize("seed", range(6))
def test_the_power_may_go_while_files_are_unpacked(
    seed: int, chroot: Chroot, packages: Packages, newer_packages: Packages
) -> None:
    began = time.monotonic()
    chroot.run("dpkg", "-i", chroot.put(packages.sabot))
    took = time.monotonic() - began
    file = chroot.put(newer_packages.sabot)
    dpkg = subprocess.Popen(["chroot", str(chroot.tree), "dpkg", "-i", file], stdout=-3, stderr=-3)
    time.sleep(random.Random(seed).uniform(0.05, 0.9) * took)  # noqa: S311 - a place to cut, the same each time
    dpkg.send_signal(signal.SIGKILL)
    dpkg.wait()
    runs(chroot, packages, newer_packages)
    chroot.run("sh", "-c", f"dpkg --configure -a; dpkg -i {file}")
    assert runs(chroot, packages, newer_packages) == newer_packages


def test_at_a_running_table(machine: Machine, packages: Packages, newer_packages: Packages) -> None:
    """The table runs on a booted system: an open session stops the upgrade; a closed table continues after it."""
    machine.run("dpkg", "-i", machine.put(packages.sabot))
    (machine.tree / "srv/answers.toml").write_text(ANSWERS)
    commission = ("sabot", "commission", "--answers", "/srv/answers.toml", "--pin-fd", "0")
    told = machine.run(*commission, check=False, given=PINS).stdout
    assert "Written: /etc/sabot/table.toml" in told
    machine.run("systemctl", "start", "sabot.service")
    assert machine.run("sabot", "status").returncode == 0
    machine.wait_until("its screens", 20, "systemctl", "is-active", "--quiet", "sabot-panel.service")
    check_metrics(machine)
    sign_in = "sabot act sign-in --person 11 --pin-fd 0 --value operation=table"
    machine.run(*sign_in.split(), given="739164\n")
    machine.run(*["sabot", "act", "open-session", "--person", "11", "--pin-fd", "0"], given="739164\n")
    check_bundle(machine)
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


SCRAPE = """
import socket
with socket.socket(socket.AF_UNIX) as line:
    line.connect("/run/sabot-metrics/metrics.sock")
    line.sendall(b"GET /metrics HTTP/1.1\\r\\n\\r\\n")
    print(line.makefile().read())
"""


def check_metrics(machine: Machine) -> None:
    """The service writes for the node exporter and answers at its socket, and reads no file of the table."""
    started = machine.run("systemctl", "start", "sabot-metrics.service", check=False)
    log = machine.run("journalctl", "--no-pager", "-u", "sabot-metrics.service").stdout
    assert started.returncode == 0, log
    file = "/var/lib/prometheus/node-exporter/sabot.prom"
    machine.wait_until("figures in the file", 30, "grep", "-q", "^sabot_up 1", file)
    machine.wait_until("the socket", 30, "test", "-S", "/run/sabot-metrics/metrics.sock")
    assert "\nsabot_up 1\n" in machine.run("python3", "-c", SCRAPE).stdout
    leader = machine.run("systemctl", "show", "-P", "MainPID", "sabot-metrics.service").stdout.strip()
    inside = machine.run("nsenter", "--mount", "--target", leader, "ls", "/var/lib/sabot", check=False)
    assert (inside.returncode, inside.stdout) != (0, machine.run("ls", "/var/lib/sabot").stdout)
    machine.run("systemctl", "stop", "sabot-metrics.service")


def check_bundle(machine: Machine) -> None:
    """The bundle has the log of the booted machine, and no PIN typed there."""
    machine.run("sabot", "doctor", "--bundle", "/srv/support.tar.gz", check=False)
    with tarfile.open(machine.tree / "srv/support.tar.gz") as archive:
        pieces = {member.name: file.read() for member in archive if (file := archive.extractfile(member))}
    assert b'"event": "act"' in pieces["sabot-support/log"]
    assert b"ProtectSystem=strict" in pieces["sabot-support/unit"]
    assert b"sabot_up 1" in pieces["sabot-support/metrics"]
    assert [name for name, data in pieces.items() for pin in PINS.split() if pin.encode() in data] == []
