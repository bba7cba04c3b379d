"""The identity of this program: its version and its commit.

Git writes the commit into this file when it makes a source archive (`.gitattributes`), from which the Debian package is
built. In a checkout this module asks git, which also reports if a file differs from the commit.
"""

import io
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from msgspec import Struct

ARCHIVED: Final = "$Format:%H$"
"""The commit in a source archive. In a checkout this is still the placeholder that `git archive` replaces."""

HOME: Final = Path(__file__).parents[2]
PACKAGES: Final = ("controller", "drivers", "firmware_protocols")
UNKNOWN: Final = "unknown"
_SHOWN: Final = 12  # digits of a commit: enough to name one, short enough to be read out
_GIT_WITHIN_S: Final = 2.0


class Software(Struct, frozen=True, gc=False):
    """The program's version and commit. `commit`: 12 hex digits, or `unknown`. `changed`: True if a tracked file
    differs from the commit.
    """

    version: str
    commit: str
    changed: bool = False

    def __str__(self) -> str:
        return f"sabot {self.version} ({self.commit}{'+' if self.changed else ''})"


def software() -> Software:
    """Returns the identity of this program for status, journal and `sabot --version`."""
    version = next((name.removeprefix("sabot-") for name in _installed() if name.startswith("sabot-")), UNKNOWN)
    if not ARCHIVED.startswith("$"):
        return Software(version, ARCHIVED[:_SHOWN])
    commit, _, changed = (_described(Path(__file__).parents[2]) or UNKNOWN).partition("+")
    return Software(version, commit, changed == "changed")


@cache
def running() -> str:
    """Returns the identity of the running program as the journal records it, computed once, at the first call. Raises
    OSError.
    """
    return f"{software()} program {program_digest()[:16]}"


def program_digest(home: Path = HOME) -> str:
    """Returns the SHA-256 (hex) of the program: the files of its own packages, and the file list of each installed
    package. Raises OSError.

    Skips compiled files, which Python makes anew.
    """
    digest = sha256()
    for name in sorted(name for package in PACKAGES for name in _names_under(f"{home}/{package}")):
        digest.update(f"{name.removeprefix(f'{home}/')}\0{sha256(_bytes_of(name)).hexdigest()}\n".encode())
    for files in sorted(_files_of(*one) for one in _installed().items()):
        digest.update(f"{sha256(files).hexdigest()}\n".encode())
    return digest.hexdigest()


def _names_under(folder: str) -> Iterator[str]:
    """Yields the path of each file below a folder as text, without compiled files.

    Each start needs the paths, and `Path` objects would take three times as long.
    """
    for place, _folders, names in os.walk(folder, followlinks=True):
        yield from (f"{place}/{name}" for name in names if not name.endswith(".pyc"))


def _bytes_of(name: str) -> bytes:
    with io.FileIO(name) as file:
        return file.readall()


def _installed() -> dict[str, Path]:
    """Returns the metadata folder of each installed package, by `NAME-VERSION`. Does without `importlib.metadata`,
    which imports parsers of mail and archives: 2 MB in each controller.
    """
    return {folder.stem: folder for place in sys.path for folder in Path(place).glob("*.dist-info")}


def _files_of(package: str, folder: Path) -> bytes:
    """Returns a package's RECORD, its list of files with digests. Without a RECORD returns the package's name and
    version.
    """
    try:
        return (folder / "RECORD").read_bytes()
    except FileNotFoundError:
        return package.encode()


def _described(checkout: Path) -> str | None:
    """Returns the commit of a checkout, with `+changed` if a tracked file differs. Returns None if git fails."""
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
