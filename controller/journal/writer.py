"""The journal's thread: takes batches from the event loop, appends and syncs them, and calls the loop back. The event
loop never waits for the disk.
"""

import threading
from collections.abc import Callable
from functools import partial
from queue import SimpleQueue

from controller.journal.errors import JournalError, StorageFailed, StorageReason
from controller.journal.recovery import Tip
from controller.journal.storage import Storage
from controller.journal.writer_logic import Batch, MakeCheckpoint, Step, WriterLogic, perform

CallInLoop = Callable[[Callable[[], None]], object]
"""Runs a call in the loop's thread; ignores it once the loop has ended."""


class JournalWriter:
    """The journal's thread, from the constructor to `close`. Only this thread uses the storage's writing operations.
    `tip`: the durable end. `is_settled`: no bytes can lie after `tip`; if this is False, the first batch cuts such
    bytes.

    Every batch ends with one call in the loop: `on_durable(seq)` when all entries up to `seq` are on the medium, or
    `on_failure(error)`. After a failure the caller must submit the same entries again. The thread then first verifies
    the storage and cuts it back to the durable part.
    """

    def __init__(
        self,
        storage: Storage,
        tip: Tip,
        *,
        call_in_loop: CallInLoop,
        on_durable: Callable[[int], None],
        on_failure: Callable[[JournalError], None],
        checkpoint: MakeCheckpoint | None = None,
        is_settled: bool = True,
    ) -> None:
        self._storage = storage
        self._logic = WriterLogic(tip, checkpoint=checkpoint, is_settled=is_settled)  # used in the loop's thread only
        self._call_in_loop = call_in_loop
        self._on_durable = on_durable
        self._on_failure = on_failure
        self._work: SimpleQueue[tuple[Step, ...] | None] = SimpleQueue()
        # A daemon thread: a controller that fails before `close` must end, not hang. The disk sees a crash in both
        # cases.
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)
        self._thread.start()

    @property
    def durable(self) -> Tip:
        """The end of the durable journal: the chain value there and the number of the next entry."""
        return self._logic.durable

    def submit(self, batch: Batch) -> None:
        """Hands a batch to the thread without waiting for the disk.

        Raises ValueError if another batch is unfinished, or if `batch` does not follow the durable entries.
        """
        self._work.put(self._logic.begin(batch))

    def close(self) -> None:
        """Waits until the thread has finished its batches and has ended. The loop must still run the thread's calls."""
        self._work.put(None)
        self._thread.join()

    def _run(self) -> None:
        ended = False
        try:
            while (steps := self._work.get()) is not None:
                self._perform(steps)
            ended = True
        finally:
            if not ended:  # an unexpected error: the thread's hook logs it, and the loop gets a message
                failure = StorageFailed("write", "-", StorageReason.OTHER, "the journal's thread ended")
                self._call_in_loop(partial(self._failed, failure))

    def _perform(self, steps: tuple[Step, ...]) -> None:
        try:
            for step in steps:
                perform(self._storage, step)
        except JournalError as failure:
            self._call_in_loop(partial(self._failed, failure))
        else:
            self._call_in_loop(self._succeeded)

    def _succeeded(self) -> None:
        self._on_durable(self._logic.succeeded())

    def _failed(self, failure: JournalError) -> None:
        self._logic.failed()
        self._on_failure(failure)
