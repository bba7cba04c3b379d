"""Makes a backup. The table may be running, since the journal's files only grow."""

import io
import json
import os
import tarfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, cast

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PublicKey

from controller.backup.content import BEGUN, MANIFEST, files_of
from controller.backup.sealed_stream import BackupRefused, SealingWriter
from controller.backup.signed import Taken, taken_now
from controller.config import Config
from controller.journal.new_file import new_beside
from controller.journal.storage import open_file, sync_directory


def make_backup(config: Config, says: Mapping[str, object], recipient: X25519PublicKey, out: Path) -> int:
    """Writes the backup to `out`, encrypted to `recipient`, and returns the number of the table's files in it. `says`:
    the manifest's fields.

    A failure leaves no file at `out`. Raises BackupRefused, also if `out` already exists; StorageFailed, OSError.
    """
    if out.exists():
        raise BackupRefused("backup-exists", out=str(out))
    taken = taken_now(config.journal, config.table.id)
    files = [(name, path) for name, path in files_of(config) if taken is None or name != BEGUN]
    with new_beside(out, 0o600) as file:
        _write(files, taken, says, SealingWriter(file, recipient))
    sync_directory(out.absolute().parent)
    return len(files)


def _write(
    files: Iterable[tuple[str, Path]], taken: Taken | None, says: Mapping[str, object], stream: SealingWriter
) -> None:
    with tarfile.open(fileobj=cast("BinaryIO", stream), mode="w|", format=tarfile.PAX_FORMAT) as archive:
        _add(archive, MANIFEST, json.dumps(dict(says)).encode())
        if taken is not None:
            _add(archive, BEGUN, taken.mark)
        for name, path in files:
            with open_file(path) as found:
                size = os.fstat(found.fileno()).st_size  # later entries are not in this backup
                member = tarfile.TarInfo(name)
                member.size = size if taken is None else taken.size_of(path.name, size)
                archive.addfile(member, found)
    stream.close()


def _add(archive: tarfile.TarFile, name: str, data: bytes) -> None:
    member = tarfile.TarInfo(name)
    member.size = len(data)
    archive.addfile(member, io.BytesIO(data))
