"""Which program this is: the version of the distribution, and the commit that it was made from.

A source archive made by `git archive` carries its commit (`.gitattributes` names this file); the Debian package is
built from one. A checkout asks git, which also says whether a file differs from the commit.
"""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

ARCHIVED: Final = "$Format:%H$"
"""The commit; in a checkout the words that `git archive` replaces."""

HOME: Final = Path(__file__).parents[2]
PACKAGES: Final = ("controller", "drivers", "firmware_protocols")
UNKNOWN: Final = "unknown"
_SHOWN: Final = 12  # digits of a commit: enough to name one, short enough to be read out
_GIT_WITHIN_S: Final = 2.0


@dataclass(frozen=True, slots=True)
class Software:
    """`commit`: 12 hex digits, or `unknown`; `changed`: a tracked file differs from it."""

    version: str
    commit: str
    changed: bool = False

    def __str__(self) -> str:
        return f"sabot {self.version} ({self.commit}{'+' if self.changed else ''})"


def software() -> Software:
    """The program as status, journal and `sabot --version` name it."""
    version = next((name.removeprefix("sabot-") for name in _installed() if name.startswith("sabot-")), UNKNOWN)
    if not ARCHIVED.startswith("$"):
        return Software(version, ARCHIVED[:_SHOWN])
    commit, _, changed = (_described(Path(__file__).parents[2]) or UNKNOWN).partition("+")
    return Software(version, commit, changed == "changed")


@cache
def running() -> str:
    """The program of this process, as its journal names it. Raises OSError."""
    return f"{software()} program {program_digest()[:16]}"


def program_digest(home: Path = HOME) -> str:
    """SHA-256 (hex) of what runs: each file of our packages, and what each installed package says that it has.

    Compiled copies of the files are left out: Python makes them. Raises OSError.
    """
    digest = sha256()
    for name in sorted(name for package in PACKAGES for name in _names_under(f"{home}/{package}")):
        digest.update(f"{name.removeprefix(f'{home}/')}\0{sha256(_bytes_of(name)).hexdigest()}\n".encode())
    for files in sorted(_files_of(*one) for one in _installed().items()):
        digest.update(f"{sha256(files).hexdigest()}\n".encode())
    return digest.hexdigest()


def _names_under(folder: str) -> Iterator[str]:
    """By the plain walk: each start asks, and paths made of objects cost three times as long."""
    for place, _folders, names in os.walk(folder, followlinks=True):
        yield from (f"{place}/{name}" for name in names if not name.endswith(".pyc"))


def _bytes_of(name: str) -> bytes:
    with io.FileIO(name) as file:
        return file.readall()


def _installed() -> dict[str, Path]:
    """Of each installed package `NAME-VERSION` and its folder of facts.

    `importlib.metadata` knows as much, and brings the readers of mail and archives: 2 MB in each controller.
    """
    return {folder.stem: folder for place in sys.path for folder in Path(place).glob("*.dist-info")}


def _files_of(package: str, folder: Path) -> bytes:
    """Its list of files, which names the package and its version in each line; these alone where there is no list."""
    try:
        return (folder / "RECORD").read_bytes()
    except FileNotFoundError:
        return package.encode()


def _described(checkout: Path) -> str | None:
    """The commit of a checkout, `+changed` behind it where a file differs; None where git cannot say."""
    git = shutil.which("git")
    if git is None or not (checkout / ".git").exists():
        return None
    command = (
        git,
        "-C",
        str(checkout),
        "describe",
        "--always",
        "--exclude=*",
        f"--abbrev={_SHOWN}",
        "--dirty=+changed",
    )
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_GIT_WITHIN_S, check=False)  # noqa: S603 - fixed words
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() or None
