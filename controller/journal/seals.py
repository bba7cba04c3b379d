"""The seals of face-down cards: salt and card, encrypted, beside the journal that has only commitments.

A commitment is SHA-256(salt ‖ card text). Every seal has the same length, whatever the card:

    card number u64 LE | commitment 32 | nonce 12 | ChaCha20-Poly1305(salt 32 ‖ card text, NUL to 8) 40 +
    tag 16

The bytes before the cipher text are its associated data. Each segment of the journal has its own seal file, which is
written and synced before the records with the commitments. The key lies outside the journal's directory.
"""

import os
import re
import stat
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305
from msgspec import Struct

from controller.journal.errors import SealKeyRefused
from controller.journal.storage import ReadableStorage, Storage, open_file, reported, sync_directory, write_all

Randomness = Callable[[int], bytes]
"""Returns as many random bytes as the argument says; `secrets.token_bytes` outside tests."""

KEY_SIZE: Final = 32
SALT_SIZE: Final = 32
CARD_SIZE: Final = 8
MOST_KEPT: Final = 512
"""The most seals in memory. A round has at most some twenty cards face down, most of which are turned in the round."""

_NONCE_SIZE: Final = 12
_TAG_SIZE: Final = 16
_OPEN_PART: Final = struct.Struct(f"<Q32s{_NONCE_SIZE}s")
_PURPOSE: Final = b"sabot seal 1"
_NAMING: Final = b"sabot seal key 1"
SEAL_SIZE: Final = _OPEN_PART.size + SALT_SIZE + CARD_SIZE + _TAG_SIZE

_COMMITMENT_AT: Final = 8
_COMMITMENT_SIZE: Final = 32
_SEALED: Final = re.compile(rf"[0-9a-f]{{{2 * SEAL_SIZE}}}")
_SEALS_NAME: Final = re.compile(r"\d{8}\.seals")


def seals_name(segment: int) -> str:
    return f"{segment:08d}.seals"


def commitment_of(salt: bytes, card: str) -> str:
    """The commitment that the journal has for the face-down card `card`, computed with `salt`."""
    return sha256(salt + card.encode("ascii")).hexdigest()


def is_seal_of(commitment: str, sealed: str) -> bool:
    """True if `sealed`, in hexadecimal, is a seal with `commitment`. Does not decrypt the seal."""
    open_part = 2 * _COMMITMENT_AT, 2 * (_COMMITMENT_AT + _COMMITMENT_SIZE)
    return bool(_SEALED.fullmatch(sealed)) and sealed[slice(*open_part)] == commitment


def seals_in(data: bytes) -> dict[str, bytes]:
    """The seals of a seal file by commitment. An incomplete last seal is ignored."""
    return {_parts(seal)[0].hex(): seal for seal in _slots(data)}


class Joined(Struct, frozen=True, gc=False):
    """The change that adds to a file the parts that only another file has: keep the first `keep` bytes and append
    `rest`. `differ`: the two files have different parts for the same card.
    """

    keep: int
    rest: bytes
    differ: bool = False


def join_seals(wanted: bytes, there: bytes) -> Joined:
    """Returns the change that adds to the seal file `there` the seals that only the seal file `wanted` has. The change
    cuts zero bytes and an incomplete seal at the end of `there`, and adds no seal without its tag.

    Two seals with the same commitment or the same encrypted part belong to one card. If such seals differ, either may
    be damaged.
    """
    slots, own = _slots(wanted), _slots(there)
    whole = b"".join(seal for seal in slots if _has_tag(seal))
    written = there if whole.startswith(there) else there.rstrip(b"\0")
    if whole.startswith(written):
        return Joined(len(written), whole[len(written) :])
    known, same = {part for seal in own for part in _parts(seal)}, set(own)
    lacking = [seal for seal in slots if _has_tag(seal) and known.isdisjoint(_parts(seal))]
    spoilt = [seal for seal in slots[: len(own)] if not _has_tag(seal) and seal not in same]
    spoilt += [seal for seal in slots if seal not in same and not known.isdisjoint(_parts(seal))]
    return Joined(len(own) * SEAL_SIZE if lacking else len(there), b"".join(lacking), bool(spoilt))


def _slots(data: bytes) -> list[bytes]:
    return [data[at : at + SEAL_SIZE] for at in range(0, len(data) - SEAL_SIZE + 1, SEAL_SIZE)]


def _has_tag(seal: bytes) -> bool:
    return any(seal[-_TAG_SIZE:])


def _parts(seal: bytes) -> tuple[bytes, bytes]:
    """The commitment and the encrypted part of a seal. Seals of different cards differ in both."""
    return seal[_COMMITMENT_AT : _COMMITMENT_AT + _COMMITMENT_SIZE], seal[_OPEN_PART.size :]


class Seal(Struct, frozen=True, gc=False):
    """A new seal: the commitment for the journal, and the bytes to append to the seal file first."""

    commitment: str
    data: bytes


class OpenedSeal(Struct, frozen=True, gc=False):
    salt: bytes
    card: str


class SealKey(Struct, frozen=True, gc=False):
    """The key of the seals. `created`: True if the present start has made the key, so that it opens no older seal."""

    secret: bytes
    created: bool

    @property
    def name(self) -> str:
        """A name that identifies the key and reveals nothing of its bytes."""
        return sha256(_NAMING + self.secret).hexdigest()[:32]

    def __repr__(self) -> str:
        return f"SealKey(created={self.created})"


def open_key(path: Path, *, journal: Path, randomness: Randomness) -> SealKey:
    """Reads the secret key in the file `path`. If the file is missing, creates it (mode 0600) with a new key.

    Raises SealKeyRefused, StorageFailed.
    """
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(journal)):
        raise SealKeyRefused(f"the key file {path} lies inside the journal {journal}")
    with reported("read key", str(path)):
        if not path.exists():
            return SealKey(_create_key(path, randomness(KEY_SIZE)), created=True)
        with open_file(path) as file:
            mode, secret = path.stat().st_mode, file.read(KEY_SIZE + 1)
    if stat.S_IMODE(mode) & 0o077:
        raise SealKeyRefused(f"the key file {path} can be read by others; its mode must be 0600")
    if len(secret) != KEY_SIZE:
        raise SealKeyRefused(f"the key file {path} has {len(secret)} bytes, not {KEY_SIZE}")
    return SealKey(secret, created=False)


def _create_key(path: Path, secret: bytes) -> bytes:
    # Written under another name and renamed, so that a loss of power leaves a whole key or none.
    new = path.with_name(path.name + ".new")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    try:
        os.fchmod(descriptor, 0o600)
        write_all(descriptor, secret)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    new.replace(path)
    sync_directory(path.parent)
    return secret


def cut_torn(storage: Storage, name: re.Pattern[str], size: int) -> None:
    """Cuts an incomplete last part from each file whose name matches `name`. `size`: the size of a part, in bytes.

    Raises StorageFailed.
    """
    for file in storage.list():
        if name.fullmatch(file.name) and file.size % size:
            storage.truncate(file.name, file.size - file.size % size)
            storage.sync(file.name)


def cut_torn_seals(storage: Storage) -> None:
    """Cuts an incomplete last seal from each seal file. Raises StorageFailed."""
    cut_torn(storage, _SEALS_NAME, SEAL_SIZE)


class SealStore:
    """Makes and opens the seals of cards. Recent seals are in memory, older ones on the medium.

    `newest`: the number of seal files, from the last one backwards, that the constructor reads. The constructor and
    `open` raise StorageFailed.
    """

    def __init__(self, key: SealKey, storage: ReadableStorage, randomness: Randomness, *, newest: int = 2) -> None:
        self.key = key
        self._cipher = ChaCha20Poly1305(key.secret)
        self._storage = storage
        self._randomness = randomness
        self._kept: dict[str, bytes | None] = {}  # by commitment, the oldest first; None: a lost seal
        names = self._files()[-newest:]
        self.unreadable = tuple(name for name in names if None in map(self._opened, _slots(storage.read(name))))
        """The names of the newest seal files that have a seal which this key does not open."""

    def seal(self, card_number: int, card: str) -> Seal:
        """A new seal of `card` (1 to 8 ASCII characters) under a fresh salt. Raises ValueError for any other text."""
        text = card.encode("ascii")
        if not 1 <= len(text) <= CARD_SIZE or b"\0" in text:
            raise ValueError("a card's text has 1 to 8 characters")
        salt, nonce = self.salt(), self._randomness(_NONCE_SIZE)
        commitment = commitment_of(salt, card)
        open_part = _OPEN_PART.pack(card_number, bytes.fromhex(commitment), nonce)
        secret = self._cipher.encrypt(nonce, salt + text.ljust(CARD_SIZE, b"\0"), _PURPOSE + open_part)
        self._keep(commitment, open_part + secret)
        return Seal(commitment, open_part + secret)

    def salt(self) -> bytes:
        return self._randomness(SALT_SIZE)

    def open(self, commitment: str) -> OpenedSeal | None:
        """Returns the salt and the card of the seal with `commitment`. Raises StorageFailed.

        Returns None if the seal is missing or the store's key does not open it.
        """
        if commitment not in self._kept:
            self._keep(commitment, self._found(commitment))
        return self._opened(self._kept[commitment])

    def _keep(self, commitment: str, seal: bytes | None) -> None:
        self._kept[commitment] = seal
        if len(self._kept) > MOST_KEPT:
            del self._kept[next(iter(self._kept))]

    def _found(self, commitment: str) -> bytes | None:
        """Returns the seal with `commitment`, from the newest seal file that has it. Returns None if none has it."""
        stored = (seals_in(self._storage.read(name)) for name in reversed(self._files()))
        return next((seals[commitment] for seals in stored if commitment in seals), None)

    def _files(self) -> list[str]:
        return [file.name for file in self._storage.list() if _SEALS_NAME.fullmatch(file.name)]

    def _opened(self, seal: bytes | None) -> OpenedSeal | None:
        if seal is None:
            return None
        open_part, secret = seal[: _OPEN_PART.size], seal[_OPEN_PART.size :]
        _, commitment, nonce = _OPEN_PART.unpack(open_part)
        try:
            plain = self._cipher.decrypt(nonce, secret, _PURPOSE + open_part)
        except InvalidTag:
            return None
        opened = OpenedSeal(plain[:SALT_SIZE], plain[SALT_SIZE:].rstrip(b"\0").decode("ascii"))
        return opened if commitment_of(opened.salt, opened.card) == commitment.hex() else None
