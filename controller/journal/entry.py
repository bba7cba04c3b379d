"""One entry of the journal as a typed value, and its canonical JSON: the payload of one record."""

from typing import Final

import msgspec

from controller.journal.codec import encode_canonical
from controller.journal.errors import CodecError


class EntrySource(msgspec.Struct, frozen=True):
    """Which numbered event of which start of a device this entry is."""

    device: str
    device_boot: int
    event_number: int


class EntryRefusal(msgspec.Struct, frozen=True):
    """The act of this entry was refused: the guard that failed, and the clause behind it."""

    reason: str
    clause: str


class Entry(msgspec.Struct, frozen=True):
    """One thing that happened.

    `boot` counts the controller's starts and `mono_ns` the nanoseconds of its monotonic clock; `wall_ms`
    labels and decides nothing; `table_ms` is what the core saw. `kind` and `body` are a registered event by
    `codec.Codec`.
    """

    seq: int
    boot: int
    mono_ns: int
    wall_ms: int
    wall_synced: bool
    table_ms: int
    kind: str
    body: msgspec.Raw
    source: EntrySource | None = None
    refusal: EntryRefusal | None = None


_TYPED: Final = msgspec.json.Decoder(Entry)
_PLAIN: Final = msgspec.json.Decoder()
_ENCODE: Final = msgspec.json.Encoder(order="sorted").encode


def encode_entry(entry: Entry) -> bytes:
    """The entry's canonical JSON; its body goes in as it is."""
    return encode_canonical(entry)


def decode_entry(payload: bytes, *, seq: int) -> Entry:
    """Entry `seq`, whose canonical JSON is `payload`, its body canonical too; CodecError otherwise."""
    try:
        entry = _TYPED.decode(payload)
        is_canonical = _ENCODE(entry) == payload and _ENCODE(_PLAIN.decode(entry.body)) == bytes(entry.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"entry {seq} is no entry: {error}") from error
    if not is_canonical:
        raise CodecError(f"entry {seq} is not canonical")
    if entry.seq != seq:
        raise CodecError(f"entry {entry.seq} stands in the place of {seq}")
    return entry
