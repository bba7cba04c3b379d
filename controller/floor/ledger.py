"""Checks and judges a batch of entries from a table, stores it, and makes the answer to the table."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import partial
from typing import Final, assert_never

from msgspec.structs import replace

from controller.floor.database import DatabaseAway, DatabaseBusy, NotDurable
from controller.floor.judge import Begin, Extend, Verdict, first_differing, judged
from controller.floor.keys import KnownKeys
from controller.floor.nonce import Nonces
from controller.floor.pools import HIT, Pools
from controller.floor.runs import Run, runs_of
from controller.floor.store import Kept, Line, Store
from controller.floor.witnessing import FloorWitness
from controller.journal.carried import is_signed_text
from controller.protocol.carried import (
    Batch,
    Finding,
    FindingKind,
    FloorAnswer,
    FoundAt,
    Gap,
    Place,
    Said,
    Statement,
    Witnessed,
    WitnessSaid,
    statement_in,
)
from controller.protocol.linked import SignedPool

MOST_TRIES: Final = 3
"""The most tries to store a batch: each fails if another process of the floor has moved the end of the same line."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Makes the floor's answers to tables. Every method may block and must be called in a thread. `now_s`: returns the
    wall-clock time.
    """

    store: Store
    keys: KnownKeys
    nonces: Nonces
    now_s: Callable[[], float]
    witness: FloorWitness | None = None
    pools: Pools | None = None

    def place(self, table: str) -> FloorAnswer:
        """Returns an answer with a nonce and the last entry that the floor has of this table. The answer acknowledges
        no batch. The answer is UNKNOWN_TABLE if the floor lacks the table's key. A failure of the database is reported
        in the answer, too.
        """
        is_known = self.keys.of(table) is not None
        return _guarded(lambda: self._told(table, Said.TAKEN) if is_known else FloorAnswer(Said.UNKNOWN_TABLE))

    def at(self, table: str, seq: int) -> FoundAt:
        """Returns the chain value of the entry `seq`; None if the floor lacks the table's key or the entry. Raises
        DatabaseAway, DatabaseBusy.
        """
        if self.keys.of(table) is None:
            return FoundAt()
        found = self.store.at(table, self.store.lines(table), seq)
        return FoundAt(None if found is None else found.head)

    def take(self, table: str, batch: Batch) -> FloorAnswer:
        """Stores a batch and returns the answer to it, which is TAKEN only once the batch's entries are durable.

        A TAKEN answer also has the witness's answer to the batch's mark, and newer statements on the table's pools.
        """
        answer = _guarded(partial(self._taken, table, batch))
        if answer.said is not Said.TAKEN:
            return answer
        witnessed = self._witnessed(table, batch.mark) if batch.mark else None
        return replace(answer, witnessed=witnessed, pools=self._pools(batch))

    # ---- within

    def _witnessed(self, table: str, mark: str) -> Witnessed:
        """Has the floor's witness sign a table's mark, and returns the witness's answer. The answer has no effect on
        the stored batch.
        """
        key = self.keys.of(table)
        if self.witness is None or key is None:
            return Witnessed(WitnessSaid.NO_WITNESS)
        try:
            return self.witness.asked(table, key, mark)
        except (DatabaseBusy, DatabaseAway, NotDurable):
            return Witnessed(WitnessSaid.LATER)

    def _pools(self, batch: Batch) -> list[SignedPool]:
        """Returns the statements on the batch's pools that are newer than the table's own. Returns [] if the floor has
        no pools.

        First decides a hit of a pool in the batch, unless the database does not answer.
        """
        if self.pools is None:
            return []
        if any(HIT in payload for payload in batch.payloads):
            with suppress(DatabaseBusy, DatabaseAway, NotDurable):
                self.pools.look()
        return self.pools.newer(batch.pools)

    def _told(self, table: str, said: Said) -> FloorAnswer:
        lines = self.store.lines(table)
        place = lines[0].end if lines else None
        return FloorAnswer(said, self.nonces.fresh(table, self.now_s()), place, self.store.findings(table))

    def _taken(self, table: str, batch: Batch) -> FloorAnswer:
        key, statement = self.keys.of(table), statement_in(batch)
        if key is None:
            return FloorAnswer(Said.UNKNOWN_TABLE)
        if statement is None:
            return FloorAnswer(Said.NOT_UNDERSTOOD)
        if statement.table != table or not is_signed_text(batch.statement, batch.signature, key):
            self._found(table, FindingKind.OTHER_KEY, 0, 0)
            return FloorAnswer(Said.NOT_SIGNED)
        if not self.nonces.is_fresh(statement.nonce, table, self.now_s()):
            return self._told(table, Said.STALE_NONCE)
        kept = self._followed(batch, statement)
        if kept is not None:
            return FloorAnswer(Said.TAKEN, self.nonces.fresh(table, self.now_s()), kept.place, kept.findings)
        return self._told(table, self._judged(batch, statement))

    def _followed(self, batch: Batch, statement: Statement) -> Kept | None:
        """Stores a batch by a single database statement, if its entries directly follow the end of the newest line.
        Returns None, and stores nothing, for any other batch: it is rare, and needs several statements.

        A batch without entries is stored if the line ends as the batch states.
        """
        if statement.first > statement.last:
            end = Place(statement.epoch, statement.head, statement.last)
            return self.store.heard(statement.table, end, batch) if statement.last else None
        runs = runs_of(batch, statement, statement.epoch)
        if runs is None or statement.first == 1:
            return None
        known = Place(statement.epoch, batch.previous.hex(), statement.first - 1)
        return self.store.extend(statement.table, Extend(runs[0], known), batch, self._today())

    def _judged(self, batch: Batch, statement: Statement) -> Said:
        for _ in range(MOST_TRIES):
            said = self._tried(batch, statement)
            if said is not None:
                return said
        return Said.BUSY

    def _tried(self, batch: Batch, statement: Statement) -> Said | None:
        """Judges a batch, stores it as the judgement demands, and returns the answer's code. Returns None if another
        process has moved the end of the line since the judgement; the caller must then try again.
        """
        lines = self.store.lines(statement.table)
        newest = lines[0].end if lines else None
        if newest is not None and statement.epoch < newest.epoch:
            self._found(statement.table, FindingKind.TWIN, statement.epoch, 0)
            return Said.OLD_EPOCH
        if statement.first > statement.last:
            return self._alive(batch, statement, newest)
        runs = runs_of(batch, statement, self._before(batch, statement, lines))
        if runs is None:
            return Said.ALTERED
        gap = statement.gap
        for run in runs:
            if (said := self._run(run, gap, batch, statement, lines)) is not Said.TAKEN:
                return said
            gap, lines = Gap.NONE, self.store.lines(statement.table) if run is not runs[-1] else []
        return Said.TAKEN

    def _before(self, batch: Batch, statement: Statement, lines: list[Line]) -> int:
        """Returns the epoch of the entry before the batch. If the floor lacks the entry, returns the likeliest
        epoch.
        """
        if statement.first == 1:
            return 1
        found = self.store.at(statement.table, lines, statement.first - 1)
        if found is None:
            return lines[0].epoch if lines else statement.epoch
        is_newer = statement.epoch > lines[0].epoch  # the floor may have lost the beginning of that epoch
        return statement.epoch if is_newer and found.head != batch.previous.hex() else found.epoch

    def _run(self, run: Run, gap: Gap, batch: Batch, statement: Statement, lines: list[Line]) -> Said | None:
        table, newest = statement.table, lines[0].end if lines else None
        at = partial(self.store.at, table, lines)
        judgement = judged(run, gap, newest, at)
        match judgement:
            case Verdict.DOUBLED:
                self.store.touched(table)
                return Said.TAKEN
            case Verdict.GO_ON_FROM:
                return Said.GO_ON_FROM
            case Verdict.FORKED:
                self._found(table, FindingKind.FORK, run.epoch, first_differing(run, at))
                return Said.FORKED
            case Extend() | Begin():
                return Said.TAKEN if self._kept(table, judgement, batch) else None
            case _:
                assert_never(judgement)

    def _kept(self, table: str, judgement: Extend | Begin, batch: Batch) -> bool:
        if judgement.finding is not None:
            self._found(table, judgement.finding, judgement.run.epoch, judgement.run.first)
        if isinstance(judgement, Extend):
            return self.store.extend(table, judgement, batch, self._today()) is not None
        return self.store.begin(table, judgement, batch, self._today()) is not None

    def _alive(self, batch: Batch, statement: Statement, newest: Place | None) -> Said | None:
        """Returns the answer's code for a batch without entries: its statement says where the table's journal ends.
        Returns None if another process has moved the end of the line meanwhile.

        Records a finding if the journal lacks entries that the floor has, or differs from them.
        """
        if newest is None or statement.last > newest.seq:
            return Said.TAKEN if not statement.last else Said.GO_ON_FROM
        if statement.epoch > newest.epoch:  # the beginning of that epoch is not here, or was removed
            return Said.GO_ON_FROM
        if statement.last < newest.seq:
            self._found(statement.table, FindingKind.BEHIND, statement.epoch, statement.last + 1)
            return Said.BEHIND
        if statement.head != newest.head:
            self._found(statement.table, FindingKind.FORK, statement.epoch, statement.last)
            return Said.FORKED
        return Said.TAKEN if self.store.heard(statement.table, newest, batch) is not None else None

    def _found(self, table: str, kind: FindingKind, epoch: int, seq: int) -> None:
        self.store.found(table, Finding(kind, epoch, seq))

    def _today(self) -> date:
        return datetime.fromtimestamp(self.now_s(), UTC).date()


def _guarded(does: Callable[[], FloorAnswer]) -> FloorAnswer:
    try:
        return does()
    except NotDurable:
        return FloorAnswer(Said.NOT_DURABLE)
    except DatabaseBusy:
        return FloorAnswer(Said.BUSY)
    except DatabaseAway:
        return FloorAnswer(Said.NO_DATABASE)
