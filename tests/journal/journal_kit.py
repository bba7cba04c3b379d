"""Small journals for the tests of the journal: entries, batches, a written disk, a verifier that shares no code."""

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
    """An entry; its number decides on the fields that it uses."""
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
    """Recovers the storage and appends the batches."""
    logic = WriterLogic(recover(storage).tip(), segment_limit=segment_limit)
    for each in batches:
        for step in logic.begin(each):
            perform(storage, step)
        logic.succeeded()
    return logic


def heard_from(storage: MemoryStorage) -> list[Call]:
    """The list of all later calls of a writing verb."""
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
    """Bytes that are the same for the same seed, and never the same twice."""
    state = count(seed << 32)
    return lambda size: shake_256(b"%d" % next(state)).digest(size)


def seal_file(*cards: int, salted: int = 1) -> bytes:
    """A seal for each of these numbers."""
    store = SealStore(SealKey(bytes(32), created=False), MemoryStorage(), seeded_bytes(salted))
    return b"".join(store.seal(card, "AS").data for card in cards)


def files(storage: MemoryStorage) -> dict[str, bytes]:
    """The stored bytes, by name."""
    return {file.name: storage.read(file.name) for file in storage.list()}


def other_payload(seq: int) -> bytes:
    """Another entry of this number than `batch` has."""
    return batch(seq, seq).payloads[0].replace(b'"boot":1', b'"boot":2')


def to_directory(storage: MemoryStorage, path: Path) -> Path:
    path.mkdir()
    for file in storage.list():
        (path / file.name).write_bytes(storage.read(file.name))
    return path


def independent_verify(files: dict[str, bytes]) -> tuple[int, str]:
    """Entries and head of a journal by FORMAT.md alone; ValueError where it does not verify."""
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
