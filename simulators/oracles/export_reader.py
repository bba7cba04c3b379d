"""A reader of a journal's export, written from the prose of the format (controller/journal/FORMAT.md) alone. The reader
checks the chain, the numbering, the canonical form and the last line. It stops at the first fault, and returns the
entries before the fault.
"""

import re
import zlib
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from simulators.oracles.export_entries import (
    ENCODER,
    Entry,
    FormatError,
    as_object,
    is_whole,
    parsed,
    read_entry,
)
from simulators.oracles.sealed_cards import SealedCards, is_a_seal_of

EXPORT_FORMAT: Final = "sabot-journal-export-4"
WITHOUT_WORDS: Final = "sabot-journal-export-3"
WITHOUT_MARKS: Final = "sabot-journal-export-2"
EARLIER_FORMAT: Final = "sabot-journal-export-1"  # without marks, and without seals of cards never turned
REMOVED_FORMAT: Final = "sabot-journal-removed-1"
MOST_BYTES: Final = 1_048_576  # of one entry

_CHAIN_HEAD: Final = b'{"chain":"'
_CHAIN_TAIL: Final = b'","entry":'
_BEGIN: Final = len(_CHAIN_HEAD) + 64 + len(_CHAIN_TAIL)
_LEFT_OUT_HEAD: Final = b'{"left_out":'
_SEAL_HEAD: Final = b'{"seal":'
_WORDS_HEAD: Final = b'{"words":'
_COMMITTED: Final = re.compile(r"sealed:([0-9a-f]{64})(?:\.{10})?")
_MARK_HEAD: Final = b'{"mark":'
_REMOVED_HEAD: Final = b'{"removed":'
_HEAD: Final = re.compile("[0-9a-f]{64}")
_HEX: Final = re.compile("[0-9a-f]+")
_SIGNED: Final = b"sabot journal export 1\n"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault of the export. `entry`: the number of the entry that was expected where the fault is."""

    entry: int
    found: str
    expected: str

    def __str__(self) -> str:
        return f"journal: entry {self.entry}: {self.found}; expected {self.expected}"


@dataclass(slots=True)
class Export:
    """The readable entries of an export, its faults, and its other lines. `resumed_at`: the number of the first entry
    after each part that was left out.
    """

    entries: list[Entry] = field(default_factory=list)
    head: str = bytes(32).hex()
    faults: list[Fault] = field(default_factory=list)
    resumed_at: list[int] = field(default_factory=list)
    sealed: dict[str, str] = field(default_factory=dict)  # commitment and seal of cards never turned
    words: dict[str, str | None] = field(default_factory=dict)  # typed words by commitment; None: not kept
    behind: str | None = None  # the chain value up to which sessions were removed
    begins: int = 1
    marks: list[str] = field(default_factory=list)


def read_export_file(path: Path) -> Export:
    """Reads and checks an export on disk. Raises OSError if the file cannot be read."""
    return read_export(path.read_bytes())


def read_export(data: bytes) -> Export:
    """Reads and checks a whole export. Returns faults in the result, and raises none."""
    export = Export()
    reader = _Reader(export)
    *lines, rest = data.split(b"\n")
    try:
        for line in lines if rest else lines[:-1]:
            reader.take(line)
        reader.take_end(lines[-1:], rest, data)
    except FormatError as wrong:
        export.faults.append(Fault(reader.next_seq, wrong.found, wrong.expected))
    return export


class _Reader:
    """Reads an export line by line."""

    def __init__(self, export: Export) -> None:
        self._export = export
        self._head = bytes(32)
        self._cards = SealedCards()
        self._missed = False  # a due seal is missing
        self._due_words: list[object] = []
        self._wordless = False  # due words are missing
        self.next_seq = 1

    def take(self, line: bytes) -> None:
        """Reads one line before the last line. Raises FormatError if the line does not follow the format."""
        if line.startswith(_SEAL_HEAD):
            self._seal(line)
            return
        if line.startswith(_WORDS_HEAD):
            self._words(line)
            return
        self._wordless = self._wordless or bool(self._due_words)
        self._missed = self._missed or bool(self._cards.due)
        self._cards.due = []
        if line.startswith(_LEFT_OUT_HEAD):
            self._left_out(line)
        elif line.startswith(_REMOVED_HEAD):
            self._removed(line)
        elif line.startswith(_MARK_HEAD):
            self._mark(line)
        else:
            self._entry(line)

    def _entry(self, line: bytes) -> None:
        payload, chain = _split(line)
        self._head = _chained(self._head, payload)
        if self._head.hex() != chain:
            raise FormatError(f"has chain {chain}", self._head.hex())
        entry = read_entry(payload, chain)
        if entry.seq != self.next_seq:
            raise FormatError(f"number {entry.seq}", str(self.next_seq))
        self._export.entries.append(entry)
        self._export.head = chain
        committed = (_COMMITTED.fullmatch(one) for one in entry.body.values() if isinstance(one, str))
        self._due_words = [(one[1], entry.seq) for one in committed if one]
        self.next_seq += 1
        if not entry.refused:
            self._cards.take(entry.seq, entry.kind, entry.body)

    def take_end(self, lines: list[bytes], rest: bytes, data: bytes) -> None:
        """Checks the last line: its number of entries, its head and its signature.

        `lines`: the last line, or an empty list; `rest`: the text after it; `data`: the whole export. Raises
        FormatError if the line is wrong or missing, or if text follows it.
        """
        if rest or not lines:
            raise FormatError("the text ends within a line", "a line feed at the end")
        line = lines[0]
        last = as_object(parsed(line))
        form = last.get("format")
        if form not in {EXPORT_FORMAT, WITHOUT_WORDS, WITHOUT_MARKS, EARLIER_FORMAT}:
            raise FormatError(f"no last line but {line[:60]!r}", EXPORT_FORMAT)
        self._check_seals(str(form))
        key, signature = (str(last.pop(name, "")) for name in ("public_key", "signature"))
        expected: dict[str, object] = {"count": len(self._export.entries), "format": form, "head": self._head.hex()}
        expected["text"] = sha256(data[: -len(line) - 1]).hexdigest()
        if last != expected:
            raise FormatError(f"the export says {last}", f"{expected}")
        _check_signature(key, signature, expected | {"public_key": key})

    def _check_seals(self, form: str) -> None:
        if form != EXPORT_FORMAT and self._export.words:
            raise FormatError("words in an export of an earlier format", "none")
        if form == EXPORT_FORMAT and (self._wordless or self._due_words):
            raise FormatError("typed words are not given", "a line for each")
        if form not in {EXPORT_FORMAT, WITHOUT_WORDS} and self._export.marks:
            raise FormatError("a mark in an export of an earlier format", "none")
        if form != EARLIER_FORMAT and (self._missed or self._cards.due):
            raise FormatError("a card that was never turned is not given sealed", "a line for each")
        if form == EARLIER_FORMAT and self._export.sealed:
            raise FormatError("a seal in an export of the first format", "none")

    def _seal(self, line: bytes) -> None:
        """Reads a line with the seal of a card that was never turned. Raises FormatError unless this card's seal is
        due.

        These lines follow the entry that puts the used cards back, in the order in which the seals are due.
        """
        part = as_object(as_object(parsed(line)).get("seal"))
        due, self._cards.due = self._cards.due[:1], self._cards.due[1:]
        commitment, entry, sealed = (part.get(name) for name in ("commitment", "entry", "sealed"))
        if [(commitment, entry)] != due or not isinstance(sealed, str) or not is_a_seal_of(sealed, str(commitment)):
            raise FormatError(f"a seal of {commitment} in entry {entry}", f"{due}")
        self._export.sealed[str(commitment)] = sealed

    def _words(self, line: bytes) -> None:
        """Reads a line with the text that a person typed for the previous entry, or with the note that the text is
        forgotten or lost.
        """
        part = as_object(as_object(parsed(line)).get("words"))
        due, self._due_words = self._due_words[:1], self._due_words[1:]
        commitment, entry, salt, text, state = (
            part.get(name) for name in ("commitment", "entry", "salt", "text", "state")
        )
        if state == "kept" and _HEAD.fullmatch(str(salt)):
            is_right = sha256(bytes.fromhex(str(salt)) + str(text).encode()).hexdigest() == commitment
        else:
            is_right = state in {"forgotten", "lost"} and salt == text == ""
        if [(commitment, entry)] != due or not is_right:
            raise FormatError(f"words of {commitment} in entry {entry}", f"{due}")
        self._export.words[str(commitment)] = str(text) if state == "kept" else None

    def _removed(self, line: bytes) -> None:
        """Reads the note that the first sessions were removed. The chain continues from the head in the note."""
        part = as_object(as_object(parsed(line)).get("removed"))
        first, head = part.get("first_seq"), part.get("head")
        key, signature = str(part.get("public_key")), str(part.pop("signature", ""))
        is_one = part.get("format") == REMOVED_FORMAT and _HEAD.fullmatch(str(head)) is not None
        if self.next_seq != 1 or not is_whole(first) or first < 1 or not is_one:
            raise FormatError(f"something removed before {first}", f"{REMOVED_FORMAT} at the beginning")
        _check_signature(key, signature, part)
        self._head, self.next_seq = bytes.fromhex(str(head)), first
        self._export.behind, self._export.begins = str(head), first

    def _mark(self, line: bytes) -> None:
        """Reads a mark, a statement signed by the table that says how far its journal went. Does not check its
        signatures.
        """
        mark = as_object(parsed(line)).get("mark")
        if self._export.entries or self._export.resumed_at or not isinstance(mark, str):
            raise FormatError("a mark", "one before the first entry")
        self._export.marks.append(mark)

    def _left_out(self, line: bytes) -> None:
        """Reads the note that a damaged part was left out. The chain continues from the entry before that part, and the
        numbers continue after that part.
        """
        part = as_object(parsed(line)).get("left_out")
        first_bad, next_seq = (as_object(part).get(name) for name in ("first_bad", "next_seq"))
        if not is_whole(first_bad) or not is_whole(next_seq) or not self.next_seq == first_bad < next_seq:
            raise FormatError(f"a part left out from {first_bad} to {next_seq}", f"one that begins at {self.next_seq}")
        self.next_seq = next_seq
        self._export.resumed_at.append(next_seq)


def _check_signature(key: str, signature: str, statement: dict[str, object]) -> None:
    """Raises FormatError unless `signature` is the signature of `statement` by the public key `key`."""
    signed = _SIGNED + ENCODER.encode(statement).encode()
    if not _HEX.fullmatch(signature + key):
        raise FormatError("a signature in another form", "lower-case hexadecimal digits")
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(key)).verify(bytes.fromhex(signature), signed)
    except (ValueError, InvalidSignature) as error:
        raise FormatError("a signature that is not the key's", "a valid one") from error


def _split(line: bytes) -> tuple[bytes, str]:
    """Returns an entry's bytes and the chain value from one line. Raises FormatError for any other line."""
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
