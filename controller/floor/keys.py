"""The public keys of the tables that the floor accepts: a directory with one file `<table>.pub` for each.

Each file is a copy of the public key that the table writes beside its journal. People who may write to the directory
decide which tables are accepted. The floor refuses a table whose file is removed.
"""

import re
from pathlib import Path
from typing import Final

from controller.journal.errors import SigningKeyRefused
from controller.journal.signing import read_public_key

_TABLE: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._-]{0,31}")


class KnownKeys:
    """Reads the tables' public keys from their files. A file that has changed is read again."""

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        self._read: dict[str, tuple[tuple[int, int], str]] = {}

    def of(self, table: str) -> str | None:
        """Returns the public key of a table. Returns None if its file is missing or unreadable, or if `table` cannot be
        a table's name.
        """
        if not _TABLE.fullmatch(table):
            return None
        path = self._directory / f"{table}.pub"
        try:
            found = path.stat()
            identity = (found.st_mtime_ns, found.st_ino)
            if self._read.get(table, (None, ""))[0] != identity:
                self._read[table] = identity, read_public_key(path)
        except (OSError, SigningKeyRefused):
            self._read.pop(table, None)
            return None
        return self._read[table][1]
