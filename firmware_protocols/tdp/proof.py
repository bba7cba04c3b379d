"""How a paired host and device prove themselves: a session's key, the tag of a frame, the pad of a card. Pure.

Two keys. The **key of the pair**, which both ends keep, tags what is said outside a session (HELLO, NO_SESSION,
PAIRED) and makes the key of each session from both ends' nonces; the **key of the session** tags all else and covers
cards. Each use begins with another byte: a frame with its kind, which is never 0, what is no frame with 0 and a letter.
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
"""In PAIR: the device is paired no more."""

SecretAt: TypeAlias = Callable[[bytes], int | None]
"""Where in an event (message id, status, fields) the byte stands that no cable may carry; None: it has none."""

_HASH: Final = "sha256"
_SESSION: Final = struct.Struct("<2sII")
_PAD: Final = struct.Struct("<2sI")


@dataclass(frozen=True, slots=True)
class HostPairing:
    """A host's end for one connection. `nonce`: of 16 bytes, never the same twice."""

    key: bytes = field(repr=False)
    nonce: bytes
    secret_at: SecretAt


@dataclass(slots=True)
class DevicePairing:
    """The values that a pairable device keeps when the power goes. `draw`: 16 bytes, never the same twice."""

    draw: Callable[[], bytes]
    secret_at: SecretAt
    key: bytes | None = field(default=None, repr=False)


def session_key(key: bytes, opening: int, boot: int, host_nonce: bytes, device_nonce: bytes) -> bytes:
    """The key of one session, which neither end alone can bring about a second time."""
    return digest(key, _SESSION.pack(b"\0S", opening, boot) + host_nonce + device_nonce, _HASH)


def tag_of(key: bytes, body: bytes) -> bytes:
    """The proof that a holder of the key has said this body."""
    return digest(key, body, _HASH)[:TAG_BYTES]


def is_proven(key: bytes, body: bytes, tag: bytes) -> bool:
    """True where the tag is this key's, in the same time for each wrong byte."""
    return compare_digest(tag_of(key, body), tag)


def is_key(key: bytes | None, other: bytes) -> bool:
    """The same for two keys; no key is one of zeros."""
    return compare_digest(key or NO_KEY, other)


def covered(session: bytes, number: int, event: bytes, at: int | None) -> bytes:
    """Event `number` with its secret byte under the session's pad for that number; done twice, it is as it was.

    A number names one event of a boot, so no pad of a session ever lies over two different bytes.
    """
    if at is None:
        return event
    pad = digest(session, _PAD.pack(b"\0C", number), _HASH)[0]
    return event[:at] + bytes((event[at] ^ pad,)) + event[at + 1 :]
