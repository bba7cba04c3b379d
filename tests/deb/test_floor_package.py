"""The floor's package in a bare Debian without network: its program and user, and nothing of a table."""

import re
import sys
from pathlib import Path

import pytest
from machine import Chroot
from packages import Packages

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "systemd/debian"))

CONFIG = """\
[uplink]
listen = "127.0.0.1"
port = 8443
certificate = "floor.pem"
authority = "authority.pem"
tables = "tables"

[database]
connection = "host=/run/postgresql dbname=sabot_floor"

[witness]
directory = "/var/lib/sabot-floor/witness"
"""
SETTINGS = "/etc/sabot-floor/floor.toml"


@pytest.fixture
def installed(chroot: Chroot, packages: Packages) -> Chroot:
    chroot.run("dpkg", "-i", chroot.put(packages.floor))
    (chroot.tree / SETTINGS[1:]).write_text(CONFIG)
    return chroot


def test_it_runs_alone_and_says_why_it_cannot_serve(installed: Chroot) -> None:
    assert "--new-witness" in installed.run("sabot-floor", "--help").stdout
    told = installed.run("sabot-floor", "--config", SETTINGS, check=False)
    assert (told.returncode, "The database cannot be used" in told.stderr) == (1, True)
    everything = "import alembic.command, controller.floor.serve, controller.floor.schema"
    installed.run("/usr/lib/sabot-floor/bin/python", "-I", "-c", everything)


def test_it_makes_a_witness_whose_key_its_user_alone_may_read(installed: Chroot) -> None:
    asked = ("runuser", "-u", "sabot-floor", "--", "sabot-floor", "--config", SETTINGS, "--new-witness", "floor.test")
    installed.run("chmod", "0644", SETTINGS)
    installed.run("chmod", "0755", "/etc/sabot-floor")
    assert re.fullmatch(r"floor\.test\+[0-9a-f]{8}\+[A-Za-z0-9+/=]+\n", installed.run(*asked).stdout)
    modes = installed.run("stat", "-c", "%U %a", "/var/lib/sabot-floor/witness/witness.key").stdout
    assert modes == "sabot-floor 600\n"


def test_it_carries_its_locked_packages_and_nothing_of_a_table(installed: Chroot) -> None:
    from build import FLOOR_NEEDS, locked, run_time_packages

    site = next(installed.tree.glob("usr/lib/sabot-floor/lib/python3.*/site-packages"))
    found = {path.name.removesuffix(".dist-info").lower().replace("_", "-") for path in site.glob("*.dist-info")}
    wanted = {re.split(r"[ \\]", block)[0].replace("==", "-") for block in locked(run_time_packages(*FLOOR_NEEDS))}
    assert {name for name in found if not name.startswith("sabot-")} == wanted
    assert not (installed.tree / "usr/bin/sabot").exists()
    assert not [name for name in ("simulators", "controller/core", "controller/daemon") if (site / name).exists()]
    assert installed.run("dpkg", "--verify", "sabot-floor").stdout == ""


def test_user_directories_and_unit_stand_and_purge_keeps_the_witness(installed: Chroot) -> None:
    modes = installed.run("stat", "-c", "%U %G %a", "/etc/sabot-floor", "/var/lib/sabot-floor").stdout.splitlines()
    assert modes == ["root sabot-floor 750", "sabot-floor sabot-floor 700"]
    unit = "sabot-floor.service"
    assert installed.run("systemctl", "is-enabled", unit, check=False).stdout.strip() == "disabled"
    assert installed.run("systemd-analyze", "verify", "--man=no", unit).stderr == ""
    exposure = installed.run("systemd-analyze", "security", "--offline=true", unit).stdout
    assert float(re.findall(rf"Overall exposure level for {unit}: ([0-9.]+)", exposure)[0]) < 2.0
    (installed.tree / "var/lib/sabot-floor/mine").write_text("key")
    installed.run("dpkg", "--purge", "sabot-floor")
    assert (installed.tree / "var/lib/sabot-floor/mine").exists()
    assert not (installed.tree / "etc/sabot-floor").exists()
