"""A reader of a journal's export, written from the prose of its format (controller/journal/FORMAT.md) alone.

It checks the chain, the numbering, the canonical form and the last line by itself. What is wrong is a fault, at which
the reading ends; the entries before it are given all the same.
"""

import json
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final, TypeGuard

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

EXPORT_FORMAT: Final = "sabot-journal-export-1"
MOST_BYTES: Final = 1_048_576  # of one entry

_CHAIN_HEAD: Final = b'{"chain":"'
_CHAIN_TAIL: Final = b'","entry":'
_BEGIN: Final = len(_CHAIN_HEAD) + 64 + len(_CHAIN_TAIL)
_LEFT_OUT_HEAD: Final = b'{"left_out":'
_NUMBERS: Final = ("seq", "boot", "mono_ns", "wall_ms", "table_ms")
_SIGNED: Final = b"sabot journal export 1\n"
_KEYS: Final = frozenset((*_NUMBERS, "wall_synced", "kind", "body", "source", "refusal"))


@dataclass(frozen=True, slots=True)
class Source:
    """Which numbered event of which start of a device an entry is."""

    device: str
    device_boot: int
    event_number: int


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an act was refused."""

    reason: str
    clause: str


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry as it stands in the export; `chain` stands for it and everything before."""

    seq: int
    boot: int
    mono_ns: int
    wall_ms: int
    wall_synced: bool
    table_ms: int
    kind: str
    body: Mapping[str, object]
    source: Source | None
    refusal: Refusal | None
    chain: str

    @property
    def refused(self) -> bool:
        """The act of this entry was refused: it changed nothing."""
        return self.refusal is not None

    @property
    def is_act(self) -> bool:
        """Whether a person asked for it."""
        return "role" in self.body

    def number(self, name: str) -> int:
        """A whole number of the body; 0 where there is none."""
        value = self.body.get(name)
        return value if is_whole(value) else 0

    def text(self, name: str) -> str:
        """A word of the body; empty where there is none."""
        value = self.body.get(name)
        return value if isinstance(value, str) else ""

    def part(self, name: str) -> dict[str, object]:
        """An object in the body; empty where there is none."""
        value = self.body.get(name)
        return value if isinstance(value, dict) else {}

    def items(self, name: str) -> list[object]:
        """A list in the body; empty where there is none."""
        value = self.body.get(name)
        return value if isinstance(value, list) else []


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with the export; `entry` is the number of the entry that should stand there."""

    entry: int
    found: str
    expected: str

    def __str__(self) -> str:
        return f"journal: entry {self.entry}: {self.found}; expected {self.expected}"


@dataclass(slots=True)
class Export:
    """The entries as far as they could be read, what is wrong, and the first numbers after parts that were left out."""

    entries: list[Entry] = field(default_factory=list)
    head: str = bytes(32).hex()
    faults: list[Fault] = field(default_factory=list)
    resumed_at: list[int] = field(default_factory=list)


def _not_whole(text: str) -> object:
    raise ValueError(f"the number {text}")


_DECODER: Final = json.JSONDecoder(parse_float=_not_whole, parse_constant=_not_whole)
_ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class FormatError(Exception):
    """Something is not as the format says."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected


def read_export_file(path: Path) -> Export:
    """Reads and checks an export on disk. Raises OSError."""
    return read_export(path.read_bytes())


def read_export(data: bytes) -> Export:
    """Reads and checks a whole export; it never raises."""
    export = Export()
    reader = _Reader(export)
    *lines, rest = data.split(b"\n")
    try:
        for line in lines if rest else lines[:-1]:
            reader.take(line)
        reader.take_end(lines[-1:], rest)
    except FormatError as wrong:
        export.faults.append(Fault(reader.next_seq, wrong.found, wrong.expected))
    return export


class _Reader:
    """Goes line by line."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._head = bytes(32)
        self._text = sha256()
        self.next_seq = 1

    def take(self, line: bytes) -> None:
        """A line that is not the last."""
        self._text.update(line + b"\n")
        if line.startswith(_LEFT_OUT_HEAD):
            self._left_out(line)
            return
        payload, chain = _split(line)
        self._head = _chained(self._head, payload)
        if self._head.hex() != chain:
            raise FormatError(f"has chain {chain}", self._head.hex())
        entry = read_entry(payload, chain)
        if entry.seq != self.next_seq:
            raise FormatError(f"number {entry.seq}", str(self.next_seq))
        self._export.entries.append(entry)
        self._export.head = chain
        self.next_seq += 1

    def take_end(self, lines: list[bytes], rest: bytes) -> None:
        """The line that says how many entries there are, and the head; behind its line feed there is nothing."""
        if rest or not lines:
            raise FormatError("the text ends within a line", "a line feed at the end")
        line = lines[0]
        last = _object(_parsed(line))
        if last.get("format") != EXPORT_FORMAT:
            raise FormatError(f"no last line but {line[:60]!r}", EXPORT_FORMAT)
        key, signature = (str(last.pop(name, "")) for name in ("public_key", "signature"))
        expected = {"count": len(self._export.entries), "format": EXPORT_FORMAT, "head": self._head.hex()}
        expected["text"] = self._text.hexdigest()
        if last != expected:
            raise FormatError(f"the export says {last}", f"{expected}")
        _check_signature(key, signature, expected | {"public_key": key})

    def _left_out(self, line: bytes) -> None:
        """People have closed a damage: the chain goes on with the value before it, the numbers do not."""
        part = _object(_parsed(line)).get("left_out")
        first_bad, next_seq = (_object(part).get(name) for name in ("first_bad", "next_seq"))
        if not is_whole(first_bad) or not is_whole(next_seq) or not self.next_seq == first_bad < next_seq:
            raise FormatError(f"a part left out from {first_bad} to {next_seq}", f"one that begins at {self.next_seq}")
        self.next_seq = next_seq
        self._export.resumed_at.append(next_seq)


def _check_signature(key: str, signature: str, statement: dict[str, object]) -> None:
    """By `openssl` or any other; FormatError unless the key that the line names has signed the rest of it."""
    signed = _SIGNED + _ENCODER.encode(statement).encode()
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), signed)
    except (ValueError, InvalidSignature) as error:
        raise FormatError("a signature that is not the key's", "a valid one") from error


def read_entry(payload: bytes, chain: str) -> Entry:
    """An entry from its canonical JSON. FormatError for anything else."""
    plain = _object(_parsed(payload))
    if plain.keys() != _KEYS:
        raise FormatError(f"keys {sorted(plain)}", f"{sorted(_KEYS)}")
    numbers = {name: value for name in _NUMBERS if is_whole(value := plain[name])}
    kind, synced = plain["kind"], plain["wall_synced"]
    if len(numbers) != len(_NUMBERS) or not isinstance(kind, str) or not isinstance(synced, bool):
        raise FormatError("a field of another type", "numbers, a kind, and whether the clock was synchronised")
    return Entry(
        **numbers,
        wall_synced=synced,
        kind=kind,
        body=_object(plain["body"]),
        source=_source(plain["source"]),
        refusal=_refusal(plain["refusal"]),
        chain=chain,
    )


def _source(value: object) -> Source | None:
    if value is None:
        return None
    match value:
        case {"device": str(device), "device_boot": int(boot), "event_number": int(number), **rest} if not rest:
            return Source(device, boot, number)
    raise FormatError(f"source {value}", "device, device_boot, event_number")


def _refusal(value: object) -> Refusal | None:
    if value is None:
        return None
    match value:
        case {"reason": str(reason), "clause": str(clause), **rest} if not rest:
            return Refusal(reason, clause)
    raise FormatError(f"refusal {value}", "reason and clause")


def is_whole(value: object) -> TypeGuard[int]:
    """Whether it is a whole number (and no truth value)."""
    return isinstance(value, int) and not isinstance(value, bool)


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FormatError(f"{value}", "an object")
    return value


def _split(line: bytes) -> tuple[bytes, str]:
    """The entry's bytes as they are chained, and the chain value that is written beside them."""
    chain = line[len(_CHAIN_HEAD) : len(_CHAIN_HEAD) + 64].decode("ascii", "replace")
    payload = line[_BEGIN:-1]
    if line != _CHAIN_HEAD + chain.encode() + _CHAIN_TAIL + payload + b"}" or len(payload) > MOST_BYTES:
        raise FormatError(f"a line {line[:40]!r}", "a chain value and an entry")
    return payload, chain


def _chained(head: bytes, payload: bytes) -> bytes:
    length = len(payload).to_bytes(4, "little")
    return sha256(head + length + _crc(length) + _crc(payload) + payload).digest()


def _crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def _parsed(text: bytes) -> object:
    """Canonical JSON: written again it must be the same bytes."""
    try:
        value: object = _DECODER.decode(text.decode())
        again = _ENCODER.encode(value).encode()
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{error}", "JSON") from error
    if again != text:
        raise FormatError("JSON in another form", "canonical JSON")
    return value
