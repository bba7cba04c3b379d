"""One entry of the journal as a typed value, and its canonical JSON, which is the payload of one record."""

from typing import Final, Never

import msgspec

from controller.journal.errors import CodecError


class EntrySource(msgspec.Struct, frozen=True, gc=False):
    """The origin of a recorded fact: a device, its boot, and the number of its event."""

    device: str
    device_boot: int
    event_number: int


class EntryRefusal(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, gc=False):
    """The refusal of an entry's act: the guard that failed, its rule, and the law's clause for it, if any."""

    clause: str | None
    reason: str
    rule: str = ""  # entries of the first versions have no rule


class Entry(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """One recorded event. The fields are in the order of canonical JSON, so that encoding need not sort.

    `boot` counts the controller's starts. `mono_ns` is the controller's monotonic clock in nanoseconds. `wall_ms` is
    the wall clock, which no decision uses; `table_ms` is the time that the core used. `kind` and `body` are a
    registered event (see `codec.Codec`).
    """

    body: msgspec.Raw
    boot: int
    credential: str | msgspec.UnsetType = msgspec.UNSET  # the credential of an act's person; absent for facts
    incidents: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET  # that begin or end; else absent
    kind: str
    mono_ns: int
    moved: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET  # movements in the jackpot's pool; absent without movements
    refusal: EntryRefusal | None = None
    seq: int
    source: EntrySource | None = None
    table_ms: int
    wall_ms: int
    wall_synced: bool


def _refuse_float(text: str) -> Never:
    raise ValueError(f"{text} is no integer")


_TYPED: Final = msgspec.json.Decoder(Entry)
_PLAIN: Final = msgspec.json.Decoder(float_hook=_refuse_float)
_ENCODE: Final = msgspec.json.Encoder(order="sorted").encode
_ENCODE_IN_ORDER: Final = msgspec.json.Encoder().encode


def encode_entry(entry: Entry) -> bytes:
    """Returns the entry's canonical JSON, with the body unchanged."""
    return _ENCODE_IN_ORDER(entry)


def decode_entry(payload: bytes, *, seq: int) -> Entry:
    """Decodes entry `seq` from its JSON. Raises CodecError if the entry, its body, its incidents or its movements are
    not canonical, or if the entry has another number than `seq`.
    """
    try:
        entry = _TYPED.decode(payload)
        body = _PLAIN.decode(entry.body)
        is_canonical = _ENCODE_IN_ORDER(entry) == payload and _ENCODE(body) == bytes(entry.body)
        for more in (entry.incidents, entry.moved):
            if not isinstance(more, msgspec.UnsetType):
                is_canonical = is_canonical and _ENCODE(_PLAIN.decode(more)) == bytes(more)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CodecError(f"entry {seq} is no entry: {error}") from error
    if not isinstance(body, dict):
        raise CodecError(f"the body of entry {seq} is no object")
    if not is_canonical:
        raise CodecError(f"entry {seq} is not canonical")
    if entry.seq != seq:
        raise CodecError(f"entry {entry.seq} stands in the place of {seq}")
    return entry
