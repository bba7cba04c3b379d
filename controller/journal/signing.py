"""A table's Ed25519 key, its signatures, and the formats of a public key in a file.

The secret key lies beside the journal's directory and never in it. The public key is in the entry of every start and in
the last line of every export.
"""

import os
import re
from base64 import b64encode
from contextlib import suppress
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from controller.journal.errors import KeyTrouble, SigningKeyRefused
from controller.journal.note import Note, NoteKey, NoteSignature, cosigned, timed
from controller.journal.seals import Randomness, open_key
from controller.journal.storage import reported, sync_directory, write_whole

KEY_SIZE: Final = 32
_PURPOSE: Final = b"sabot journal export 1\n"
_MOST_OF_A_FILE: Final = 4096
NAMING: Final = 16
"""The number of a key's digits that distinguish it from every other key."""

_ED25519: Final = bytes.fromhex("302a300506032b6570032100")
"""The bytes before the 32 bytes of an Ed25519 public key in DER (RFC 8410)."""

_HEX: Final = re.compile(r"[0-9a-f]+")


class Signer:
    """A secret Ed25519 key, of a table or of a witness."""

    def __init__(self, secret: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(secret)

    @property
    def public_key(self) -> str:
        """The public key, 64 hexadecimal digits."""
        return self._key.public_key().public_bytes_raw().hex()

    def sign(self, statement: bytes) -> str:
        """The signature of the bytes `statement`, 128 hexadecimal digits."""
        return self._key.sign(_PURPOSE + statement).hex()

    def note(self, text: bytes, key: NoteKey) -> Note:
        """Returns `text` as a note with one signature by `key`, under the name of `key`. No other text that a table
        signs begins like a note, so a signature of a note is never valid for another text.
        """
        return Note(text, (NoteSignature(key.name, key.key_id, self._key.sign(text)),))

    def cosignature(self, text: bytes, key: NoteKey, when: int) -> NoteSignature:
        """A witness's signature of a checkpoint's `text` at the time `when`, in seconds since 1970."""
        return NoteSignature(key.name, key.key_id, timed(when, self._key.sign(cosigned(text, when))))

    def public_file(self) -> bytes:
        """The public key as PEM, which openssl(1) reads, too."""
        text = b64encode(_ED25519 + self._key.public_key().public_bytes_raw())
        return b"-----BEGIN PUBLIC KEY-----\n" + text + b"\n-----END PUBLIC KEY-----\n"


def is_signed(public_key: str, signature: str, statement: bytes) -> bool:
    """True if `signature` is a signature of `statement` by `public_key`. False for a key or signature not in lower-case
    hexadecimal.
    """
    if not _HEX.fullmatch(public_key + signature):
        return False
    try:
        key, signed = bytes.fromhex(public_key), bytes.fromhex(signature)
        Ed25519PublicKey.from_public_bytes(key).verify(signed, _PURPOSE + statement)
    except (ValueError, InvalidSignature):
        return False
    return True


def key_path(journal: Path) -> Path:
    """The path of a journal's secret key, beside its directory."""
    return _real(journal).with_name(_real(journal).name + ".key")


def public_path(journal: Path) -> Path:
    """Returns the path of a journal's public key. The inspection service is given the file."""
    return _real(journal).with_name(_real(journal).name + ".pub")


def _real(journal: Path) -> Path:
    """Returns the path of the journal's directory without symbolic links: the keys lie beside the real directory."""
    return Path(os.path.realpath(journal))


def known_path(config: Path) -> Path:
    """Returns the path of the public key's copy beside the configuration, which is readable without the journal's
    medium.
    """
    return config.with_suffix(".pub")


def keep_known(config: Path, public_file: bytes) -> None:
    """Writes the public key beside the configuration. The controller refuses a journal of any other key. Raises
    OSError.
    """
    write_whole(known_path(config), public_file, mode=0o644)


def open_signer(journal: Path, randomness: Randomness) -> Signer:
    """Reads the journal's secret key. Creates the files of the secret and the public key if the files are missing. If
    the public key's file has another key, renames the file and writes a new one. Raises SealKeyRefused, StorageFailed.
    """
    journal = Path(os.path.realpath(journal))
    signer = Signer(open_key(key_path(journal), journal=journal, randomness=randomness).secret)
    path = public_path(journal)
    with reported("write", str(path)):
        if not _has(path, signer.public_file()):
            _keep_former(path)
            new = path.with_name(path.name + ".new")
            new.write_bytes(signer.public_file())
            new.replace(path)
            sync_directory(path.parent)
    return signer


def _has(path: Path, data: bytes) -> bool:
    with suppress(SigningKeyRefused):
        return _beginning_of(path) == data
    return False


def _keep_former(path: Path) -> None:
    """Renames the file of an earlier public key, since the inspection service may still need it.

    Ignores a missing file.
    """
    with suppress(SigningKeyRefused):  # without a former key nothing is renamed
        path.replace(path.with_name(f"{path.stem}.{read_public_key(path)[:NAMING]}.pub"))


def read_signer(path: Path) -> Signer:
    """Reads a secret key from a file of 32 bytes. Raises SigningKeyRefused."""
    data = _beginning_of(path)
    try:
        return Signer(data)
    except ValueError as error:
        raise SigningKeyRefused(path, KeyTrouble.NO_SIGNING_KEY) from error


def read_public_key(path: Path) -> str:
    """Reads a public key from a file: PEM, 64 hexadecimal digits, or 32 bytes. Raises SigningKeyRefused."""
    data = _beginning_of(path)
    try:
        return _public_key(data).hex()
    except ValueError as error:
        raise SigningKeyRefused(path, KeyTrouble.NO_PUBLIC_KEY) from error


def _beginning_of(path: Path) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        try:
            return os.read(descriptor, _MOST_OF_A_FILE)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise SigningKeyRefused(path, KeyTrouble.MISSING) from error
    except OSError as error:
        raise SigningKeyRefused(path, KeyTrouble.UNREADABLE) from error


def _public_key(data: bytes) -> bytes:
    if len(data) == KEY_SIZE:
        return data
    if data.startswith(b"-----BEGIN"):
        # loaded here: most tables never need this library, and save 1 MB
        from cryptography.hazmat.primitives.serialization import load_pem_public_key

        key = load_pem_public_key(data)
        if not isinstance(key, Ed25519PublicKey):
            raise ValueError("not an Ed25519 key")
        return key.public_bytes_raw()
    found = bytes.fromhex(data.decode("ascii").strip())
    if len(found) != KEY_SIZE:
        raise ValueError("not 32 bytes")
    return found
