"""Encodes and decodes the lines of an export (FORMAT.md, "Export")."""

import re
from dataclasses import dataclass
from enum import StrEnum, unique
from typing import Final

from controller.journal.codec import CanonicalDecoder, encode_canonical
from controller.journal.errors import CodecError, Reason
from controller.journal.face_down import NeverTurned
from controller.journal.mark import read_mark
from controller.journal.note import Note, decode_note, encode_note
from controller.journal.recovery import SealedDamage
from controller.journal.seals import is_seal_of
from controller.journal.signing import Signer, is_signed
from controller.journal.words import DELETED, Words, is_of

FORMAT_NAME: Final = "sabot-journal-export-4"
WITHOUT_WORDS: Final = "sabot-journal-export-3"
WITHOUT_MARKS: Final = "sabot-journal-export-2"
WITHOUT_SEALS: Final = "sabot-journal-export-1"
"""The formats of earlier programs: formats 1 to 3 lack lines of words, formats 1 and 2 lines of marks, and format 1
lines of cards that were never turned."""

_CHAIN: Final = b'{"chain":"'
_ENTRY: Final = b'","entry":'
_END: Final = b"}\n"
_PAYLOAD_AT: Final = len(_CHAIN) + 64 + len(_ENTRY)


@dataclass(frozen=True, slots=True)
class LeftOut:
    """The entries that an export leaves out after a damage that people have closed: `first_bad` to `next_seq` - 1.
    `segment`: the segment whose header names the damaged bytes by their SHA-256 (`damaged`).
    """

    damaged: str
    first_bad: int
    next_seq: int
    reason: Reason
    segment: int


@dataclass(frozen=True, slots=True)
class _LeftOutLine:
    left_out: LeftOut


@dataclass(frozen=True, slots=True)
class SealLine:
    """The encrypted seal of a card that was never turned, in hexadecimal. "" if the seal is lost."""

    commitment: str
    entry: int
    sealed: str


@dataclass(frozen=True, slots=True)
class _SealLineLine:
    seal: SealLine


@dataclass(frozen=True, slots=True)
class _MarkLine:
    mark: str


@unique
class Kept(StrEnum):
    """The state of typed words: still in their file, deleted by people, or lost with the file."""

    KEPT = "kept"
    FORGOTTEN = "forgotten"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class WordsLine:
    """The words that a person typed, and their salt (hex). `text` and `salt` are "" if `state` is LOST or FORGOTTEN."""

    commitment: str
    entry: int
    salt: str
    state: Kept
    text: str


@dataclass(frozen=True, slots=True)
class _WordsLineLine:
    words: WordsLine


@dataclass(frozen=True, slots=True)
class LastLine:
    """The last line of an export: the number of entries, the chain value of the last entry, the public key and the
    signature. `text`: the SHA-256 of all earlier lines.
    """

    count: int
    format: str
    head: str
    public_key: str
    signature: str
    text: str


_LAST: Final = CanonicalDecoder(LastLine)
_LEFT_OUT: Final = CanonicalDecoder(_LeftOutLine)
_SEAL: Final = CanonicalDecoder(_SealLineLine)
_MARK: Final = CanonicalDecoder(_MarkLine)
_WORDS: Final = CanonicalDecoder(_WordsLineLine)
_SALT: Final = re.compile(r"[0-9a-f]{64}")
_WORDS_HEAD: Final = b'{"words":'


def record_line(chain: bytes, payload: bytes) -> bytes:
    return _CHAIN + chain.hex().encode() + _ENTRY + payload + _END


def is_record_line(line: bytes) -> bool:
    """True for an entry's line, by the beginning of the line."""
    return line.startswith(_CHAIN)


def payload_of(line: bytes) -> bytes | None:
    """Returns the entry's bytes in `line`. Returns None for another kind of line. Does not check the line: for a check,
    encode the bytes with `record_line` and compare.
    """
    if not line.startswith(_CHAIN) or not line.endswith(_END):
        return None
    return line[_PAYLOAD_AT : -len(_END)]


def left_out_line(sealed: SealedDamage) -> bytes:
    damage = sealed.damage
    left_out = LeftOut(sealed.digest.hex(), damage.first_bad_seq, sealed.next_seq, damage.reason, sealed.by)
    return encode_canonical(_LeftOutLine(left_out)) + b"\n"


def decode_left_out(line: bytes) -> LeftOut:
    """Decodes a line about entries that were left out. Raises CodecError for any other line."""
    return _LEFT_OUT.decode(line.removesuffix(b"\n")).left_out


def seal_line(never_turned: NeverTurned, sealed: bytes) -> bytes:
    """The line of a card that was never turned. `sealed`: the stored seal, or b"" if the seal is lost."""
    return encode_canonical(_SealLineLine(SealLine(never_turned.commitment, never_turned.entry, sealed.hex()))) + b"\n"


def decode_seal_line(line: bytes) -> SealLine:
    """Decodes the line of a card that was never turned. Raises CodecError for any other line, and for a seal of another
    card.
    """
    seal = _SEAL.decode(line.removesuffix(b"\n")).seal
    if seal.sealed and not is_seal_of(seal.commitment, seal.sealed):
        raise CodecError("another card's seal, or none")
    return seal


def words_line(commitment: str, entry: int, words: Words | None) -> bytes:
    """The line of the typed words of one commitment, in entry `entry`. `words`: None if the words are lost."""
    state = Kept.LOST if words is None else Kept.FORGOTTEN if words == DELETED else Kept.KEPT
    salt, text = (words.salt.hex(), words.text) if words is not None else ("", "")
    return encode_canonical(_WordsLineLine(WordsLine(commitment, entry, salt, state, text))) + b"\n"


def decode_words_line(line: bytes) -> WordsLine:
    """Decodes a line of typed words. Raises CodecError for any other line, and for words of another commitment."""
    words = _WORDS.decode(line.removesuffix(b"\n")).words
    if not _is_right(words):
        raise CodecError("words of another commitment")
    return words


def _is_right(words: WordsLine) -> bool:
    if words.state is not Kept.KEPT:
        return words.salt == words.text == ""
    is_salt = _SALT.fullmatch(words.salt) is not None
    return is_salt and is_of(words.commitment, Words(bytes.fromhex(words.salt), words.text))


def is_words_line(line: bytes) -> bool:
    return line.startswith(_WORDS_HEAD)


def mark_line(note: Note) -> bytes:
    """The line of an export for a mark that lies beside the journal, with all signatures of the mark."""
    return encode_canonical(_MarkLine(encode_note(note).decode())) + b"\n"


def decode_mark_line(line: bytes) -> Note:
    """The note in a mark's line, without a check of its signatures. Raises CodecError for any other line."""
    note = decode_note(_MARK.decode(line.removesuffix(b"\n")).mark.encode())
    read_mark(note.text)
    return note


def last_line(count: int, head: bytes, text: bytes, signer: Signer) -> bytes:
    """The signed last line. `text`: the SHA-256 of all lines before it."""
    statement = _statement(count, FORMAT_NAME, head.hex(), signer.public_key, text.hex())
    signature = signer.sign(statement)
    return encode_canonical(LastLine(count, FORMAT_NAME, head.hex(), signer.public_key, signature, text.hex())) + b"\n"


def decode_last_line(line: bytes) -> LastLine:
    """Decodes a last line, without checking its signature. Raises CodecError for any other line."""
    return _LAST.decode(line.removesuffix(b"\n"))


def is_signed_line(last: LastLine) -> bool:
    """True if the line's signature, by the key that the line names, is valid."""
    statement = _statement(last.count, last.format, last.head, last.public_key, last.text)
    return is_signed(last.public_key, last.signature, statement)


def _statement(count: int, format_name: str, head: str, public_key: str, text: str) -> bytes:
    return encode_canonical(
        {"count": count, "format": format_name, "head": head, "public_key": public_key, "text": text}
    )
