"""Restores a table from its backup on a computer that has no table yet.

The files are first unpacked into a separate directory, checked and synced. Then each is copied to its place. The
journal's mark comes first: with a mark and no journal, no controller can start a new table. The journal's directory
comes last.

Entries after the last mark are cut from the journal. If there are any, a copy of the uncut journal is kept beside it
until two people have decided about them.

After a power failure the same command completes the restore. A file that is already in place must be equal to the
backup's.
"""

import fcntl
import os
import shutil
import stat
import tarfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, BinaryIO, Final, cast

import msgspec
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from controller.backup.content import BEGUN, CONFIG, JOURNAL, MANIFEST, NAMES, Places, places_in
from controller.backup.sealed_stream import BackupRefused, OpeningReader
from controller.backup.signed import cut_to_mark
from controller.config.problems import ConfigRefused
from controller.config.profile_file import read_derived
from controller.core.words import Device
from controller.journal.approval import unsigned_path
from controller.journal.epoch import LARGEST_EPOCH, epoch_path, restored_path
from controller.journal.errors import JournalDamaged, SigningKeyRefused
from controller.journal.seals import KEY_SIZE
from controller.journal.signing import keep_known, known_path, read_public_key
from controller.journal.storage import is_of_a_journal, open_file, sync_directory, write_whole
from controller.journal.verify import noted_now
from controller.record.pair_keys import PairKeyRefused, pair_key_path, read_pair_key
from controller.staff import StaffRefused, load_staff

_UNSIGNED: Final = "journal.unsigned"
_PUBLIC: Final = "journal.pub"


class _Manifest(msgspec.Struct, frozen=True):
    """The fields of the backup's manifest that a restore reads."""

    table: str
    epoch: Annotated[int, msgspec.Meta(ge=1, lt=LARGEST_EPOCH)]


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore. `entries`: the number of the journal's last entry. `code`: the last entry's check code,
    to be compared with the inspection's book. `epoch`: the table's new epoch, one more than the backup's.
    """

    table: str
    entries: int
    code: str
    epoch: int
    journal: Path


def restore(backup: Path, key: X25519PrivateKey, config: Path) -> Restored:
    """Copies every file of the backup to its place.

    Raises BackupRefused, StorageFailed, OSError; BlockingIOError while another restore to the same place runs.

    `config`: the path that the configuration gets. The configuration determines the other paths.
    """
    with _alone_in(config.absolute().parent):
        return _restored(backup, key, config)


@contextmanager
def _alone_in(directory: Path) -> Iterator[None]:
    """A context that holds the directory's lock. Another restore would delete the unpacked files of this one."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield
    finally:
        os.close(descriptor)


def _restored(backup: Path, key: X25519PrivateKey, config: Path) -> Restored:
    aside = config.with_name(".sabot-restoring")
    shutil.rmtree(aside, ignore_errors=True)
    aside.mkdir(mode=0o700)
    try:
        says, places = _prepared(backup, key, config, aside)
        entries, code = _checked(aside / JOURNAL)
        epoch = says.epoch + 1
        _place(aside, places, f"restored epoch {epoch} entry {entries} code {code}", epoch)
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return Restored(says.table, entries, code, epoch, places.journal)


def _prepared(backup: Path, key: X25519PrivateKey, config: Path, aside: Path) -> tuple[_Manifest, Places]:
    """Unpacks the backup into `aside` and checks it. Returns its manifest and the places of its files, all still
    unchanged.

    Raises BackupRefused, StorageFailed, OSError.
    """
    try:
        with open_file(backup) as file:
            _unpack(OpeningReader(file, key), aside)
        says = msgspec.json.decode((aside / MANIFEST).read_bytes(), type=_Manifest)
        places = places_in((aside / CONFIG).read_text("utf-8"), config)
        _refuse_what_is_there(aside, places)
        _refuse_what_is_none(aside)
        _checked(aside / JOURNAL)
        _keep_unsigned(aside, says.table)
    except (ValueError, RecursionError, FileNotFoundError) as error:
        raise BackupRefused("backup-unknown") from error
    return says, places


def _unpack(stream: OpeningReader, aside: Path) -> None:
    """Unpacks the backup into `aside` and syncs each file.

    Raises BackupRefused if a member is not a regular file of a known name, or if the stream cannot be decrypted.
    """
    (aside / JOURNAL).mkdir(mode=0o700)
    try:
        with tarfile.open(fileobj=cast("BinaryIO", stream), mode="r|") as archive:
            for member in archive:
                if not member.isfile() or member.issparse() or not _is_known(member.name):
                    raise BackupRefused("backup-unknown")
                found = archive.extractfile(member)
                if found is not None:
                    _write(aside / member.name, cast("BinaryIO", found))
        stream.read(1)  # raises unless the last chunk is marked as the last
    except (tarfile.TarError, FileExistsError) as error:
        raise BackupRefused("backup-unknown") from error


def _is_known(name: str) -> bool:
    return name in NAMES or (name.startswith(JOURNAL) and is_of_a_journal(name.removeprefix(JOURNAL)))


def _write(path: Path, found: BinaryIO) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        shutil.copyfileobj(found, file)
        file.flush()
        os.fsync(file.fileno())


def _refuse_what_is_there(aside: Path, places: Places) -> None:
    """Raises BackupRefused if the restore would overwrite a different file: the computer may have another table."""
    if places.journal.exists():
        raise BackupRefused("restore-exists", path=str(places.journal))
    unsigned = unsigned_path(places.journal)
    if unsigned.exists() and _contents(unsigned) != _contents(aside / JOURNAL):
        raise BackupRefused("restore-exists", path=str(unsigned))
    for name, path in places.files.items():
        if (aside / name).exists() and _is_another(path, aside / name):
            raise BackupRefused("restore-exists", path=str(path))
    known = known_path(places.files[CONFIG])
    if (aside / _PUBLIC).exists() and _is_another(known, aside / _PUBLIC):
        raise BackupRefused("restore-exists", path=str(known))


def _is_another(path: Path, unpacked: Path) -> bool:
    """True if a different file is at `path`, or anything but a file: a backup may name a pipe, which has no end."""
    if not path.exists():
        return False
    is_alike = path.is_file() and path.stat().st_size == unpacked.stat().st_size
    return not is_alike or path.read_bytes() != unpacked.read_bytes()


def _contents(directory: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in directory.iterdir() if path.is_file()}


def _refuse_what_is_none(aside: Path) -> None:
    """Raises BackupRefused if an unpacked file does not have the format that its name implies.

    Anyone with the public key can make a backup, so no file in it is trusted.
    """
    read: tuple[tuple[str, Callable[[Path], object]], ...] = (
        ("staff", load_staff),
        ("profile", read_derived),
        ("seal.key", _key),
        ("journal.key", _key),
        (_PUBLIC, read_public_key),
        *((path.name, read_pair_key) for path in (pair_key_path(aside, device) for device in Device)),
    )
    try:
        for name, reader in read:
            if (aside / name).exists():
                reader(aside / name)
    except (StaffRefused, ConfigRefused, SigningKeyRefused, PairKeyRefused) as error:
        raise BackupRefused("backup-unknown") from error


def _key(path: Path) -> None:
    if path.stat().st_size != KEY_SIZE:
        raise BackupRefused("backup-unknown")


def _checked(journal: Path) -> tuple[int, str]:
    """Returns the number of the journal's last whole entry and the entry's check code. Raises BackupRefused if the
    journal is damaged, not for an incomplete last record.
    """
    try:
        code = noted_now(journal)
    except JournalDamaged as error:
        raise BackupRefused("restore-damaged", entry=str(error.damage.first_bad_seq)) from error
    return int(code.split("-")[1]), code


def _keep_unsigned(aside: Path, table: str) -> None:
    """Cuts the entries that no mark covers from the unpacked journal. If any are cut, keeps a copy of the uncut journal
    beside it.
    """
    shutil.copytree(aside / JOURNAL, aside / _UNSIGNED)
    if not cut_to_mark(aside / JOURNAL, aside / "journal.key", aside / BEGUN, table):
        shutil.rmtree(aside / _UNSIGNED)


def _place(aside: Path, places: Places, finding: str, epoch: int) -> None:
    """Copies the unpacked files to their places. Makes a missing directory for the keys, as a start does. If another
    directory is missing, raises OSError before any copy.
    """
    owner = places.journal.parent.stat()
    _make_directory(places.state, owner)
    for path in places.files.values():
        path.parent.stat()
    if (aside / _PUBLIC).exists():
        keep_known(places.files[CONFIG], (aside / _PUBLIC).read_bytes())
    names = sorted((name for name in places.files if (aside / name).exists()), key=lambda name: name != BEGUN)
    for name in names:
        target = places.files[name]
        _give(aside / name, owner)
        if name == CONFIG:
            _give_config(aside / name, owner)
        if not target.exists():
            _copy(aside / name, new := target.with_name(f".{target.name}.new"))
            _give(new, owner) if name != CONFIG else _give_config(new, owner)
            _sync(new)
            new.replace(target)
            sync_directory(target.parent)
    for path, text in ((epoch_path(places.journal), f"{epoch}\n"), (restored_path(places.journal), finding + "\n")):
        write_whole(path, text.encode())
        _give(path, owner)
    if (aside / _UNSIGNED).exists() and not unsigned_path(places.journal).exists():
        _place_directory(aside / _UNSIGNED, unsigned_path(places.journal), owner)
    _place_directory(aside / JOURNAL, places.journal, owner)


def _make_directory(path: Path, owner: os.stat_result) -> None:
    if not path.is_dir():
        path.mkdir(mode=0o700, parents=True)
        _give(path, owner)
        sync_directory(path.parent)


def _copy(source: Path, target: Path) -> None:
    """Copies a file. From its first byte on only the owner can read the copy, since it may be a key."""
    target.unlink(missing_ok=True)
    with source.open("rb") as found:
        _write(target, found)


def _place_directory(source: Path, target: Path, owner: os.stat_result) -> None:
    """Copies the directory `source` to `target`, whole or not at all. The copy is synced on return."""
    made = target.with_name(target.name + ".restoring")
    shutil.rmtree(made, ignore_errors=True)
    made.mkdir(mode=0o700)  # closed while the copies inside are made
    shutil.copytree(source, made, dirs_exist_ok=True)
    for path in (made, *made.iterdir()):
        _give(path, owner)
        _sync(path)
    made.chmod(0o700)
    made.rename(target)
    sync_directory(target.parent)


def _give(path: Path, owner: os.stat_result) -> None:
    if os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid, follow_symlinks=False)


def _give_config(path: Path, owner: os.stat_result) -> None:
    """Makes root the owner of a configuration and lets the controller's group read it."""
    path.chmod(stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP)
    if os.geteuid() == 0:
        os.chown(path, 0, owner.st_gid, follow_symlinks=False)


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
