"""Lists the files of a backup: the name of each in the backup, and its path on a computer.

    manifest.json, config, profile, staff, seal.key, DEVICE.pair.key, journal.key, journal.pub,
    journal.begun, journal.cosigned, journal/NAME

A backup of a running table reads the journal's records before the files of seals and words. The table syncs these files
before the records, so the backup has the seal or the words for each record that refers to them. The backup makes its
own mark for the last of these records (signed.py).
"""

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from controller.backup.sealed_stream import BackupRefused
from controller.config import Config
from controller.core.words import Device
from controller.journal.cosigned import cosigned_path
from controller.journal.epoch import epoch_of
from controller.journal.mark import begun_path
from controller.journal.signing import key_path, public_path
from controller.journal.storage import is_of_a_journal
from controller.record.pair_keys import ENDING, pair_key_path

MANIFEST: Final = "manifest.json"
CONFIG: Final = "config"
JOURNAL: Final = "journal/"
BEGUN: Final = "journal.begun"
_COSIGNED: Final = "journal.cosigned"
NAMES: Final = frozenset(
    {MANIFEST, CONFIG, "profile", "staff", "seal.key", "journal.key", "journal.pub", BEGUN, _COSIGNED}
) | {f"{device.value}{ENDING}" for device in Device}
"""The names of a backup's files other than the journal's."""

_FIRST_SYNCED: Final = frozenset((".seals", ".words"))


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of a table's files, by their names in a backup. Also the directories of the journal and of the keys
    that are not beside it (`state`).
    """

    files: Mapping[str, Path]
    journal: Path
    state: Path


def places_in(text: str, config: Path) -> Places:
    """Returns the paths of a table's files. `text`: the content of the configuration at the path `config`. Raises
    BackupRefused if `text` lacks them.
    """
    with suppress(tomllib.TOMLDecodeError, KeyError, TypeError, AttributeError):
        document = tomllib.loads(text)
        journal, staff = (config.parent / str(document[name]["path"]) for name in ("journal", "staff"))
        state = document.get("controller", {}).get("state")
        profile = document["table"].get("profile_file")
        return _places(
            config,
            journal,
            staff,
            journal.parent if state is None else config.parent / str(state),
            None if profile is None else config.parent / str(profile),
        )
    raise BackupRefused("backup-unknown")


def _places(config: Path, journal: Path, staff: Path, state: Path, profile: Path | None) -> Places:
    files = {
        CONFIG: config,
        "staff": staff,
        "seal.key": state / "seal.key",
        "journal.key": key_path(journal),
        "journal.pub": public_path(journal),
        BEGUN: begun_path(journal),
        _COSIGNED: cosigned_path(journal),
    } | {path.name: path for path in (pair_key_path(state, device) for device in Device)}
    return Places(files if profile is None else files | {"profile": profile}, journal, state)


def files_of(config: Config) -> Iterator[tuple[str, Path]]:
    """Yields the name in the backup and the path of each file that exists, in the order of writing.

    Raises BackupRefused, OSError.
    """
    places = places_in(config.file.read_text("utf-8"), config.file)
    yield from ((name, path) for name, path in places.files.items() if _is_there(path))
    found = sorted(config.journal.iterdir())
    for is_beside in (False, True):
        for path in found:
            if (path.suffix in _FIRST_SYNCED) is is_beside and is_of_a_journal(path.name):
                yield f"{JOURNAL}{path.name}", path


def _is_there(path: Path) -> bool:
    """True if the path exists. A broken link counts as existing: the backup must fail rather than omit the file."""
    try:
        path.lstat()
    except FileNotFoundError:
        return False
    return True


def manifest(config: Config, software: str, wall_ms: int) -> dict[str, object]:
    """Returns the content of the backup's `manifest.json`: format, table, profile, software version, time and epoch."""
    return {
        "format": 1,
        "table": config.table.id,
        "profile": config.table.profile,
        "software": software,
        "made_wall_ms": wall_ms,
        "epoch": epoch_of(config.journal),
    }
