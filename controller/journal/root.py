"""The release of the card's root file system. Each start on a card records its own release and the newest one so far.

A release is `<commit>-<packages>`: the commit's time in UTC (14 digits) and the packages' date in seconds. Each start
records the newest release again, so it is enough to read the last start. The first start after an update records the
people who permitted the update.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from msgspec import Struct

from controller.journal.epoch import note_at, remove_note
from controller.journal.storage import reported, write_whole

RELEASE: Final = "SABOT_RELEASE"
"""The environment variable in which the unit on the card names the release of its root."""

_RELEASE: Final = re.compile(r"([0-9]{14})-([0-9]{9,11})")
_SAID: Final = re.compile(r"root (?:none|[0-9-]+) newest ([0-9-]+)")


class Release(Struct, frozen=True, order=True, gc=False):
    """The release of a root file system: the time of its program's commit, and the date of its packages.

    The greater release is the newer one. The commit's time is compared first.
    """

    commit: int
    packages: int

    def __str__(self) -> str:
        return f"{self.commit:014d}-{self.packages}"


def read_release(text: str) -> Release | None:
    """Returns the release that `text` names. Returns None for a text in another form."""
    match = _RELEASE.fullmatch(text)
    return Release(int(match[1]), int(match[2])) if match else None


def newest_said(findings: Iterable[str]) -> Release | None:
    """Returns the newest release that the findings of a start name. Returns None if the findings name none."""
    return next((read_release(match[1]) for one in findings if (match := _SAID.fullmatch(one))), None)


def root_finding(own: Release | None, before: Release | None) -> tuple[str, ...]:
    """Returns the finding that names `own`, the release of the present root file system, and the newest release so far.

    The newest release is the newer of `own` and `before`, which the last start named. Returns () if both are None.
    """
    known = [one for one in (own, before) if one is not None]
    return (f"root {own or 'none'} newest {max(known)}",) if known else ()


def updated_path(journal: Path) -> Path:
    """Returns the path of the file with the people who permitted an update. The next start records them and removes the
    file.
    """
    return journal.with_name(journal.name + ".updated")


def keep_updated(journal: Path, release: str, technician: int, chief: int) -> None:
    """Writes the file with `technician` and `chief`, who permitted `release`. The next start records these two people.
    Raises StorageFailed.
    """
    text = f"updated {release} technician {technician} chief-supervisor {chief}\n"
    with reported("write", str(updated_path(journal))):
        write_whole(updated_path(journal), text.encode())


def updated_finding(journal: Path) -> tuple[str, ...]:
    """Returns the finding of the first start after an update. Returns () for any other start. Raises StorageFailed."""
    said = note_at(updated_path(journal))
    return () if said is None else (said,)


def clear_updated(journal: Path) -> None:
    """Removes the file with the people who permitted an update. Raises StorageFailed."""
    remove_note(updated_path(journal))
