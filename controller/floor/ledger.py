"""A batch from a table: checked, judged, kept; and the answer to it."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Final, assert_never

from controller.floor.database import DatabaseAway, DatabaseBusy, NotDurable
from controller.floor.judge import Begin, Extend, Verdict, first_differing, judged
from controller.floor.keys import KnownKeys
from controller.floor.nonce import Nonces
from controller.floor.runs import Run, runs_of
from controller.floor.store import Line, Store
from controller.journal.carried import is_signed_statement
from controller.protocol.carried import (
    Batch,
    Finding,
    FindingKind,
    FloorAnswer,
    FoundAt,
    Gap,
    Place,
    Said,
    SignedStatement,
    Statement,
)

MOST_TRIES: Final = 3
"""Where another process of the floor moves the same line meanwhile."""


@dataclass(frozen=True, slots=True)
class Ledger:
    """Called in threads that may wait. `now_s`: the wall clock of this process."""

    store: Store
    keys: KnownKeys
    nonces: Nonces
    now_s: Callable[[], float]

    def place(self, table: str) -> FloorAnswer:
        """How far this table is here, and a nonce. It acknowledges nothing."""
        return self._guarded(table, lambda: Said.TAKEN if self.keys.of(table) is not None else Said.UNKNOWN_TABLE)

    def at(self, table: str, seq: int) -> FoundAt:
        """The chain value of an entry. Raises DatabaseAway, DatabaseBusy."""
        found = self.store.at(table, self.store.lines(table), seq)
        return FoundAt(None if found is None else found.head)

    def take(self, table: str, batch: Batch) -> FloorAnswer:
        """TAKEN once it is durable."""
        return self._guarded(table, partial(self._taken, table, batch))

    # ---- within

    def _guarded(self, table: str, does: Callable[[], Said]) -> FloorAnswer:
        try:
            said = does()
            if said in {Said.UNKNOWN_TABLE, Said.NOT_SIGNED}:
                return FloorAnswer(said)
            lines = self.store.lines(table)
            findings = self.store.findings(table)
        except NotDurable:
            return FloorAnswer(Said.NOT_DURABLE)
        except DatabaseBusy:
            return FloorAnswer(Said.BUSY)
        except DatabaseAway:
            return FloorAnswer(Said.NO_DATABASE)
        place = lines[0].end if lines else None
        return FloorAnswer(said, self.nonces.fresh(table, self.now_s()), place, findings)

    def _taken(self, table: str, batch: Batch) -> Said:
        statement, key = batch.signed.statement, self.keys.of(table)
        if key is None:
            return Said.UNKNOWN_TABLE
        if statement.table != table or not is_signed_statement(batch.signed, key):
            self._found(table, FindingKind.OTHER_KEY, 0, 0)
            return Said.NOT_SIGNED
        if not self.nonces.is_fresh(statement.nonce, table, self.now_s()):
            return Said.STALE_NONCE
        for _ in range(MOST_TRIES):
            said = self._tried(batch)
            if said is not None:
                return said
        return Said.BUSY

    def _tried(self, batch: Batch) -> Said | None:
        """None where the line was moved meanwhile."""
        statement = batch.signed.statement
        lines = self.store.lines(statement.table)
        newest = lines[0].end if lines else None
        if newest is not None and statement.epoch < newest.epoch:
            self._found(statement.table, FindingKind.TWIN, statement.epoch, 0)
            return Said.OLD_EPOCH
        if statement.first > statement.last:
            return self._alive(batch.signed, newest)
        before = self._before(statement, lines)
        runs = runs_of(batch, before)
        if runs is None:
            return Said.ALTERED
        gap = statement.gap
        for run in runs:
            if (said := self._run(run, gap, batch.signed, lines)) is not Said.TAKEN:
                return said
            gap, lines = Gap.NONE, self.store.lines(statement.table) if run is not runs[-1] else []
        return Said.TAKEN

    def _before(self, statement: Statement, lines: list[Line]) -> int:
        """The epoch of the entry before the first one; where that is not here, the one that is most likely."""
        if statement.first == 1:
            return 1
        found = self.store.at(statement.table, lines, statement.first - 1)
        if found is not None:
            return found.epoch
        return lines[0].epoch if lines else statement.epoch

    def _run(self, run: Run, gap: Gap, signed: SignedStatement, lines: list[Line]) -> Said | None:
        table, today = signed.statement.table, datetime.fromtimestamp(self.now_s(), UTC).date()
        newest = lines[0].end if lines else None
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
                if judgement.finding is not None:
                    self._found(table, judgement.finding, run.epoch, run.first)
                is_kept = (
                    self.store.extend(table, judgement, signed, today)
                    if isinstance(judgement, Extend)
                    else self.store.begin(table, judgement, signed, today)
                )
                return Said.TAKEN if is_kept else None
            case _:
                assert_never(judgement)

    def _alive(self, signed: SignedStatement, newest: Place | None) -> Said | None:
        """The table has nothing behind `last`."""
        statement = signed.statement
        if newest is None or statement.last > newest.seq:
            return Said.TAKEN if not statement.last else Said.GO_ON_FROM
        if statement.last < newest.seq:
            self._found(statement.table, FindingKind.BEHIND, statement.epoch, statement.last + 1)
            return Said.BEHIND
        if statement.head != newest.head:
            self._found(statement.table, FindingKind.FORK, statement.epoch, statement.last)
            return Said.FORKED
        return Said.TAKEN if self.store.heard(signed) else None

    def _found(self, table: str, kind: FindingKind, epoch: int, seq: int) -> None:
        self.store.found(table, Finding(kind, epoch, seq))
