"""The failures that end a command if a file of a journal cannot be used."""

import os
from pathlib import Path

from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.storage import file_of
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.users import owner_of, user_name


def of_another_user(path: Path, error: StorageFailed) -> CliFailure | None:
    """Returns the failure for a file of the journal `path` that the command's user has no right to use. Returns None if
    `error` has another reason.
    """
    if error.reason is not StorageReason.REFUSED:
        return None
    values = {"path": str(path), "file": str(file_of(path, error)), "owner": owner_of(path)}
    return CliFailure(ExitCode.USAGE, "journal-of-another-user", user=user_name(os.geteuid()), **values)


def unusable(path: Path, error: StorageFailed) -> CliFailure:
    """Returns the failure for a file of the journal `path` that cannot be used."""
    values = {"path": str(path), "file": str(file_of(path, error)), "reason": error.word}
    return of_another_user(path, error) or CliFailure(ExitCode.FAILED, "journal-file", **values)
