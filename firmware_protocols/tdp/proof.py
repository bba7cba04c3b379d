"""The cryptography of a paired host and device: a session's key, the tag of a frame, the pad that encrypts a card.
Pure.

There are two keys. Both ends store the **key of the pair**. It tags the frames outside a session (HELLO, NO_SESSION,
PAIRED) and, with the nonces of both ends, makes the key of each session. The **key of the session** tags all other
frames and encrypts cards. Hashed data begins with a different byte for each use: a frame with its kind, which is never
0; other data with 0.
"""

import struct
from collections.abc import Callable
from dataclasses import dataclass, field
from hmac import compare_digest, digest
from typing import Final, TypeAlias

from firmware_protocols.framing import TAG_BYTES

KEY_BYTES: Final = 32
NONCE_BYTES: Final = 16
NO_KEY: Final = bytes(KEY_BYTES)
"""The key of zeros, which ends a pairing when PAIR carries it."""

SecretAt: TypeAlias = Callable[[bytes], int | None]
"""Returns the place of the byte of an event that no cable may carry in the open; None if it has no such byte.

The event is given as message id, status and fields.
"""

_HASH: Final = "sha256"
_SESSION: Final = struct.Struct("<2sII")
_PAD: Final = struct.Struct("<2sI")


@dataclass(frozen=True, slots=True)
class HostPairing:
    """The host's secrets for one connection. `nonce`: 16 bytes, different for every connection."""

    key: bytes = field(repr=False)
    nonce: bytes
    secret_at: SecretAt


@dataclass(slots=True)
class DevicePairing:
    """The device's part of a pairing. `key`: the pair's key, which the device keeps without power; None if the device
    is not paired. `draw`: returns 16 new bytes at each call. `secret_at`: finds the byte of an event that must be
    encrypted.
    """

    draw: Callable[[], bytes]
    secret_at: SecretAt
    key: bytes | None = field(default=None, repr=False)


def session_key(key: bytes, opening: int, boot: int, host_nonce: bytes, device_nonce: bytes) -> bytes:
    """Returns the key of one session, which depends on the nonces of both ends. Neither end alone can make the same key
    again.
    """
    return digest(key, _SESSION.pack(b"\0S", opening, boot) + host_nonce + device_nonce, _HASH)


def tag_of(key: bytes, body: bytes) -> bytes:
    """Returns the tag of the body `body` under the key `key`."""
    return digest(key, body, _HASH)[:TAG_BYTES]


def is_proven(key: bytes, body: bytes, tag: bytes) -> bool:
    """True if `tag` is the tag of `body` under `key`. The time of the comparison is the same for every wrong tag."""
    return compare_digest(tag_of(key, body), tag)


def is_key(key: bytes | None, other: bytes) -> bool:
    """True if both keys are equal. None counts as a key of zeros. The comparison takes the same time for any keys."""
    return compare_digest(key or NO_KEY, other)


def covered(session: bytes, number: int, event: bytes, at: int | None) -> bytes:
    """Returns event `number` with the byte at index `at` encrypted by the pad of the session; unchanged if `at` is
    None. A second call decrypts the byte.

    Each number names one event of a boot, so no pad ever encrypts two different bytes.
    """
    if at is None:
        return event
    pad = digest(session, _PAD.pack(b"\0C", number), _HASH)[0]
    return event[:at] + bytes((event[at] ^ pad,)) + event[at + 1 :]
