"""The fast part of the tests, run by the package's own Python on the package's own files.

By day these are the folders where machine and Python could make a difference; at night (SABOT_NIGHT) all tests without
browser, database or compiler. Tests marked `waits` or `slow` are left out.
"""

import os
import subprocess
import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest
from build import Target, locked, run_time_packages
from machine import Chroot
from packages import Packages

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
TOOLS = ("pytest", "pytest-mock", "pytest-timeout", "hypothesis")
OF_THE_PACKAGES = ("controller", "drivers", "firmware_protocols", "simulators")
BY_DAY = ("protocols", "journal", "money", "staff", "config")
AT_NIGHT = (*BY_DAY, "core", "drivers", "backup", "catalogue", "doctor", "runtime", "oracles", "scenario", "roulette")


def bring_tools(into: Path, target: Target, work: Path) -> None:
    """Brings in the packages of the lock file, as wheels for the tree's machine and Python."""
    wanted = work / "tools.txt"
    wanted.write_text("\n".join(locked(run_time_packages(*TOOLS))) + "\n")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    fetch = ["download", *target.wheel_options(), "--no-deps", "--require-hashes", "-r", str(wanted)]
    subprocess.run([*pip, *fetch, "-d", str(work / "tools")], check=True)
    wheels = map(str, (work / "tools").glob("*.whl"))
    place = ["install", "--no-deps", "--no-index", "--no-compile", *target.wheel_options(), "--target", str(into)]
    subprocess.run([*pip, *place, *wheels], check=True)


def bring_tests(chroot: Chroot, site: Path) -> None:
    """Brings in the commit's tree, with the installed packages in the place of its own."""
    archive = subprocess.run(["git", "archive", "HEAD"], cwd=ROOT, stdout=-1, check=True).stdout
    place = chroot.tree / "srv/checkout"
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        members = [one for one in files if one.name.split("/")[0] not in OF_THE_PACKAGES]
        files.extractall(place, members, filter="data")
    for name in OF_THE_PACKAGES:
        (place / name).symlink_to(f"/{site.relative_to(chroot.tree)}/{name}")


def test_the_fast_tests_pass_there(chroot: Chroot, packages: Packages, target: Target, tmp_path: Path) -> None:
    chroot.run("dpkg", "-i", chroot.put(packages.sabot), chroot.put(packages.sim))
    site = next(chroot.tree.glob(f"usr/lib/sabot/{packages.version}/lib/python{target.python}/site-packages"))
    bring_tools(chroot.tree / "srv/tools", target, tmp_path)
    bring_tests(chroot, site)
    folders = [f"tests/{name}" for name in (AT_NIGHT if os.environ.get("SABOT_NIGHT") else BY_DAY)]
    asked = ("-q", "-m", "not waits and not slow", "-p", "no:cacheprovider", "--timeout", "1800", *folders)
    python = "/usr/lib/sabot/current/bin/python"
    terminals = "mount -t devpts -o newinstance,ptmxmode=0666 devpts /dev/pts && ln -sf pts/ptmx /dev/ptmx"
    tests = f"PYTHONPATH=/srv/tools exec {python} -B -m pytest {' '.join(map(repr, asked))}"
    command = f"{terminals} && cd /srv/checkout && {tests}"
    done = chroot.run("sh", "-c", command, check=False)
    print(done.stdout[-2000:])
    assert done.returncode == 0, done.stdout[-10_000:] + done.stderr[-2000:]
    assert " passed" in done.stdout
