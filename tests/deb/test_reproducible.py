"""The same commit gives the same packages, byte for byte."""

import hashlib
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import astuple
from io import BytesIO
from pathlib import Path

import pytest
from packages import Packages
from trees import Target, Trees

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
UNCOMMITTED = ("systemd/debian/postinst", "systemd/README.md", "controller/__init__.py", "systemd/sabot.service")


def built_elsewhere(work: Path, target: Target, trees: Trees, first: Path) -> Packages:
    """The packages built in another directory, in another year, without network and on one processor.

    Locale, zone, umask, seed of hash and home are others, and files of the checkout are changed. Wheels are those that
    the first build had fetched.
    """
    clone = work / "another place"
    subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
    for name in UNCOMMITTED:
        with (clone / name).open("a") as file:
            file.write("# not committed\n")
    fetched = first / f"work-{target.release}-{target.arch}"
    places = " ".join(str(fetched / one) for one in ("wheels", "sources", "of-floor/wheels"))
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(work), "LC_ALL": "C", "TZ": "Asia/Macau", "PYTHONHASHSEED": "7",
        "PYTHONPATH": str(clone), "PYTHONDONTWRITEBYTECODE": "1",
        "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": places, "PIP_NO_CACHE_DIR": "1",
    }  # fmt: skip
    build = [sys.executable, str(clone / "systemd/debian/build.py"), "--out", str(work / "out")]
    options = ["--release", target.release, "--arch", target.arch, "--interpreter", str(trees.interpreter(target))]
    elsewhere = ["unshare", "--net", "taskset", "--cpu-list", "0", "faketime", "-f", "+400d"]
    made = subprocess.run(
        [*elsewhere, *build, *options], env=environment, umask=0o077, cwd=work, stdout=-1, text=True, check=True
    )
    return Packages(*map(Path, made.stdout.splitlines()))


def test_two_builds_of_a_commit_give_the_same_bytes(
    packages: Packages, target: Target, trees: Trees, tmp_path: Path
) -> None:
    second = built_elsewhere(tmp_path, target, trees, packages.sabot.parent)
    for one, other in zip(astuple(packages), astuple(second), strict=True):
        assert one.name == other.name
        assert sorted(members(one) ^ members(other)) == []  # names the differences
        assert hashlib.sha256(one.read_bytes()).hexdigest() == hashlib.sha256(other.read_bytes()).hexdigest()


def members(package: Path) -> set[tuple[str, ...]]:
    """Each member of the two archives in a package: name, mode, owner, time, link, digest."""
    return set(_members(package, "--fsys-tarfile")) | set(_members(package, "--ctrl-tarfile"))


def _members(package: Path, which: str) -> Iterator[tuple[str, ...]]:
    raw = subprocess.run(["dpkg-deb", which, str(package)], stdout=-1, check=True).stdout
    with tarfile.open(fileobj=BytesIO(raw)) as archive:
        for member in archive:
            file = archive.extractfile(member) if member.isfile() else None
            digest = hashlib.sha256(file.read()).hexdigest() if file else ""
            what = (oct(member.mode), member.uname, str(member.mtime), member.linkname, digest)
            yield (member.name, *what)
