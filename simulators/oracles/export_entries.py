"""One entry of an export and its canonical JSON, implemented from the prose of the format alone."""

import json
from collections.abc import Mapping
from operator import itemgetter
from typing import Final, NamedTuple, TypeGuard

_PLAIN: Final = {
    "seq": int,
    "boot": int,
    "mono_ns": int,
    "wall_ms": int,
    "wall_synced": bool,
    "table_ms": int,
    "kind": str,
}
"""The keys and types of each entry, in the order of Entry's fields; body, source and refusal come after them."""

_TYPES: Final = tuple(_PLAIN.values())
_plain_values: Final = itemgetter(*_PLAIN)
_SOURCE_KEYS: Final = frozenset(("device", "device_boot", "event_number"))
_KEYS: Final = frozenset((*_PLAIN, "body", "source", "refusal"))
_CREDENTIALS: Final = frozenset(("pin", "badge-and-key", "post", "own-screen", "shared-screen"))


class Source(NamedTuple):
    """The origin of a device event in an entry: the device, the number of its boot, and the number of the event."""

    device: str
    device_boot: int
    event_number: int


class Refusal(NamedTuple):
    """The refusal of an act: the reason, the clause and the rule of the refusal."""

    reason: str
    clause: str | None
    rule: str


class Entry(NamedTuple):
    """One entry of the export. `chain`: the chain value over all entries up to and including this one."""

    seq: int
    boot: int
    mono_ns: int
    wall_ms: int
    wall_synced: bool
    table_ms: int
    kind: str
    body: Mapping[str, object]
    source: Source | None
    refusal: Refusal | None
    chain: str
    moved: tuple[Mapping[str, object], ...] = ()  # movements in the jackpot's pool

    @property
    def refused(self) -> bool:
        """True if the entry is a refused act, which has changed nothing."""
        return self.refusal is not None

    @property
    def is_act(self) -> bool:
        """True if the entry is a person's act."""
        return "role" in self.body

    def number(self, name: str) -> int:
        """Returns the integer with this name in the body; 0 if the body has no integer of this name."""
        return whole(self.body, name)

    def text(self, name: str) -> str:
        """Returns the string with this name in the body; "" if the body has no string of this name."""
        value = self.body.get(name)
        return value if isinstance(value, str) else ""

    def part(self, name: str) -> dict[str, object]:
        """Returns the object with this name in the body; empty if the body has no object of this name."""
        return part_of(self.body, name)

    def items(self, name: str) -> list[object]:
        """Returns the list with this name in the body; empty if the body has no list of this name."""
        value = self.body.get(name)
        return value if isinstance(value, list) else []


def _not_whole(text: str) -> object:
    raise ValueError(f"the number {text}")


_DECODER: Final = json.JSONDecoder(parse_float=_not_whole, parse_constant=_not_whole)
ENCODER: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, check_circular=False)
"""Encodes values that were read, or made here: they have no cycles."""


class FormatError(Exception):
    """The data does not follow the format."""

    def __init__(self, found: str, expected: str) -> None:
        super().__init__(found)
        self.found = found
        self.expected = expected


def read_entry(payload: bytes, chain: str) -> Entry:
    """Parses an entry from `payload`, its canonical JSON. `chain`: the entry's chain value. Raises FormatError for any
    other content.
    """
    plain = as_object(parsed(payload))
    if plain.keys() - {"credential", "incidents", "moved"} != _KEYS:
        raise FormatError(f"keys {sorted(plain)}", f"{sorted(_KEYS)}")
    values = _plain_values(plain)
    if tuple(map(type, values)) != _TYPES:
        raise FormatError("a field of another type", "numbers, a kind, and whether the clock was synchronised")
    body, source, refusal = as_object(plain["body"]), _source(plain["source"]), _refusal(plain["refusal"])
    if "credential" in plain and (plain["credential"] not in _CREDENTIALS or "role" not in body):
        raise FormatError(f"credential {plain['credential']}", f"of an act, one of {sorted(_CREDENTIALS)}")
    moved, _incidents = _told(plain, "moved"), _told(plain, "incidents")
    return Entry._make((*values, body, source, refusal, chain, moved))


def _told(plain: Mapping[str, object], key: str) -> tuple[Mapping[str, object], ...]:
    """Returns the objects in the list under `key`; empty if `plain` has no such key. Raises FormatError for an empty
    list, and for a value that is no list of objects.
    """
    found = plain.get(key, [])
    if not isinstance(found, list) or (key in plain and not found):
        raise FormatError(f"{key} {found}", "one or more objects, or no such key")
    return tuple(map(as_object, found))


def _source(value: object) -> Source | None:
    if value is None:
        return None
    if isinstance(value, dict) and value.keys() == _SOURCE_KEYS:
        device, boot, number = value["device"], value["device_boot"], value["event_number"]
        if isinstance(device, str) and is_whole(boot) and is_whole(number):
            return Source(device, boot, number)
    raise FormatError(f"source {value}", "device, device_boot, event_number")


def _refusal(value: object) -> Refusal | None:
    if value is None:
        return None
    match value:
        case {"reason": str(reason), "clause": str() | None as clause, "rule": str(rule), **rest} if not rest:
            return Refusal(reason, clause, rule)
        case {"reason": str(reason), "clause": str(clause), **rest} if not rest:  # an entry of the first versions
            return Refusal(reason, clause, reason)
    raise FormatError(f"refusal {value}", "reason, clause and rule")


def is_whole(value: object) -> TypeGuard[int]:
    """True if `value` is an integer; False for a boolean."""
    return type(value) is int


def whole(part: Mapping[str, object], name: str) -> int:
    """Returns the integer with this name in `part`; 0 if `part` has no integer of this name."""
    value = part.get(name)
    return value if is_whole(value) else 0


def part_of(whole_of: Mapping[str, object], name: str) -> dict[str, object]:
    """Returns the object with this name in `whole_of`; empty if `whole_of` has no object of this name."""
    value = whole_of.get(name)
    return value if isinstance(value, dict) else {}


def as_object(value: object) -> dict[str, object]:
    if not isinstance(value, dict):
        raise FormatError(f"{value}", "an object")
    return value


def parsed(text: bytes) -> object:
    """Parses a canonical JSON text. Raises FormatError for any other text."""
    try:
        value: object = _DECODER.decode(text.decode())
        again = ENCODER.encode(value).encode()
    except (ValueError, RecursionError) as error:
        raise FormatError(f"{error}", "JSON") from error
    if again != text:
        raise FormatError("JSON in another form", "canonical JSON")
    return value
