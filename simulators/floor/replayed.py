"""A table that lives the entries of a world again, as the controller's end of an uplink sees them."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from hashlib import sha256
from io import FileIO
from pathlib import Path

import msgspec

from controller.config.model import Tracks
from controller.journal.carried import Segments, signed_statement
from controller.journal.entry import Entry, decode_entry, encode_entry
from controller.journal.format import scan, segment_name
from controller.journal.recovery import Tip, list_segments
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryReader, DirectoryStorage
from controller.journal.writer_logic import Batch, Sync, WriterLogic, perform
from controller.protocol.carried import Gap, SignedStatement, Statement
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.play import ended

PROFILE = "pt-csm"


@cache
def world_entries(seed: int, rounds: int) -> tuple[Entry, ...]:
    """The whole journal of a world in which hands and money are followed."""
    world = world_game(PROFILE).make(WorldPlan(seed, rounds, profile=PROFILE, tracks=Tracks.HANDS))
    ended(world)
    storage = world.host.disk.storage
    records = [record for _number, name in list_segments(storage) for record in scan(storage.read(name)).records]
    return tuple(decode_entry(record.payload, seq=record.seq) for record in records)


def again(entries: Sequence[Entry], wall_ms: Callable[[], int]) -> Iterator[Entry]:
    """The same evening over and over, each entry with the number and the wall clock that it has now."""
    seq = 0
    while True:
        for entry in entries:
            seq += 1
            yield msgspec.structs.replace(entry, seq=seq, wall_ms=wall_ms())


class ReplayedTable:
    """Plays in one thread and is asked by an uplink in another."""

    def __init__(self, directory: Path, name: str, entries: Iterator[Entry], *, epoch: int = 1) -> None:
        self.name = name
        self.signer = Signer(sha256(name.encode()).digest())
        self.made_s: dict[int, float] = {}  # when the newest entries were durable, for whoever measures
        self._epoch = epoch
        self._entries = entries
        self._directory = directory / name
        self._storage = DirectoryStorage(self._directory)
        self._writer = WriterLogic(Tip())
        self._lock = threading.Lock()
        self._segments = Segments()

    def close(self) -> None:
        self._storage.close()

    def play(self, count: int = 1) -> int:
        """So many entries more, durable together; the number of the last. No sync: the power does not go here."""
        payloads = tuple(encode_entry(next(self._entries)) for _ in range(count))
        with self._lock:
            batch = Batch(self._writer.durable.next_seq + count - 1, payloads)
            for step in self._writer.begin(batch):
                if not isinstance(step, Sync):
                    perform(self._storage, step)
            self._writer.succeeded()
            self.made_s[batch.last_seq] = time.monotonic()
        return batch.last_seq

    @property
    def head(self) -> str:
        return self._writer.durable.head.hex()

    # ---- for the uplink

    def durable_seq(self) -> int:
        return self._writer.durable.next_seq - 1

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]:
        with self._lock, DirectoryReader(self._directory) as journal:
            tip = self._writer.durable
            stretch = self._segments.stretch_behind(journal, tip, after)
            first, last, head, gap, opened = tip.next_seq, tip.next_seq - 1, tip.head, Gap.NONE, None
            if stretch is not None:
                first, last, head, gap = stretch.first, stretch.last, stretch.head, stretch.gap
                opened = FileIO(journal.open_to_read(segment_name(stretch.segment)))
        statement = Statement(self._epoch, first, gap, head.hex(), last, nonce, self.name)
        return signed_statement(statement, self.signer), opened
