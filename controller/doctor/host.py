"""The computer that `sabot doctor` examines. System files are read below one root, so that a test can supply faulty
files.
"""

import os
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

CONFIG: Final = Path("/etc/sabot/table.toml")
USER: Final = "sabot"


@dataclass(frozen=True, slots=True)
class Account:
    """The user that runs the controller, with its groups."""

    uid: int
    groups: frozenset[int]


@dataclass(frozen=True, slots=True)
class Mount:
    """One mounted file system, from the kernel's table of mounts."""

    place: Path
    kind: str
    options: frozenset[str]


@dataclass(frozen=True, slots=True)
class Host:
    """The computer. `root`: the directory below which system files are read. The paths in the configuration are used
    unchanged.
    """

    root: Path = Path("/")
    config: Path = CONFIG
    rehearsed: bool = False  # the caller simulates the table, so the user of this process counts as the unit's user

    def path(self, absolute: str) -> Path:
        return self.root / absolute.lstrip("/")

    def text(self, absolute: str) -> str:
        """Returns the content of a small system file as text. Returns "" if the file cannot be read."""
        with suppress(OSError):
            return self.path(absolute).read_text("utf-8", "replace").strip()
        return ""

    def files(self, pattern: str) -> list[Path]:
        return sorted(self.root.glob(pattern.lstrip("/")))

    def account(self) -> Account | None:
        """Returns the user `sabot` with the groups that it has as the controller. Returns None if there is no such
        user.

        In a rehearsal, returns the user of this process.
        """
        if self.rehearsed:
            return Account(os.geteuid(), frozenset(os.getgroups()))
        users = [line.split(":") for line in self.text("/etc/passwd").splitlines()]
        user = next((fields for fields in users if fields[0] == USER and len(fields) > 3), None)
        if user is None:
            return None
        supplementary = {number for name, number, members in self.groups() if name == "dialout" or USER in members}
        return Account(int(user[2]), frozenset({int(user[3]), *supplementary}))

    def groups(self) -> list[tuple[str, int, list[str]]]:
        """Returns the name, number and members of each group in /etc/group."""
        lines = [line.split(":") for line in self.text("/etc/group").splitlines()]
        return [(f[0], int(f[2]), f[3].split(",") if f[3] else []) for f in lines if len(f) == 4 and f[2].isdigit()]

    def mount_of(self, path: Path) -> Mount | None:
        """Returns the innermost mount that contains `path`, or None. Of several mounts at the same place returns the
        last.
        """
        real = _existing(path).resolve()
        found = [mount for mount in self._mounts() if real.is_relative_to(mount.place)]
        return max(found, key=lambda mount: len(mount.place.parts), default=None)

    def _mounts(self) -> list[Mount]:
        lines = [line.split() for line in reversed(self.text("/proc/self/mounts").splitlines())]
        return [
            Mount(Path(fields[1].replace("\\040", " ")), fields[2], frozenset(fields[3].split(",")))
            for fields in lines
            if len(fields) > 3
        ]


def _existing(path: Path) -> Path:
    """Returns the path itself if it exists, else the nearest existing directory above it."""
    return next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())
