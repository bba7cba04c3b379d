"""The permissions of the files that a process makes."""

import os
from typing import Final

_OWNER: Final = 0o700
_WRITE_OF_OTHERS: Final = 0o022


def keep_new_files_usable() -> None:
    """Corrects the process's umask: the owner may use each new file, and no other user may write it.

    A umask of 0777 would make a backup or a key that its owner cannot read; one of 0 a proof that all users may change.
    """
    given = os.umask(_WRITE_OF_OTHERS)
    os.umask(given & ~_OWNER | _WRITE_OF_OTHERS)
