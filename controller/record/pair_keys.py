"""The keys that a table shares with its devices: each is in a file of 32 bytes, and in no journal, configuration or
log.

The files lie beside the key of the seals. Only the controller's user can read them.
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
    """The reason why a key that a table shares with a device cannot be used."""

    MISSING = "missing"
    OPEN = "open"  # other users can read the file
    NO_KEY = "no-key"
    UNREADABLE = "unreadable"


class PairKeyRefused(Exception):  # noqa: N818 (the name says what became of it)
    """A key that a table shares with a device cannot be used. `detail`: the operating system's name of the error."""

    def __init__(self, path: Path, trouble: PairTrouble, detail: str = "") -> None:
        super().__init__(f"{path}: {trouble}")
        self.path, self.trouble, self.detail = path, trouble, detail


def pair_key_path(state: Path, device: Device) -> Path:
    """Returns the path of the key that the table shares with `device`. `state`: the directory with the keys."""
    return state / f"{device.value}{ENDING}"


def pair_key_paths(config: Config) -> list[Path]:
    """Returns the paths of all keys that this table shares with devices."""
    return sorted((config.state or config.journal.parent).glob(f"*{ENDING}"))


def path_at(config: Config, device: Device) -> Path:
    """Returns the path of the key that this table shares with a device."""
    return pair_key_path(config.state or config.journal.parent, device)


def read_pair_key(path: Path) -> bytes:
    """Returns the key in the file `path`. Raises PairKeyRefused."""
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
    """Opens a file and returns its descriptor. Follows no link, and does not wait for a pipe."""
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def write_pair_key(path: Path, key: bytes) -> None:
    """Writes the key's file with mode 0600, completely or not at all. If the process is root, gives the file to the
    directory's owner. Raises OSError.
    """
    write_whole(path, key)


def forget_pair_key(path: Path) -> None:
    """Overwrites a key's file and removes it; does nothing if the file is missing. Raises OSError."""
    with suppress(FileNotFoundError):
        write_over(path)
        path.unlink()
        sync_directory(path.parent)


def write_over(path: Path) -> None:
    """Replaces the bytes of a secret file by random ones, durable on return. Raises OSError."""
    with path.open("r+b") as file:
        file.write(secrets.token_bytes(path.stat().st_size))
        file.flush()
        os.fsync(file.fileno())


def pair_of(config: Config, device: Device) -> Pair:
    """Returns the key that this table shares with a device. If the key cannot be used, returns a random key: the table
    then refuses the device.
    """
    try:
        key = read_pair_key(path_at(config, device))
    except PairKeyRefused:
        key = secrets.token_bytes(KEY_BYTES)
    return Pair(key, secrets.token_bytes)


def name_of(key: bytes) -> str:
    """Returns a name that identifies this key without revealing it."""
    return sha256(_NAMING + key).hexdigest()[:16]
