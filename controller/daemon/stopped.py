"""The note of a refused start: a file with the reason, which the panel shows to people. The system's log has the same
reason.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import msgspec

from controller.config import ConfigRefused, read_config
from controller.journal.errors import StorageFailed, StorageReason
from controller.journal.storage import reason_of
from controller.machine.exits import CliFailure
from controller.machine.socket_path import SocketDirectoryRefused, prepare_directory, server_socket
from controller.protocol.stopped import Cause, Stopped, note_path
from controller.staff import StaffRefused

NOTE_MODE: Final = 0o640
"""The mode of the note's file: the panel's group may read the note."""

_OF_THE_MEDIUM: Final = {
    StorageReason.GONE: Cause.MEDIUM_AWAY,
    StorageReason.FULL: Cause.MEDIUM_FULL,
    StorageReason.READ_ONLY: Cause.MEDIUM_READ_ONLY,
    StorageReason.IO_ERROR: Cause.MEDIUM_FAILING,
}
_NOT_MOUNTED: Final = ("journal-gone", "journal-elsewhere")
"""The errors if the journal has begun earlier but is not in its place, probably since its medium is not mounted."""

_OTHERS_TABLE: Final = "socket-live"


@contextmanager
def noted(config: Path, environment: Mapping[str, str]) -> Iterator[None]:
    """A context for a start of the controller. If the start is refused, writes the reason to a file for the panel (the
    note). If the start succeeds, deletes the note.

    A refusal is CliFailure, ConfigRefused or StaffRefused, which is raised again. Leaves the note alone if another
    controller serves the table.
    """
    try:
        yield
    except (CliFailure, ConfigRefused, StaffRefused) as refused:
        if not (isinstance(refused, CliFailure) and refused.error == _OTHERS_TABLE):  # another controller's note
            with suppress(OSError, SocketDirectoryRefused):  # systemd's log still gets the refusal
                _write(_note(config, environment), stopped_by(refused))
        raise
    with suppress(OSError):
        _note(config, environment).unlink(missing_ok=True)


def stopped_by(refused: CliFailure | ConfigRefused | StaffRefused) -> Stopped:
    if isinstance(refused, ConfigRefused):
        return Stopped(Cause.CONFIGURATION)
    if isinstance(refused, StaffRefused):
        return Stopped(Cause.STAFF, refused.key, refused.values)
    return Stopped(_cause(refused), f"cli.error.{refused.error}", tuple(refused.values.items()))


def _cause(failure: CliFailure) -> Cause:
    if failure.error in _NOT_MOUNTED:
        return Cause.MEDIUM_AWAY
    match failure.__cause__:
        case StorageFailed(reason=reason):
            return _OF_THE_MEDIUM.get(reason, Cause.OTHER)
        case OSError() as error:
            return _OF_THE_MEDIUM.get(reason_of(error), Cause.OTHER)
        case _:
            return Cause.OTHER


def _note(config: Path, environment: Mapping[str, str]) -> Path:
    """Returns the path of the note with the reason of a refused start.

    The note is beside the configured socket, or beside the usual socket if the configuration is refused.
    """
    with suppress(ConfigRefused):
        return note_path(read_config(config, ports_may_be_missing=True).socket or server_socket(environment))
    return note_path(server_socket(environment))


def _write(path: Path, note: Stopped) -> None:
    """Writes a note, whole or not at all, and does not sync it. After a loss of power the next start writes its own."""
    prepare_directory(path)
    new = path.with_name(path.name + ".new")
    new.write_bytes(msgspec.json.encode(note))
    new.chmod(NOTE_MODE)
    new.replace(path)
