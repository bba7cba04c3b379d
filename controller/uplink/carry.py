"""Sends entries to the floor. The uplink stores no position: at each connection the floor names the last entry that it
has.

If the table's entry of that number is the same, the uplink sends the later entries. Otherwise the table was restored,
or two tables have one name. A binary search then finds the last entry that both have. The uplink sends the entries
after it, and the floor judges them.
"""

from contextlib import closing
from io import FileIO
from typing import Final, Protocol, assert_never

from msgspec import UnsetType

from controller.protocol.carried import (
    Batch,
    Finding,
    FloorAnswer,
    Place,
    Said,
    SignedStatement,
    Statement,
    Witnessed,
    WitnessSaid,
    statement_text,
)
from controller.protocol.linked import SignedPool
from controller.protocol.shown import Shown, encode_shown, is_as_it_was
from controller.uplink.errors import FloorAway, FloorRefuses
from controller.uplink.segment import Entries, SegmentReader, chain_at

ALIVE_S: Final = 10.0
"""The interval in seconds at which a table without new entries reports to the floor."""


SHOWN_S: Final = 0.4
"""The least time between two requests for the table's status."""


_BUSY: Final = "busy"
"""The controller's answer while it cannot keep a note."""


class Table(Protocol):
    def durable_seq(self) -> int: ...

    def carried(self, after: int, nonce: str) -> tuple[SignedStatement, FileIO | None]: ...

    def shown(self) -> Shown: ...

    def keep(self, note: str) -> str: ...

    def pool(self, signed: SignedPool) -> str: ...


class Floor(Protocol):
    def begin(self) -> FloorAnswer: ...

    def head_at(self, seq: int) -> str | None: ...

    def send(self, batch: Batch) -> FloorAnswer: ...


class Carrier:
    """Sends a table's entries over one connection to the floor. All methods raise the errors in errors.py.

    `at`: the last entry that the floor is known to have. `findings`: the floor's findings about this table.
    """

    def __init__(self, table: Table, floor: Floor, reader: SegmentReader) -> None:
        self._table = table
        self._floor = floor
        self._reader = reader
        self._nonce = ""
        self._said_s: float | None = None
        self._shown: Shown | None = None
        self._looked_s: float | None = None
        self._is_moved = True  # entries came since the last reading of the status
        self._mark = ""  # the last mark that the floor has signed or refused
        self.findings: list[Finding] = []
        self.unwitnessed = ""  # the reason why the newest mark is not witnessed
        self.at = 0

    def begin(self) -> None:
        """Asks the floor for the last entry of this table that it has. Sets `at` to the last entry that table and floor
        both have.

        Raises FloorRefuses if the floor refuses this table.
        """
        answer = self._floor.begin()
        if answer.said is not Said.TAKEN:
            raise FloorRefuses(answer.said, answer.findings)
        self._heard(answer)
        self.at = self._last_of_both(answer.place)

    def step(self, now_s: float) -> bool:
        """Sends new entries to the floor. Without new entries sends a changed status or, at intervals, the report that
        nothing is new. Returns True if more entries may follow.
        """
        durable = self._table.durable_seq()
        is_new = durable > self.at
        is_silent = self._said_s is None or now_s >= self._said_s + ALIVE_S
        self._is_moved = self._is_moved or is_new or is_silent
        if not is_new and not is_silent and not self._may_look(now_s):
            return False
        signed, segment = self._table.carried(self.at, self._nonce)
        entries = self._entries(segment, signed.statement)
        shown = self._look(now_s)
        if not is_new and not is_silent and shown is None:
            return False
        text, document = statement_text(signed.statement), b"" if shown is None else encode_shown(shown)
        mark = signed.mark if signed.statement.last >= durable and signed.mark != self._mark else ""
        pools = {} if isinstance(signed.pools, UnsetType) else dict(signed.pools)
        batch = Batch(entries.payloads, entries.previous, signed.signature, text, document, mark, pools)
        answer = self._floor.send(batch)
        for pool in answer.pools:
            self._table.pool(pool)  # the controller checks the statement; a refused one is sent again
        self._told(answer, signed.statement)
        if mark and answer.said is Said.TAKEN:
            self._witnessed(mark, answer.witnessed)
        self._shown = self._shown if shown is None or self.at != signed.statement.last else shown
        self._said_s = now_s
        return is_new

    def _witnessed(self, mark: str, witnessed: Witnessed | None) -> None:
        """Passes the floor's signature of the mark `mark` to the controller, which keeps it. If the signature is
        missing, logs the reason.
        """
        # None from an older version of the floor
        said = WitnessSaid.NO_WITNESS if witnessed is None else witnessed.said
        if witnessed is not None and said is WitnessSaid.SIGNED:
            self.unwitnessed = self._table.keep(mark + witnessed.line)
        else:
            self.unwitnessed = "" if said is WitnessSaid.NO_WITNESS else said.value
        if said is not WitnessSaid.LATER and self.unwitnessed != _BUSY:
            self._mark = mark

    def _may_look(self, now_s: float) -> bool:
        return self._is_moved and (self._looked_s is None or now_s >= self._looked_s + SHOWN_S)

    def _look(self, now_s: float) -> Shown | None:
        """Returns the table's status if it has changed. None if the floor already has this status, or if less than
        SHOWN_S have passed since the last reading.

        The caller must read the entries before the status.
        """
        if not self._may_look(now_s):
            return None
        found = self._table.shown()
        self._looked_s, self._is_moved = now_s, False
        return None if is_as_it_was(self._shown, found) else found

    def _entries(self, segment: FileIO | None, statement: Statement) -> Entries:
        if segment is None:
            return Entries(bytes.fromhex(statement.head), [])
        with closing(segment):
            return self._reader.entries(segment, statement)

    def _told(self, answer: FloorAnswer, statement: Statement) -> None:
        self._heard(answer)
        match answer.said:
            case Said.TAKEN:
                self.at = statement.last
            case Said.STALE_NONCE:
                pass
            case Said.GO_ON_FROM:
                at = self._last_of_both(answer.place)
                if at == self.at:
                    raise FloorRefuses(answer.said, answer.findings)
                self.at = at
            case Said.NOT_DURABLE | Said.BUSY | Said.NO_DATABASE:
                raise FloorAway(answer.said.value)
            case (
                Said.FORKED
                | Said.OLD_EPOCH
                | Said.BEHIND
                | Said.ALTERED
                | Said.NOT_SIGNED
                | Said.UNKNOWN_TABLE
                | Said.NOT_UNDERSTOOD
                | Said.OTHER
            ):
                raise FloorRefuses(answer.said, answer.findings)
            case _:
                assert_never(answer.said)

    def _heard(self, answer: FloorAnswer) -> None:
        self._nonce = answer.nonce or self._nonce
        self.findings = answer.findings

    def _last_of_both(self, place: Place | None) -> int:
        """Returns the number of the last entry that table and floor both have; 0 if they have none in common."""
        if place is None or not place.seq:
            return 0
        if self._own_head(place.seq) == place.head:
            return place.seq
        both, differs = 0, min(place.seq, self._table.durable_seq() + 1)
        while differs - both > 1:
            middle = (both + differs) // 2
            own = self._own_head(middle)
            if own is None or own == self._floor.head_at(middle):
                both = middle
            else:
                differs = middle
        return both

    def _own_head(self, seq: int) -> str | None:
        """Returns the chain value of the table's entry `seq`; None if the journal lacks this entry."""
        _signed, segment = self._table.carried(seq - 1, self._nonce)
        if segment is None:
            return None
        with closing(segment):
            found = chain_at(segment, seq)
        return None if found is None else found.hex()
