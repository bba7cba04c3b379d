"""The journal beside the loop: the journal's writer, its second copy, its marks, and the check of its directory."""

import asyncio
import errno
from collections.abc import Callable
from functools import partial
from typing import Final

from controller.daemon.background import BackgroundJobs, call_in_loop
from controller.daemon.logs import Log
from controller.daemon.marks import Marking
from controller.daemon.prepare import Prepared
from controller.journal.approval import clear_approval
from controller.journal.epoch import clear_restored
from controller.journal.errors import JournalError, StorageFailed, StorageReason
from controller.journal.forgotten import clear_forgotten
from controller.journal.mark import Mark, begun_path
from controller.journal.recovery import Tip
from controller.journal.root import clear_updated
from controller.journal.second_copy import Goal, SecondCopy
from controller.journal.storage import reported, write_whole
from controller.journal.writer import JournalWriter
from controller.journal.writer_logic import Batch
from controller.runtime.checkpoint import encode_checkpoint
from controller.runtime.health import Journaling
from controller.runtime.kernel import Runtime

STOP_WITHIN_S: Final = 1.2
"""The most seconds for which an orderly stop waits for its last entry. A stop takes at most two seconds; devices and
clients get the other 0.8 s.
"""


class Recording:
    """Hands batches to the journal's writer, and gives the runtime the result of each batch. After each result calls
    `turn`, which runs the controller's next step.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        prepared: Prepared,
        runtime: Runtime,
        log: Log,
        turn: Callable[[], None],
        background: BackgroundJobs,
    ) -> None:
        self._loop = loop
        self._runtime = runtime
        self._log = log
        self._turn = turn
        self._background = background
        self._journal = prepared.config.journal
        self._storage = prepared.storage
        self._writer = self._make_writer(prepared)
        self.copy = self._make_copy(prepared)
        self.marking = Marking(prepared.config.table.id, prepared.signer, prepared.epoch)
        self._batch_out_since_s: float | None = None
        self._has_begun = False  # True once the run's first entry is durable
        self._progress = asyncio.Event()  # set whenever a batch comes back from the journal

    def start(self) -> None:
        """Starts the second copy's thread. The journal's writer needs no start."""
        if self.copy is not None:
            self.copy.start()

    def submit(self, batch: Batch, now_s: float) -> None:
        """Hands a batch to the writer. Does nothing without a writer, which a journal that was damaged at the start
        does not have.
        """
        if self._writer is not None:
            self._writer.submit(batch)
            self._batch_out_since_s = now_s

    def batch_out_s(self) -> float:
        """Returns the seconds for which the journal's writer has been busy with its batch. Returns 0.0 without a
        batch.
        """
        return 0.0 if self._batch_out_since_s is None else self._loop.time() - self._batch_out_since_s

    def durable_tip(self) -> Tip | None:
        """Returns the end of the durable journal. Returns None if no writer runs."""
        return None if self._writer is None else self._writer.durable

    async def all_written(self) -> bool:
        """Waits up to STOP_WITHIN_S until every entry is durable or writing has failed.

        Returns False if a batch is still being written.
        """
        deadline_s = self._loop.time() + STOP_WITHIN_S
        while self._runtime.ledger.waiting and self._runtime.health.condition is Journaling.WRITING:
            self._progress.clear()
            try:
                await asyncio.wait_for(self._progress.wait(), deadline_s - self._loop.time())
            except TimeoutError:
                return False
        return not self._runtime.ledger.is_out

    async def close(self) -> None:
        """Closes the writer, then writes the last mark if an entry of this run is durable.

        No batch may be under way.
        """
        if self._writer is not None:
            await asyncio.to_thread(self._writer.close)
            await asyncio.to_thread(self._last_mark, self._mark_at(self._writer.durable))

    async def close_copy(self) -> None:
        """Ends the second copy's thread, which writes its own last mark."""
        if self.copy is not None:
            await asyncio.to_thread(self.copy.close)

    def write_mark(self) -> None:
        """Begins to write the journal's mark if a new one is due and an entry of this run is durable. The second copy's
        thread writes the mark of that copy.
        """
        if self._writer is None or not self._has_begun:
            return
        tip, state = self._writer.durable, self._runtime.ledger.durable
        if (mark := self.marking.due(tip, state, self._runtime.tree, self._loop.time())) is not None:
            data = self.marking.signed(mark)
            self._background.run(lambda: self._put_mark(data), self._mark_tried, self.marking.failed)

    def look_at_place(self) -> StorageFailed | None:
        """Returns the fault if the journal's directory is no longer in its place or cannot be examined. Returns None
        for a directory in its place.
        """
        try:
            if self._storage.is_in_place():
                return None
        except StorageFailed as failed:
            return failed
        return StorageFailed("look", str(self._storage.path), StorageReason.GONE, errno.errorcode[errno.ENOENT])

    def place_seen(self, trouble: StorageFailed | None) -> None:
        """Treats a fault of the journal's directory as a failed write. Does nothing if `trouble` is None, or while a
        batch is being written: that write fails by itself.
        """
        writing = self._runtime.health.condition is Journaling.WRITING and not self._runtime.ledger.is_out
        if trouble is not None and writing:
            self._failed(trouble)

    def _make_writer(self, prepared: Prepared) -> JournalWriter | None:
        if prepared.booted.tip is None:
            return None
        return JournalWriter(
            prepared.storage,
            prepared.booted.tip,
            call_in_loop=partial(call_in_loop, self._loop),
            on_durable=self._durable,
            on_failure=self._failed,
            is_settled=prepared.booted.start.failed is None,
            checkpoint=lambda tip: encode_checkpoint(self._runtime.checkpoint(), tip.head, prepared.signer),
        )

    def _durable(self, seq: int) -> None:
        self._batch_out_since_s = None
        if self._writer is not None:
            self._runtime.journal_durable(seq, self._writer.durable.head, self._loop.time())
        self._progress.set()
        self._turn()
        if self.copy is not None and self._writer is not None:  # after the turn, so that no card waits for the tree
            tip = self._writer.durable
            self.copy.durable(Goal(tip, self._mark_at(tip)))
        if not self._has_begun:
            self._has_begun = True
            self.write_mark()

    def _failed(self, error: JournalError) -> None:
        self._batch_out_since_s = None
        self._runtime.journal_failed(error, self._loop.time())
        self._progress.set()
        self._turn()

    def _make_copy(self, prepared: Prepared) -> SecondCopy | None:
        path = prepared.config.journal_second_copy
        if path is None or prepared.booted.tip is None:
            return None
        goal = Goal(prepared.booted.tip)
        return SecondCopy(prepared.config.journal, path, goal, self._copy_changed, prepared.signer)

    def _copy_changed(self) -> None:
        """Tells the loop that the second copy's state has changed. Called in the copy's thread."""
        call_in_loop(self._loop, self._copy_told)

    def _copy_told(self) -> None:
        if self.copy is None:
            return
        reason = self.copy.state().reason
        if reason != self._runtime.minute.copy_trouble:
            self._log.say("second-copy-failed" if reason else "second-copy-restored", reason=reason)
            self._runtime.minute.copy_trouble = reason
            self._runtime.version += 1

    def _put_mark(self, data: bytes) -> str:
        """Writes the mark, then deletes the files of approvals and other findings that a start reports once. Returns
        the reason of a failure, or "" after success.
        """
        try:
            with reported("mark", str(begun_path(self._journal))):
                write_whole(begun_path(self._journal), data)
            clear_approval(self._journal)
            clear_forgotten(self._journal)
            clear_restored(self._journal)
            clear_updated(self._journal)
        except StorageFailed as failed:
            return failed.reason.value
        return ""

    def _mark_tried(self, trouble: str) -> None:
        """Logs the first failure to write the mark, and the next success. After each failure, makes the mark due again.

        `trouble`: the reason of the failure; "" after success.
        """
        if trouble:
            self.marking.failed()
        if trouble != self.marking.trouble:
            event = "journal-mark-failed" if trouble else "journal-marked"
            self._log.say(event, mark=str(begun_path(self._journal)), reason=trouble)
            self.marking.trouble = trouble

    def _mark_at(self, tip: Tip) -> Mark:
        return self.marking.at(tip, self._runtime.ledger.durable, self._runtime.tree)

    def _last_mark(self, mark: Mark) -> None:
        """Writes the mark of an orderly end, if an entry of this run is durable."""
        if self._has_begun:
            self._put_mark(self.marking.signed(mark))
