"""The keys that a table shares with its devices, a file of 32 bytes for each: in no journal, configuration or log.

They lie in the controller's directory beside the key of the seals, readable by its user alone.
"""

import os
import secrets
import stat
from contextlib import suppress
from enum import StrEnum, unique
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.core.words import Device
from controller.journal.storage import sync_directory, write_whole
from drivers.errors import system_word
from drivers.expected import Pair
from firmware_protocols.tdp.proof import KEY_BYTES

ENDING: Final = ".pair.key"
_NAMING: Final = b"sabot pair key 1"


@unique
class PairTrouble(StrEnum):
    """Why there is no key of a pair."""

    MISSING = "missing"
    OPEN = "open"  # others can read it, and have perhaps done so
    NO_KEY = "no-key"
    UNREADABLE = "unreadable"


class PairKeyRefused(Exception):  # noqa: N818 (the name says what became of it)
    """`detail`: what the system says."""

    def __init__(self, path: Path, trouble: PairTrouble, detail: str = "") -> None:
        super().__init__(f"{path}: {trouble}")
        self.path, self.trouble, self.detail = path, trouble, detail


def pair_key_path(state: Path, device: Device) -> Path:
    """Where the key of a device lies."""
    return state / f"{device.value}{ENDING}"


def pair_key_paths(config: Config) -> list[Path]:
    """Those that there are, of whichever devices."""
    return sorted((config.state or config.journal.parent).glob(f"*{ENDING}"))


def path_at(config: Config, device: Device) -> Path:
    """Where the key of a device of this table lies."""
    return pair_key_path(config.state or config.journal.parent, device)


def read_pair_key(path: Path) -> bytes:
    """Raises PairKeyRefused."""
    try:
        with open(path, "rb", opener=_no_link) as file:
            mode, key = os.fstat(file.fileno()).st_mode, file.read(KEY_BYTES + 1)
    except FileNotFoundError as error:
        raise PairKeyRefused(path, PairTrouble.MISSING) from error
    except OSError as error:
        raise PairKeyRefused(path, PairTrouble.UNREADABLE, system_word(error)) from error
    if stat.S_IMODE(mode) & 0o077:
        raise PairKeyRefused(path, PairTrouble.OPEN)
    if len(key) != KEY_BYTES or not any(key):
        raise PairKeyRefused(path, PairTrouble.NO_KEY)
    return key


def _no_link(path: str, flags: int) -> int:
    """Nor a pipe, which would block whoever opens it."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def write_pair_key(path: Path, key: bytes) -> None:
    """Whole or not at all, mode 0600; what root writes belongs to the directory's owner. Raises OSError."""
    write_whole(path, key)
    if os.geteuid() == 0:
        owner = path.parent.stat()
        os.chown(path, owner.st_uid, owner.st_gid)


def forget_pair_key(path: Path) -> None:
    """Writes it over and removes it. Raises OSError."""
    with suppress(FileNotFoundError):
        with path.open("r+b") as file:
            file.write(secrets.token_bytes(path.stat().st_size))
            file.flush()
            os.fsync(file.fileno())
        path.unlink()
        sync_directory(path.parent)


def pair_of(config: Config, device: Device) -> Pair:
    """A device that is configured as paired, and whose key is not there, can prove nothing: it is refused."""
    try:
        key = read_pair_key(path_at(config, device))
    except PairKeyRefused:
        key = secrets.token_bytes(KEY_BYTES)
    return Pair(key, secrets.token_bytes)


def name_of(key: bytes) -> str:
    """Tells this key from every other one, and nothing of it."""
    return sha256(_NAMING + key).hexdigest()[:16]
