"""Keeps the controller of a closed table from starting while a technician tries the table's devices."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from enum import StrEnum, unique
from pathlib import Path

from controller.config import Config
from controller.core.words import SessionPhase
from controller.journal.errors import JournalLocked
from controller.journal.storage import DirectoryStorage, reported
from controller.runtime.boot import inspect_journal


@unique
class Use(StrEnum):
    """The reason why no device of the table may be tried now."""

    RUNS = "table-runs"  # a controller uses the ports
    OPEN = "table-open"  # a session is open


class TableInUse(Exception):  # noqa: N818 (it is the table, not a fault)
    def __init__(self, use: Use) -> None:
        super().__init__(use.value)
        self.use = use


@contextmanager
def locked(journal: Path) -> Iterator[DirectoryStorage]:
    """A context that holds the journal's lock. Raises TableInUse if a controller runs; raises StorageFailed."""
    try:
        storage = DirectoryStorage(journal)
    except JournalLocked as error:
        raise TableInUse(Use.RUNS) from error
    with closing(storage):
        yield storage


@contextmanager
def closed_table(config: Config) -> Iterator[None]:
    """A context that holds the journal's lock; no controller of this table can start meanwhile. Without a journal the
    context does nothing. Raises TableInUse if a controller runs or a session is open. Raises StorageFailed.
    """
    with reported("look", str(config.journal)):
        has_journal = config.journal.is_dir()
    if not has_journal:
        yield
        return
    with locked(config.journal) as storage:
        state = inspect_journal(storage).folded.state
        if state is not None and state.house.session is not SessionPhase.CLOSED:
            raise TableInUse(Use.OPEN)
        yield
