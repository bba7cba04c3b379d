"""A simulated table that replays the entries of a world in a loop, and answers an uplink as a controller does."""

import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from io import FileIO
from pathlib import Path

import msgspec

from controller.config.model import Tracks
from controller.config.profile import GAME_OF, GameName
from controller.journal.carried import Segments, signed_statement
from controller.journal.entry import Entry, decode_entry, encode_entry
from controller.journal.format import scan, segment_name
from controller.journal.mark import encode_mark, mark_at
from controller.journal.recovery import Tip, list_segments
from controller.journal.signing import Signer
from controller.journal.storage import DirectoryReader, DirectoryStorage
from controller.journal.tree import NO_TREE, GrowingTree
from controller.journal.writer_logic import Batch, Sync, WriterLogic, perform
from controller.protocol.carried import Gap, SignedStatement, Statement
from controller.protocol.linked import PoolRules, SignedPool, pool_in
from controller.protocol.shown import Shown
from simulators.world.fault_kinds import FaultKind
from simulators.world.games import world_game
from simulators.world.plan import WorldPlan
from simulators.world.play import ended

PROFILE = "pt-csm"
POOL = PoolRules("gold", "EUR", seed=10**9, reset=5 * 10**8, rate_ppm=20_000, reserve_ppm=100_000, most=10**10)
"""The linked pool of all replayed tables, amounts in millionths."""

COLLECTED = frozenset(("announce-no-more-bets", "confirm-payments"))
"""The entry behind which each round reports to the floor: of a game of cards, and of a wheel."""

_ADDED = b'"linked":[{"currency":"EUR","micro":100000,"pool":"gold"}]'
ADDS = msgspec.Raw(b'{"epoch":1,' + _ADDED + b',"seq":1}')
HITS = msgspec.Raw(b'{"epoch":1,' + _ADDED + b',"linked_hits":[{"currency":"EUR","pool":"gold"}],"seq":1}')
HIT_EVERY = 50
"""Every fiftieth report is a hit: more often than at a real table, so that every load test has hits."""

MARK_EVERY_S = 60.0
"""The interval of a table's marks, as at a real controller."""


FAULTS = frozenset((FaultKind.JAM_AT_FEED, FaultKind.JAM_AT_MOUTH, FaultKind.RETRIED_DEAL, FaultKind.MISREAD))


@dataclass(frozen=True, slots=True)
class Evening:
    """The whole journal of a played world. `shown[i]` is the table's status from entry number `moved[i]` on, until
    `moved[i + 1]`.
    """

    entries: tuple[Entry, ...]
    moved: tuple[int, ...]
    shown: tuple[Shown, ...]

    def again(self, wall_ms: Callable[[], int], first_hit: int = 0) -> Iterator[Entry]:
        """Yields the entries in an endless loop, each with a new number and the present wall clock.

        Every HIT_EVERY-th report to the floor is replaced by a hit, beginning with report `first_hit`.
        """
        seq, reports = 0, 0
        while True:
            for entry in self.entries:
                seq += 1
                again = msgspec.structs.replace(entry, seq=seq, wall_ms=wall_ms())
                if entry.kind == "linked-told":
                    again = again if (reports - first_hit) % HIT_EVERY else msgspec.structs.replace(again, body=HITS)
                    reports += 1
                yield again

    def shown_at(self, seq: int) -> Shown:
        """Returns the table's status after entry number `seq` of `again`; an empty status before the first known one.
        The status's times increase from one replay to the next.
        """
        evenings, within = divmod(max(seq - 1, 0), len(self.entries))
        entry, place = self.entries[within], bisect_right(self.moved, within + 1) - 1
        if place < 0:
            return Shown()
        later_ms, shown = evenings * (self.entries[-1].table_ms + 1), self.shown[place]
        holds = [msgspec.structs.replace(hold, since=hold.since + later_ms) for hold in shown.holds]
        duties = [msgspec.structs.replace(duty, since=duty.since + later_ms) for duty in shown.duties]
        return msgspec.structs.replace(shown, holds=holds, duties=duties, table_ms=entry.table_ms + later_ms)


@cache
def world_evening(seed: int, rounds: int, profile: str = PROFILE) -> Evening:
    """Plays a world to its end and returns its evening. At a card table its people also track hands and money, and a
    few faults occur.
    """
    plan = WorldPlan(seed, rounds, frozenset(), keep_outputs=True, profile=profile)
    if GAME_OF[profile] is GameName.BLACKJACK:
        plan = msgspec.structs.replace(plan, kinds=FAULTS, tracks=Tracks.HANDS)
    world = world_game(profile).make(plan)
    ended(world)
    storage = world.host.disk.storage
    records = [record for _number, name in list_segments(storage) for record in scan(storage.read(name)).records]
    stood: dict[int, Shown] = {}
    for output in world.outputs.kept:
        if output.channel == "status":
            status = msgspec.json.decode(output.data, type=_Stood)
            stood[status.journal.seq] = msgspec.json.decode(output.data, type=Shown)
    entries, moved = _with_linked([decode_entry(record.payload, seq=record.seq) for record in records])
    places = sorted(stood)
    return Evening(tuple(entries), tuple(moved[seq] for seq in places), tuple(stood[seq] for seq in places))


def _with_linked(entries: Sequence[Entry]) -> tuple[list[Entry], dict[int, int]]:
    """Inserts an entry that reports to the floor after each entry that collects bets. Returns all entries, and the new
    number of each old entry by its old number. Numbers begin with 1.
    """
    found: list[Entry] = []
    moved: dict[int, int] = {}
    for entry in entries:
        found.append(entry)
        moved[entry.seq] = len(found)
        if entry.kind in COLLECTED and entry.refusal is None:
            found.append(msgspec.structs.replace(entry, kind="linked-told", body=ADDS))
    return found, moved


class _StoodAt(msgspec.Struct, frozen=True):
    seq: int


class _Stood(msgspec.Struct, frozen=True):
    journal: _StoodAt


class ReplayedTable:
    """A table that plays entries in one thread, while an uplink reads it from another."""

    def __init__(
        self,
        directory: Path,
        name: str,
        entries: Iterator[Entry],
        shown_at: Callable[[int], Shown] = lambda _seq: Shown(),
        *,
        epoch: int = 1,
        mark_every_s: float = MARK_EVERY_S,
    ) -> None:
        self.name = name
        self.signer = Signer(sha256(name.encode()).digest())
        self.made_s: dict[int, float] = {}  # the times at which the newest entries became durable
        self._epoch = epoch
        self._entries = entries
        self._shown_at = shown_at
        self.directory = directory / name
        self._storage = DirectoryStorage(self.directory)
        self._writer = WriterLogic(Tip())
        self._lock = threading.Lock()
        self._segments = Segments()
        self._tree = GrowingTree(NO_TREE)
        self._mark_every_s = mark_every_s
        self._mark, self._marked_s = b"", 0.0
        self.pool_number = 0  # of the newest statement on the linked pool
        self.pool_micro = 0  # its amount, which a linked sign shows
        self.told: dict[tuple[int, int], set[int]] = {}  # the amounts of own hits in statements, by epoch and entry
        self.kept: list[str] = []  # the marks that the floor has signed

    def close(self) -> None:
        self._storage.close()

    def play(self, count: int = 1) -> int:
        """Plays the next `count` entries as one batch, and returns the number of the last entry. The entries count as
        durable without a sync, since no power fails here.
        """
        payloads = tuple(encode_entry(next(self._entries)) for _ in range(count))
        with self._lock:
            batch = Batch(self._writer.durable.next_seq + count - 1, payloads)
            for step in self._writer.begin(batch):
                if not isinstance(step, Sync):
                    perform(self._storage, step)
            self._writer.succeeded()
            self._tree.add(payloads)
            self.made_s[batch.last_seq] = time.monotonic()
        return batch.last_seq

    @property
    def head(self) -> str:
        return self._writer.durable.head.hex()

    # ---- for the uplink

    def shown(self) -> Shown:
        return self._shown_at(self.durable_seq())

    def durable_seq(self) -> int:
        return self._writer.durable.next_seq - 1

    def pool(self, signed: SignedPool) -> str:
        found = pool_in(signed)
        if found is not None:
            if found.number > self.pool_number:
                self.pool_number, self.pool_micro = found.number, found.amount
            for hit in (one for one in found.hits if one.table == self.name):
                self.told.setdefault((hit.epoch, hit.seq), set()).add(hit.micro)
        return ""

    def keep(self, note: str) -> str:
        self.kept.append(note)
        return ""

    def _newest_mark(self) -> bytes:
        now_s, tip = time.monotonic(), self._writer.durable
        if tip.next_seq > 1 and (not self._mark or now_s >= self._marked_s + self._mark_every_s):
            mark = mark_at(tip, self._tree.now(), session=1, table=self.name, epoch=self._epoch)
            self._mark, self._marked_s = encode_mark(mark, self.signer), now_s
        return self._mark

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]:
        with self._lock, DirectoryReader(self.directory) as journal:
            tip = self._writer.durable
            stretch = self._segments.stretch_behind(journal, tip, after)
            first, last, head, gap, opened = tip.next_seq, tip.next_seq - 1, tip.head, Gap.NONE, None
            if stretch is not None:
                first, last, head, gap = stretch.first, stretch.last, stretch.head, stretch.gap
                opened = FileIO(journal.open_to_read(segment_name(stretch.segment)))
        statement = Statement(self._epoch, first, gap, head.hex(), last, nonce, self.name)
        signed = signed_statement(statement, self.signer, self._newest_mark().decode())
        return msgspec.structs.replace(signed, pools=((POOL.pool, self.pool_number),)), opened
