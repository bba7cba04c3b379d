"""A small reader of a journal's export, written from the prose of its format (controller/journal/FORMAT.md).

An export is lines: for each entry its chain value and the entry, and at the end how many there are and the head.
"""

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

EXPORT_FORMAT: Final = "sabot-journal-export-1"
_CHAIN_HEAD: Final = b'{"chain":"'
_CHAIN_TAIL: Final = b'","entry":'


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry; `refused` says that it changed nothing, `chain` stands for it and everything before."""

    seq: int
    kind: str
    body: dict[str, object]
    refused: bool
    chain: str

    def number(self, name: str) -> int:
        """A whole number of the body; 0 where there is none."""
        value = self.body.get(name)
        return value if isinstance(value, int) else 0

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


@dataclass(slots=True)
class Export:
    """The entries as far as they could be read, and what is wrong with the file."""

    entries: list[Entry] = field(default_factory=list)
    head: str = ""
    faults: list[str] = field(default_factory=list)


def read_export(path: Path) -> Export:
    """Reads and checks a whole export: chain, numbering, last line."""
    export = Export()
    head = bytes(32)
    lines = path.read_bytes().splitlines()
    for line in lines[:-1]:
        payload, chain = _split(line)
        head = _chained(head, payload)
        if head.hex() != chain:
            export.faults.append(f"journal: entry {len(export.entries) + 1} has chain {chain}, counted {head.hex()}")
            return export
        entry = _entry(payload, chain)
        if entry.seq != len(export.entries) + 1:
            export.faults.append(f"journal: entry {len(export.entries) + 1} calls itself {entry.seq}")
        export.entries.append(entry)
    export.head = head.hex()
    export.faults += _wrong_end(lines[-1] if lines else b"", export)
    return export


def _split(line: bytes) -> tuple[bytes, str]:
    """The entry's bytes as they are chained, and the chain value that is written beside them."""
    begin = len(_CHAIN_HEAD) + 64 + len(_CHAIN_TAIL)
    return line[begin:-1], line[len(_CHAIN_HEAD) : len(_CHAIN_HEAD) + 64].decode("ascii", "replace")


def _chained(head: bytes, payload: bytes) -> bytes:
    length = len(payload).to_bytes(4, "little")
    record = length + _crc(length) + _crc(payload) + payload
    return sha256(head + record).digest()


def _crc(data: bytes) -> bytes:
    return zlib.crc32(data).to_bytes(4, "little")


def _entry(payload: bytes, chain: str) -> Entry:
    plain = json.loads(payload)
    return Entry(plain["seq"], plain["kind"], plain["body"], plain["refusal"] is not None, chain)


def _wrong_end(line: bytes, export: Export) -> Iterator[str]:
    last = json.loads(line) if line else {}
    if last.get("format") != EXPORT_FORMAT:
        yield "journal: the export has no last line"
    elif last["count"] != len(export.entries) or last["head"] != export.head:
        counted = f"{len(export.entries)} entries, head {export.head}"
        yield f"journal: the export says {last['count']} entries, head {last['head']}; counted {counted}"
