"""Signed notes (C2SP `signed-note`): a text, followed by signature lines.

Each key has a name and an id: the first four bytes of a hash over name, kind and key. The key's signatures begin with
the id. A signature line of an unknown key is ignored. A wrong line of a known key makes the note invalid. All keys are
Ed25519 keys (kinds 1 and 4).
"""

import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from enum import IntEnum, unique
from hashlib import sha256
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct
from msgspec.structs import replace

from controller.journal.errors import CodecError

MOST_SIGNATURES: Final = 32
LARGEST_NOTE: Final = 1 << 16
LARGEST_TIME: Final = (1 << 63) - 1

_KEY_ID_SIZE: Final = 4
_TIME_SIZE: Final = 8
_LINE: Final = re.compile("— ([^ +]+) ([A-Za-z0-9+/=]+)")
_NAME: Final = re.compile(r"[^\s+]{1,200}")
_VKEY: Final = re.compile(r"([^\s+]{1,200})\+([0-9a-f]{8})\+([A-Za-z0-9+/=]{1,100})")


@unique
class KeyKind(IntEnum):
    """The use of a key: to sign notes, or to cosign checkpoints."""

    NOTE = 1  # the text
    COSIGNATURE = 4  # the text of a checkpoint and the time (C2SP tlog-cosignature)


class NoteKey(Struct, frozen=True, gc=False):
    """A named public key for the signatures of notes. `public_key`: 64 hexadecimal digits."""

    name: str
    kind: KeyKind
    public_key: str

    @property
    def key_id(self) -> bytes:
        """The key's id: the four bytes with which the base64 data of its signature lines begin."""
        return sha256(self.name.encode() + b"\n" + self._typed()).digest()[:_KEY_ID_SIZE]

    @property
    def text(self) -> str:
        """The key in C2SP's form, `name+id+data`. `data` is the base64 text of the kind and the key's bytes."""
        return f"{self.name}+{self.key_id.hex()}+{b64encode(self._typed()).decode()}"

    def _typed(self) -> bytes:
        return bytes((self.kind,)) + bytes.fromhex(self.public_key)


class NoteSignature(Struct, frozen=True, gc=False):
    """One signature line: the key's name and id, and the bytes after the id."""

    name: str
    key_id: bytes
    signature: bytes


class Note(Struct, frozen=True, gc=False):
    """A text with its signatures. The text ends with a line feed."""

    text: bytes
    signatures: tuple[NoteSignature, ...]

    def by(self, key: NoteKey) -> NoteSignature | None:
        """Returns the signature line of `key`, even if the signature is invalid. Returns None if the note has no line
        of `key`.
        """
        wanted = key.name, key.key_id
        return next((one for one in self.signatures if (one.name, one.key_id) == wanted), None)


def read_key(text: str) -> NoteKey:
    """Reads a public key in C2SP's form, as `NoteKey.text` writes it. Raises CodecError."""
    found = _VKEY.fullmatch(text.strip())
    typed = b"" if found is None else from_base64(found[3])
    if found is None or len(typed) != 1 + 32 or typed[0] not in set(KeyKind):
        raise CodecError("no key of a note")
    key = NoteKey(found[1], KeyKind(typed[0]), typed[1:].hex())
    if key.key_id.hex() != found[2]:
        raise CodecError("the id is not this key's")
    return key


def from_base64(text: str) -> bytes:
    """Decodes a base64 text. Raises CodecError unless the text is the canonical encoding of its bytes."""
    try:
        data = b64decode(text, validate=True)
    except ValueError as error:
        raise CodecError("no base64") from error
    if b64encode(data).decode() != text:
        raise CodecError("not the one base64 of its bytes")
    return data


def signature_line(signature: NoteSignature) -> bytes:
    """The text of a signature line, with its line feed."""
    data = b64encode(signature.key_id + signature.signature).decode()
    return f"— {signature.name} {data}\n".encode()


def encode_note(note: Note) -> bytes:
    return note.text + b"\n" + b"".join(map(signature_line, note.signatures))


def decode_note(data: bytes) -> Note:
    """Decodes a note. Raises CodecError for other bytes, for a note without signatures, and for too many signatures."""
    text, gap, lines = data.rpartition(b"\n\n")
    if not gap or not text or len(data) > LARGEST_NOTE or not lines.endswith(b"\n"):
        raise CodecError("no note")
    _check_text(data)
    note = Note(text + b"\n", tuple(read_signatures(lines)))
    if not 1 <= len(note.signatures) <= MOST_SIGNATURES:
        raise CodecError("a note with too few or too many signatures")
    return note


def _check_text(data: bytes) -> None:
    try:
        characters = data.decode()
    except UnicodeDecodeError as error:
        raise CodecError("a note that is no UTF-8") from error
    if any(one < " " and one != "\n" for one in characters):
        raise CodecError("a note with a control character")


def decode_notes(data: bytes) -> Iterator[Note]:
    """Yields the notes of a file that has an empty line between notes. Skips parts that are no note. The text of a note
    must have no empty line.
    """
    parts = data.split(b"\n\n")
    for text, lines in zip(parts[::2], parts[1::2], strict=False):
        try:
            yield decode_note(text + b"\n\n" + lines.removesuffix(b"\n") + b"\n")
        except CodecError:
            continue


def decode_whole(data: bytes) -> tuple[Note, ...]:
    """Decodes a file of notes with an empty line between them. Raises CodecError for a file with anything else."""
    notes = tuple(decode_notes(data))
    if not notes or b"\n".join(map(encode_note, notes)) != data:
        raise CodecError("not notes alone")
    return notes


def read_signatures(lines: bytes) -> Iterator[NoteSignature]:
    """Yields the signature of each line. Raises CodecError at a line that has none."""
    for line in lines.decode("utf-8", "replace").removesuffix("\n").split("\n"):
        found = _LINE.fullmatch(line)
        data = b"" if found is None else from_base64(found[2])
        if found is None or not _NAME.fullmatch(found[1]) or len(data) <= _KEY_ID_SIZE:
            raise CodecError("no signature line")
        yield NoteSignature(found[1], data[:_KEY_ID_SIZE], data[_KEY_ID_SIZE:])


def is_note_by(note: Note, key: NoteKey) -> bool:
    """True if the note has a signature line of `key`, and every line with the name and id of `key` is valid."""
    wanted = key.name, key.key_id
    found = [one.signature for one in note.signatures if (one.name, one.key_id) == wanted]
    return bool(found) and all(_is_right(note.text, key, one) for one in found)


def _is_right(text: bytes, key: NoteKey, signature: bytes) -> bool:
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key.public_key))
        if key.kind is KeyKind.NOTE:
            public.verify(signature, text)
        else:
            when, signed = int.from_bytes(signature[:_TIME_SIZE]), signature[_TIME_SIZE:]
            public.verify(signed, cosigned(text, when))
            return when <= LARGEST_TIME
    except (ValueError, InvalidSignature):
        return False
    return True


def cosigned(text: bytes, when: int) -> bytes:
    """The bytes that a witness signs: the time `when` in seconds since 1970, and the checkpoint's text."""
    return f"cosignature/v1\ntime {when}\n".encode() + text


def time_of(signature: NoteSignature) -> int:
    """The time of a cosignature, in seconds since 1970."""
    return int.from_bytes(signature.signature[:_TIME_SIZE])


def timed(when: int, signed: bytes) -> bytes:
    """Returns the bytes that follow the key's id in a cosignature: the time `when` in seconds since 1970, and the
    signature `signed`.
    """
    return when.to_bytes(_TIME_SIZE) + signed


def with_signatures(note: Note, signatures: tuple[NoteSignature, ...]) -> Note:
    """Returns the note with `signatures` added. The new signatures replace older signatures by the same keys."""
    new = {(one.name, one.key_id) for one in signatures}
    kept = tuple(one for one in note.signatures if (one.name, one.key_id) not in new)
    return replace(note, signatures=kept + signatures)
