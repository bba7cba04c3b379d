"""Small journals for the journal's tests: entries, batches, a written disk, a verifier that shares no code."""

import json
import zlib
from collections.abc import Callable, Iterable
from hashlib import sha256, shake_256
from itertools import count
from pathlib import Path

import msgspec

from controller.journal.entry import Entry, EntryRefusal, EntrySource, encode_entry
from controller.journal.recovery import recover
from controller.journal.seals import SealKey, SealStore
from controller.journal.signing import Signer
from controller.journal.writer_logic import Batch, WriterLogic, perform
from simulators.disk import Call, MemoryStorage

SEGMENT_1 = "00000001.segment"
SIGNER = Signer(bytes(32))


def entry(seq: int, *, note: str = "é") -> Entry:
    """The entry number `seq`; the number decides which optional fields the entry has."""
    return Entry(
        seq=seq,
        boot=1,
        mono_ns=seq * 1_000_000_007,
        wall_ms=1_700_000_000_000 + seq,
        wall_synced=seq % 2 == 0,
        table_ms=seq * 1000,
        kind="noted",
        body=msgspec.Raw(msgspec.json.encode({"note": note * (seq % 3)}, order="sorted")),
        source=EntrySource("shuffler", 3, seq) if seq % 3 == 0 else None,
        refusal=EntryRefusal(reason="supervisor-present", clause="pt.bj.5") if seq % 4 == 0 else None,
    )


def batch(first: int, last: int, seals: tuple[bytes, ...] = ()) -> Batch:
    return Batch(last, tuple(encode_entry(entry(seq)) for seq in range(first, last + 1)), seals)


def write(storage: MemoryStorage, batches: Iterable[Batch], *, segment_limit: int = 1 << 20) -> WriterLogic:
    """Recovers the journal in the storage, appends the batches, and returns the writer."""
    logic = WriterLogic(recover(storage).tip(), segment_limit=segment_limit)
    for each in batches:
        for step in logic.begin(each):
            perform(storage, step)
        logic.succeeded()
    return logic


def heard_from(storage: MemoryStorage) -> list[Call]:
    """A list to which the storage adds each later call that writes, syncs or removes."""
    calls: list[Call] = []
    storage.on_call = calls.append
    return calls


def small_journal(entries: int = 6, *, per_segment: int = 3) -> MemoryStorage:
    """Entries 1 to `entries`, each its own batch, in segments of `per_segment`."""
    storage = MemoryStorage()
    for seq in range(1, entries + 1):
        write(storage, [batch(seq, seq)], segment_limit=1 if seq % per_segment == 1 else 1 << 20)
    return storage


def seeded_bytes(seed: int) -> Callable[[int], bytes]:
    """A source of random bytes: each call gives other ones, and the same seed gives the same series."""
    state = count(seed << 32)
    return lambda size: shake_256(b"%d" % next(state)).digest(size)


def seal_file(*cards: int, salted: int = 1) -> bytes:
    """The content of a file of seals, one for each of these numbers of cards."""
    store = SealStore(SealKey(bytes(32), created=False), MemoryStorage(), seeded_bytes(salted))
    return b"".join(store.seal(card, "AS").data for card in cards)


def files(storage: MemoryStorage) -> dict[str, bytes]:
    """The stored bytes, by name."""
    return {file.name: storage.read(file.name) for file in storage.list()}


def other_payload(seq: int) -> bytes:
    """The payload of an entry with this number that differs from the one in `batch`."""
    return batch(seq, seq).payloads[0].replace(b'"boot":1', b'"boot":2')


def to_directory(storage: MemoryStorage, path: Path) -> Path:
    path.mkdir()
    for file in storage.list():
        (path / file.name).write_bytes(storage.read(file.name))
    return path


def independent_verify(files: dict[str, bytes]) -> tuple[int, str]:
    """Verifies a journal by FORMAT.md alone; returns the number of entries and the head. ValueError for a fault."""
    head, seq = bytes(32), 0
    names = sorted(name for name, data in files.items() if name.endswith(".segment") and data)
    for number, name in enumerate(names, 1):
        data = files[name]
        header = b"\x89SABOT\r\n" + b"".join(
            value.to_bytes(size, "little") for value, size in ((1, 4), (number, 4), (seq + 1, 8))
        )
        header += head + bytes(32)
        header += zlib.crc32(header).to_bytes(4, "little")
        if name != f"{number:08d}.segment" or data[:92] != header:
            raise ValueError(f"header of segment {number}")
        data = data[92:]
        while data:
            size = int.from_bytes(data[:4], "little")
            payload = data[12 : 12 + size]
            start = data[:4] + _crc(data[:4]) + _crc(payload) + payload
            head, seq = sha256(head + start).digest(), seq + 1
            if data[: size + 44] != start + head or json.loads(payload)["seq"] != seq:
                raise ValueError(f"entry {seq}")
            data = data[size + 44 :]
    return seq, head.hex()


def _crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")
