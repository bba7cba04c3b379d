r"""A stream encrypted to an X25519 public key, in chunks, so that memory does not limit its size.

    "sabot-backup-1\n" | ephemeral public key 32 | chunks

A chunk has 65,536 bytes, the last one at most as many; each is followed by its ChaCha20-Poly1305 tag of 16 bytes. The
key is HKDF-SHA256 of the shared secret, with both public keys as salt. The nonce is the chunk's number (11 bytes,
big-endian) and one byte that is 1 for the last chunk. So a stream that was cut or reordered does not decrypt.
"""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO, Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey, X25519PublicKey
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import load_pem_private_key, load_pem_public_key

from controller.journal.errors import StorageFailed
from controller.journal.storage import open_file

MAGIC: Final = b"sabot-backup-1\n"
CHUNK: Final = 65_536
_TAG: Final = 16
_KEY: Final = 32
_LARGEST_KEY: Final = 16_384  # bytes of a PEM file; one has about 120


class BackupRefused(Exception):  # noqa: N818 (the name says what became of it)
    """Raised if a key or a backup cannot be used. The message is the catalogue's `cli.error.<error>` with the
    placeholders `values`.
    """

    def __init__(self, error: str, **values: str) -> None:
        super().__init__(error)
        self.error = error
        self.values = values


def read_public_key(path: Path) -> X25519PublicKey:
    """Reads an X25519 public key from a PEM file, as openssl writes it. Raises BackupRefused."""
    key = _loaded(path, load_pem_public_key)
    if not isinstance(key, X25519PublicKey):
        raise BackupRefused("backup-key", path=str(path))
    return key


def read_private_key(path: Path) -> X25519PrivateKey:
    """Reads an X25519 private key from a PEM file without a passphrase. Raises BackupRefused."""
    key = _loaded(path, lambda data: load_pem_private_key(data, None))
    if not isinstance(key, X25519PrivateKey):
        raise BackupRefused("backup-key", path=str(path))
    return key


def _loaded(path: Path, load: Callable[[bytes], object]) -> object:
    try:
        with open_file(path) as file:
            return load(file.read(_LARGEST_KEY))
    except (StorageFailed, OSError, ValueError, TypeError) as error:
        raise BackupRefused("backup-key", path=str(path)) from error


class SealingWriter:
    """A writable stream that encrypts its data to `recipient` and writes them to `below`. `close` writes the last chunk
    and leaves `below` open.
    """

    def __init__(self, below: BinaryIO, recipient: X25519PublicKey) -> None:
        own = X25519PrivateKey.generate()
        self._below = below
        self._cipher = _cipher(own.exchange(recipient), own.public_key(), recipient)
        self._pending = bytearray()
        self._number = 0
        below.write(MAGIC + own.public_key().public_bytes_raw())

    def write(self, data: bytes) -> int:
        self._pending += data
        while len(self._pending) > CHUNK:  # the last chunk may be a whole one, so one chunk always waits
            self._put(bytes(self._pending[:CHUNK]), is_last=False)
            del self._pending[:CHUNK]
        return len(data)

    def close(self) -> None:
        self._put(bytes(self._pending), is_last=True)

    def _put(self, chunk: bytes, *, is_last: bool) -> None:
        self._below.write(self._cipher.encrypt(_nonce(self._number, is_last=is_last), chunk, None))
        self._number += 1


class OpeningReader:
    """A readable stream that decrypts the data of `below`. The constructor and `read` raise BackupRefused if the data
    were encrypted to another key or are incomplete.
    """

    def __init__(self, below: BinaryIO, key: X25519PrivateKey) -> None:
        if below.read(len(MAGIC)) != MAGIC:
            raise BackupRefused("backup-unknown")
        theirs = below.read(_KEY)
        if len(theirs) != _KEY:
            raise BackupRefused("backup-cut")
        sender = X25519PublicKey.from_public_bytes(theirs)
        self._below = below
        self._cipher = _cipher(key.exchange(sender), sender, key.public_key())
        self._next = below.read(CHUNK + _TAG)
        self._ready = b""
        self._number = 0
        self._is_over = False

    def read(self, size: int) -> bytes:
        """Returns the next `size` decrypted bytes, fewer at the end of the stream. Raises BackupRefused."""
        while len(self._ready) < size and not self._is_over:
            self._ready += self._chunk()
        taken, self._ready = self._ready[:size], self._ready[size:]
        return taken

    def _chunk(self) -> bytes:
        chunk, self._next = self._next, self._below.read(CHUNK + _TAG)
        self._is_over = not self._next
        try:
            opened = self._cipher.decrypt(_nonce(self._number, is_last=self._is_over), chunk, None)
        except InvalidTag as error:
            raise BackupRefused("backup-cut" if self._number or self._is_our_key() else "backup-other-key") from error
        self._number += 1
        return opened

    def _is_our_key(self) -> bool:
        """True if the second chunk opens though the first does not: the key is right, and the first is damaged."""
        for is_last in (False, True):
            with suppress(InvalidTag):
                self._cipher.decrypt(_nonce(1, is_last=is_last), self._next, None)
                return True
        return False


def _cipher(shared: bytes, sender: X25519PublicKey, recipient: X25519PublicKey) -> ChaCha20Poly1305:
    salt = sender.public_bytes_raw() + recipient.public_bytes_raw()
    return ChaCha20Poly1305(HKDF(SHA256(), _KEY, salt, MAGIC).derive(shared))


def _nonce(number: int, *, is_last: bool) -> bytes:
    return number.to_bytes(11, "big") + bytes([is_last])
