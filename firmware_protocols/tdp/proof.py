"""The proof between a paired host and device: a session's key, the tag of a frame, the pad of a card. Pure.

There are two keys. The **key of the pair**, which both ends keep, tags frames outside a session (HELLO, NO_SESSION,
PAIRED) and makes the key of each session from both ends' nonces. The **key of the session** tags all other frames and
covers cards. Hashed data begins with a different byte for each use: a frame with its kind, never 0; other data with 0.
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
"""Returns the place of the byte of an event that no cable may carry in the open; None where it has no such byte.

The event is given as message id, status and fields.
"""

_HASH: Final = "sha256"
_SESSION: Final = struct.Struct("<2sII")
_PAD: Final = struct.Struct("<2sI")


@dataclass(frozen=True, slots=True)
class HostPairing:
    """The host's secrets for one connection. `nonce`: 16 bytes that are never used again."""

    key: bytes = field(repr=False)
    nonce: bytes
    secret_at: SecretAt


@dataclass(slots=True)
class DevicePairing:
    """The part of a pairing at the device. `key`: the pair's key, kept without power; None: not paired. `draw` returns
    16 bytes that are never repeated; `secret_at` finds the byte of an event to cover.
    """

    draw: Callable[[], bytes]
    secret_at: SecretAt
    key: bytes | None = field(default=None, repr=False)


def session_key(key: bytes, opening: int, boot: int, host_nonce: bytes, device_nonce: bytes) -> bytes:
    """Returns the key of one session; neither end alone can make the same key a second time."""
    return digest(key, _SESSION.pack(b"\0S", opening, boot) + host_nonce + device_nonce, _HASH)


def tag_of(key: bytes, body: bytes) -> bytes:
    """Returns the tag of a body under this key."""
    return digest(key, body, _HASH)[:TAG_BYTES]


def is_proven(key: bytes, body: bytes, tag: bytes) -> bool:
    """Returns True where `tag` is the body's tag under this key. The time taken does not depend on the wrong bytes."""
    return compare_digest(tag_of(key, body), tag)


def is_key(key: bytes | None, other: bytes) -> bool:
    """Returns True where both keys are equal, in constant time; None counts as a key of zeros."""
    return compare_digest(key or NO_KEY, other)


def covered(session: bytes, number: int, event: bytes, at: int | None) -> bytes:
    """Returns event `number` with its secret byte, at place `at`, covered by the session's pad; unchanged for None.

    A second call uncovers the byte.

    A number names one event of a boot, so no pad of a session ever covers two different bytes.
    """
    if at is None:
        return event
    pad = digest(session, _PAD.pack(b"\0C", number), _HASH)[0]
    return event[:at] + bytes((event[at] ^ pad,)) + event[at + 1 :]
