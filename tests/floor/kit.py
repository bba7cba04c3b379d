"""Tables for the floor's tests: chains of entries, and batches of them that the table's key signs."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from itertools import count

import msgspec

from controller.floor.ledger import Ledger
from controller.journal.carried import signed_statement
from controller.journal.codec import encode_canonical
from controller.journal.entry import Entry, EntryRefusal, encode_entry
from controller.journal.format import ZERO, RecordEncoder
from controller.journal.signing import Signer
from controller.protocol.carried import Batch, FloorAnswer, Gap, SignedStatement, Statement, statement_text
from controller.protocol.incidents import Told
from controller.protocol.shown import Shown, encode_shown

NOW_S = datetime(2026, 11, 20, tzinfo=UTC).timestamp()


def entry(seq: int, kind: str = "noted", note: str = "", wall_s: float = NOW_S, findings: Sequence[str] = ()) -> Entry:
    body = {"findings": list(findings)} if kind == "controller-started" else {"note": note}
    return Entry(
        body=msgspec.Raw(msgspec.json.encode(body, order="sorted")),
        boot=1,
        kind=kind,
        mono_ns=seq,
        seq=seq,
        table_ms=seq,
        wall_ms=int(wall_s * 1000) + seq,
        wall_synced=True,
    )


def told(seq: int, *incidents: Told, is_synced: bool = True) -> Entry:
    """An entry with which these incidents begin, end or are withdrawn."""
    raw = msgspec.Raw(encode_canonical(incidents)) if incidents else msgspec.UNSET
    return msgspec.structs.replace(entry(seq), incidents=raw, wall_synced=is_synced)


def kept(seq: int, incident: int, person: int = 21, *, refused: bool = False) -> Entry:
    """The entry of a mark that the recording of the incident of this entry is kept."""
    body = {"incident": incident, "kept_at": "sealed:" + "0" * 64, "person": person, "role": "chief_supervisor"}
    guard = "place_of_recording_is_given"
    refusal = EntryRefusal(clause=None, reason=guard, rule=guard) if refused else None
    raw = msgspec.Raw(msgspec.json.encode(body, order="sorted"))
    return msgspec.structs.replace(entry(seq), body=raw, kind="keep-recording", refusal=refusal)


class FloorTable:
    """One computer's journal in memory. `heads[seq]`: the chain value of entry `seq`."""

    def __init__(self, name: str, secret: bytes = bytes(32)) -> None:
        self.name = name
        self.epoch = 1
        self.signer = Signer(secret)
        self.payloads: list[bytes] = []
        self.heads = [ZERO]
        self.firsts: dict[int, int] = {}  # left-out numbers: by place in `payloads`

    @property
    def last(self) -> int:
        return len(self.payloads)

    def add(self, *entries: Entry) -> "FloorTable":
        for one in entries:
            payload = encode_entry(one)
            encoder = RecordEncoder(self.heads[-1], one.seq)
            encoder.encode(payload)
            self.payloads.append(payload)
            self.heads.append(encoder.head)
        return self

    def grown(self, count: int, note: str = "", wall_s: float = NOW_S) -> "FloorTable":
        """Adds `count` entries, the journal's first one being a start; returns the table."""
        for _ in range(count):
            seq = self.last + 1
            self.add(entry(seq, "controller-started" if seq == 1 else "noted", note, wall_s))
        return self

    def restored(self, at: int, epoch: int) -> "FloorTable":
        """Another computer of this table, which continues from a backup up to entry `at` in this epoch."""
        other = FloorTable(self.name)
        other.signer, other.epoch = self.signer, epoch
        other.payloads, other.heads = self.payloads[:at], self.heads[: at + 1]
        finding = f"restored epoch {epoch} entry {at} code x"
        return other.add(entry(at + 1, "controller-started", findings=(finding, f"epoch {epoch}")))

    def statement(self, first: int, last: int, nonce: str, gap: Gap = Gap.NONE) -> Statement:
        return Statement(self.epoch, first, gap, self.heads[last].hex(), last, nonce, self.name)

    def batch(self, first: int, last: int, nonce: str, gap: Gap = Gap.NONE, shown: Shown | None = None) -> Batch:
        signed = signed_statement(self.statement(first, last, nonce, gap), self.signer)
        return batch_of(self.payloads[first - 1 : last], self.heads[first - 1], signed, shown)

    def give(
        self, ledger: Ledger, first: int, last: int, gap: Gap = Gap.NONE, shown: Shown | None = None
    ) -> FloorAnswer:
        """Sends the entries from `first` to `last` to the floor with a fresh nonce; returns the floor's answer."""
        return ledger.take(self.name, self.batch(first, last, ledger.place(self.name).nonce, gap, shown))


def batch_of(payloads: list[bytes], previous: bytes, signed: SignedStatement, shown: Shown | None = None) -> Batch:
    document = b"" if shown is None else encode_shown(shown)
    return Batch(payloads, previous, signed.signature, statement_text(signed.statement), document)


def rows(ledger: Ledger, table: str) -> list[tuple[int, int, bytes, bytes]]:
    """Epoch, number, chain value and bytes of every entry that the floor has of the table."""
    statement = "select epoch, seq, chain, payload from entry where table_id = %(table)s order by epoch, seq"
    found = ledger.store._database.read(statement, {"table": table})
    return [(epoch, seq, bytes(chain), bytes(payload)) for epoch, seq, chain, payload in found]


def grown_entries(note: str = "") -> Iterator[Entry]:
    """Yields a start, then further entries without end."""
    for seq in count(1):
        yield entry(seq, "controller-started" if seq == 1 else "noted", note)
