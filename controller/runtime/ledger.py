"""The queue of decided entries that are not on the disk yet, each with the state after it.

The durable state is the state after the last entry on the disk. Only the durable state permits anything. The latest
state includes every decision and may protect at once. An entry leaves the queue when the journal reports it as durable.
After a failure the writer gets the same entries again.
"""

from collections import deque
from itertools import islice

from msgspec import Struct

from controller.core.engine.decision import Notice
from controller.core.house.state import State
from controller.core.words import SessionPhase
from controller.journal.writer_logic import Batch
from controller.runtime.configuration import Configured
from controller.staff.known import StaffKnown
from controller.staff.lockout import Lockout

BATCH_ENTRIES = 256
"""The most entries that are written with one sync. During a sync of usual slowness fewer arrive."""


class Waiting(Struct, frozen=True, gc=False):
    """An entry that is not on the disk yet, with its seal, its typed words, and the state and the shell's records after
    it.

    `since_s`: the monotonic second at which the entry was decided.
    """

    seq: int
    payload: bytes
    seal: bytes
    words: bytes
    state: State
    notices: tuple[Notice, ...]
    since_s: float
    table_ms: int
    lockout: Lockout
    staff: StaffKnown
    configured: Configured
    round_first: int


class Ledger:
    """The latest state, the durable state, and the queue of entries between them. The writer has one batch at most."""

    def __init__(self, state: State, last_seq: int) -> None:
        self.latest = state
        self.durable = state
        self.durable_seq = last_seq
        self.last_durable: Waiting | None = None
        self.waiting = 0  # the number of entries that are not durable
        self._waiting: deque[Waiting] = deque()
        self._out_to: int | None = None

    @property
    def next_seq(self) -> int:
        """Returns the number that the next added entry must have."""
        return self.durable_seq + self.waiting + 1

    @property
    def is_out(self) -> bool:
        """True while the writer has a batch."""
        return self._out_to is not None

    @property
    def waiting_since_s(self) -> float | None:
        """The monotonic second at which the oldest entry in the queue was decided; None if the queue is empty."""
        return self._waiting[0].since_s if self._waiting else None

    def add(self, entry: Waiting) -> None:
        """Adds an entry to the queue, and makes the state after it the latest."""
        self._waiting.append(entry)
        self.waiting += 1
        self.latest = entry.state

    def take_batch(self) -> Batch | None:
        """Returns the oldest entries of the queue as a batch for the writer. None if the queue is empty, or if the
        writer has a batch.
        """
        if self._out_to is not None or not self._waiting:
            return None
        entries = tuple(islice(self._waiting, BATCH_ENTRIES))
        self._out_to = entries[-1].seq
        return Batch(
            entries[-1].seq,
            tuple([entry.payload for entry in entries]),
            tuple([entry.seal for entry in entries if entry.seal]),
            tuple([entry.words for entry in entries if entry.words]),
            ends_session=entries[-1].state.house.session is SessionPhase.CLOSED is not self.durable.house.session,
        )

    def became_durable(self, seq: int) -> tuple[Waiting, ...]:
        """Removes the writer's batch, which is now on the disk, from the queue, and returns its entries.

        Raises ValueError unless `seq` is the last entry of the batch.
        """
        if seq != self._out_to:
            raise ValueError(f"entry {seq} is said to be durable; {self._out_to} was out for writing")
        self._out_to = None
        entries = []
        while self._waiting and self._waiting[0].seq <= seq:
            entries.append(self._waiting.popleft())
        self.waiting = len(self._waiting)
        self.last_durable, self.durable, self.durable_seq = entries[-1], entries[-1].state, seq
        return tuple(entries)

    def batch_failed(self) -> None:
        """Notes that the writer's batch failed. The entries of the batch stay in the queue."""
        self._out_to = None
