"""What the floor keeps, as statements: each write is one, with its entries as arrays."""

from collections.abc import Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from controller.floor.database import Database, NoPartition, statement
from controller.floor.judge import Begin, Extend
from controller.floor.runs import UNKNOWN_MONTH, Run, month_after, month_of
from controller.protocol.carried import MOST_FINDINGS, Finding, FindingKind, Place, SignedStatement, statement_text

_LINES: Final = statement("lines")
_SECRET: Final = statement("secret")
_CHAIN: Final = statement("chain")

_EXTEND: Final = statement("extend")
_BEGIN: Final = statement("begin")
_HEARD: Final = statement("heard")
_TOUCHED: Final = statement("touched")
_FOUND: Final = statement("found")
_FINDINGS: Final = statement("findings")
_PARTITION: Final = statement("partition")


class Line(Struct, frozen=True, gc=False):
    """A table's history in one epoch."""

    epoch: int
    first_seq: int
    parent_epoch: int | None
    last_seq: int
    head: bytes

    @property
    def end(self) -> Place:
        return Place(self.epoch, self.head.hex(), self.last_seq)


class Store:
    """Raises what `Database` raises."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._months: set[date] = set()

    def lines(self, table: str) -> list[Line]:
        """The newest first."""
        return [Line(*row) for row in self._database.looked_up(_LINES, {"table": table})]

    def at(self, table: str, lines: Sequence[Line], seq: int) -> Place | None:
        """The entry of this number in the newest line, or in those that it goes on from."""
        line = _line_of(lines, seq)
        if line is None or seq == line.last_seq:
            return None if line is None else line.end
        found = self._database.looked_up(_CHAIN, {"table": table, "epoch": line.epoch, "seq": seq})
        return Place(line.epoch, found[0][0].hex(), seq) if found else None

    def extend(self, table: str, what: Extend, signed: SignedStatement, today: date) -> bool:
        """False where the line ends elsewhere meanwhile."""
        known = {"known_seq": what.known.seq, "known_head": bytes.fromhex(what.known.head)}
        return self._brought_in(_EXTEND, table, what.run, signed, today, known)

    def begin(self, table: str, what: Begin, signed: SignedStatement, today: date) -> bool:
        """False where there is such a line meanwhile."""
        return self._brought_in(_BEGIN, table, what.run, signed, today, {"parent": what.parent})

    def heard(self, signed: SignedStatement) -> bool:
        """The table has nothing new: its newest signed head is kept. False where the line ends elsewhere."""
        values = {"last": signed.statement.last, "head": bytes.fromhex(signed.statement.head)}
        return bool(self._database.write(_HEARD, values | _signed(signed)))

    def touched(self, table: str) -> None:
        """Entries came that are here already. This write is durable, and so are those before it."""
        self._database.write(_TOUCHED, {"table": table})

    def found(self, table: str, finding: Finding) -> None:
        values = {"table": table, "kind": finding.kind.value, "epoch": finding.epoch, "seq": finding.seq}
        self._database.write(_FOUND, values)

    def findings(self, table: str) -> list[Finding]:
        """The newest ones."""
        found = self._database.looked_up(_FINDINGS, {"table": table, "most": MOST_FINDINGS})
        return [Finding(FindingKind(kind), epoch, seq) for kind, epoch, seq in found]

    def secret(self) -> bytes:
        """From which the nonces are made."""
        return bytes(self._database.looked_up(_SECRET, {})[0][0])

    # ---- within

    def _brought_in(
        self, statement: str, table: str, run: Run, signed: SignedStatement, today: date, values: dict[str, object]
    ) -> bool:
        months = [month_of(row.wall_ms, today) for row in run.rows]
        all_values = values | _signed(signed) | _arrays(run, months) | {"table": table}
        self._make_partitions({*months} - self._months)
        try:
            return len(self._database.write(statement, all_values)) == len(run.rows)
        except NoPartition:  # another database than before answers: a replica took over, or a backup was restored
            self._make_partitions({*months})
            return len(self._database.write(statement, all_values)) == len(run.rows)

    def _make_partitions(self, months: set[date]) -> None:
        for month in sorted(months):
            behind = month_after(month)
            name = "entry_unknown" if month == UNKNOWN_MONTH else f"entry_{month:%Y_%m}"
            self._database.in_order([_PARTITION.format(name=name, first=month, behind=behind)])
            self._months.add(month)


def _line_of(lines: Sequence[Line], seq: int) -> Line | None:
    """The line that has the entry of this number, the newest line's own history followed back."""
    line = lines[0] if lines and seq <= lines[0].last_seq else None
    while line is not None and seq < line.first_seq:
        parent = line.parent_epoch
        line = next((one for one in lines if one.epoch == parent), None)
    return line


def _signed(signed: SignedStatement) -> dict[str, object]:
    return {
        "table": signed.statement.table,
        "statement": statement_text(signed.statement),
        "signature": signed.signature,
    }


def _arrays(run: Run, months: list[date]) -> dict[str, object]:
    return {
        "epoch": run.epoch,
        "first": run.first,
        "last": run.last,
        "head": run.head,
        "months": months,
        "seqs": [row.seq for row in run.rows],
        "kinds": [row.kind for row in run.rows],
        "walls": [row.wall_ms for row in run.rows],
        "chains": [row.chain for row in run.rows],
        "payloads": [row.payload for row in run.rows],
    }
