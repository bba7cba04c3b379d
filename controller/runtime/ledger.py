"""The decided entries and the durable ones: those between the two, each with the state behind it.

The durable state is the state behind the last entry that the journal has synced; whatever permits is derived
from it alone. The latest state has every decision; what protects may come from it. An entry leaves the queue
only when the journal says that it is durable: what failed is handed out again, entry for entry the same.
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
"""Entries written with one sync: more than devices and people make within the slowest usual sync."""


class Waiting(Struct, frozen=True, gc=False):
    """An entry that is not durable yet, the seal that goes before it, and what it leads to."""

    seq: int
    payload: bytes
    seal: bytes
    state: State
    notices: tuple[Notice, ...]
    since_s: float
    table_ms: int
    lockout: Lockout
    staff: StaffKnown
    configured: Configured


class Ledger:
    """Latest and durable state, and the queue between them. At most one batch is out for writing."""

    def __init__(self, state: State, last_seq: int) -> None:
        self.latest = state
        self.durable = state
        self.durable_seq = last_seq
        self.last_durable: Waiting | None = None
        self.waiting = 0  # so many entries are not durable
        self._waiting: deque[Waiting] = deque()
        self._out_to: int | None = None

    @property
    def next_seq(self) -> int:
        """The number that the next entry gets."""
        return self.durable_seq + self.waiting + 1

    @property
    def is_out(self) -> bool:
        """True where a batch is out for writing."""
        return self._out_to is not None

    @property
    def waiting_since_s(self) -> float | None:
        """When the oldest entry that is not durable was made."""
        return self._waiting[0].since_s if self._waiting else None

    def add(self, entry: Waiting) -> None:
        """Queues an entry; its state is the latest from now on."""
        self._waiting.append(entry)
        self.waiting += 1
        self.latest = entry.state

    def take_batch(self) -> Batch | None:
        """The oldest entries, if there are any and no batch is out."""
        if self._out_to is not None or not self._waiting:
            return None
        entries = tuple(islice(self._waiting, BATCH_ENTRIES))
        self._out_to = entries[-1].seq
        return Batch(
            entries[-1].seq,
            tuple([entry.payload for entry in entries]),
            tuple([entry.seal for entry in entries if entry.seal]),
            ends_session=entries[-1].state.house.session is SessionPhase.CLOSED is not self.durable.house.session,
        )

    def became_durable(self, seq: int) -> tuple[Waiting, ...]:
        """The batch that is out is on the medium; gives its entries. ValueError for another number."""
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
        """Nothing is known of the batch that is out: its entries stay in the queue."""
        self._out_to = None
