"""Canonical JSON of typed values, and the digest of a state.

One value has one encoding: keys in ascending order, no white space, UTF-8, integers only. A decoder refuses bytes that
differ from the encoding of their value (unknown field, other order of keys, number with a fraction). Only fields that
have a default may be missing, since an earlier program did not have them.
"""

from collections.abc import Mapping
from enum import Enum
from functools import cached_property
from hashlib import sha256
from threading import Lock
from typing import Final, Generic, TypeAlias, TypeVar

import msgspec

from controller.journal.errors import CodecError

T = TypeVar("T")
Plain: TypeAlias = "bool | int | str | list[Plain] | dict[str, Plain] | None"

_MAKES: Final = Lock()
"""Held while a decoder is made: two threads that look at one type for the first time end the process (msgspec)."""

_ENCODER: Final = msgspec.json.Encoder(order="sorted")


def encode_canonical(value: object) -> bytes:
    """Encodes a struct, a dataclass or plain data as JSON with sorted keys. Raises CodecError for a value that JSON
    cannot express. Floats and sets are not refused; a test keeps them out of entries.
    """
    try:
        return _ENCODER.encode(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise CodecError(f"{type(value).__name__} has no canonical encoding: {error}") from error


_BROKEN: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
"""The errors by which msgspec says that bytes are no JSON, or not that of a type."""


class CanonicalDecoder(Generic[T]):
    """Decodes one type strictly: accepts only the canonical encoding of a value.

    The encoding may lack fields that have a default, since an earlier program did not write them.
    """

    def __init__(self, cls: type[T]) -> None:
        self._cls = cls

    @cached_property
    def _decoder(self) -> msgspec.json.Decoder[T]:
        """Returns the decoder of the type, made at the first call. A table's journal has few of the many types of
        entries.
        """
        with _MAKES:
            return msgspec.json.Decoder(self._cls)

    def read(self, data: bytes | msgspec.Raw) -> T:
        """Decodes a value without checking that the bytes are canonical. Raises CodecError."""
        try:
            return self._decoder.decode(data)
        except _BROKEN as error:
            raise CodecError(f"not a {self._cls.__name__}: {error}") from error

    def decode(self, data: bytes | msgspec.Raw) -> T:
        value = self.read(data)
        if not _is_canonical(encode_canonical(value), bytes(data)):
            raise CodecError(f"not the canonical encoding of a {self._cls.__name__}")
        return value


def _is_canonical(now: bytes, found: bytes) -> bool:
    """True if `found` equals `now`, the canonical encoding of its value, or lacks only fields that have defaults."""
    if now == found:
        return True
    try:
        plain = msgspec.json.decode(found)
    except _BROKEN:  # the decoder of a type does not look at the bytes of an unknown key
        return False
    return encode_canonical(plain) == found and _has_all_of(msgspec.json.decode(now), plain)


def _has_all_of(now: Plain, found: Plain) -> bool:
    match now, found:
        case dict(), dict():
            return all(key in now and _has_all_of(now[key], value) for key, value in found.items())
        case list(), list():
            return len(now) == len(found) and all(map(_has_all_of, now, found))
        case _:
            return type(now) is type(found) and now == found


class Codec(Generic[T]):
    """Encodes and decodes instances of the classes in `registry`, which maps wire names to frozen structs."""

    def __init__(self, registry: Mapping[str, type[T]]) -> None:
        self._decoders = {name: CanonicalDecoder(cls) for name, cls in registry.items()}
        self._names = {cls: name for name, cls in registry.items()}
        if len(self._names) != len(registry):
            raise CodecError("a class stands in the registry under two names")

    def encode(self, value: T) -> tuple[str, msgspec.Raw]:
        """Encodes a value, and returns its wire name and its canonical body.

        Raises CodecError if its class is not in the registry or the body does not decode to an equal value.
        """
        name = self._names.get(type(value))
        if name is None:
            raise CodecError(f"{type(value).__name__} is not in the registry")
        body = msgspec.Raw(encode_canonical(value))
        if self._decoders[name].read(body) != value:
            raise CodecError(f"{name} does not come back as it went")
        return name, body

    def decode(self, name: str, body: msgspec.Raw) -> T:
        """Decodes a wire name and a canonical body. Raises CodecError for an unknown name or a body that is not
        canonical.
        """
        decoder = self._decoders.get(name)
        if decoder is None:
            raise CodecError(f"{name} is not in the registry")
        return decoder.decode(body)


def canonical_digest(value: object) -> str:
    """Returns the SHA-256 (hex) of a value made of structs, enumerations, tuples, str, int, bool and None.

    Class and field names are part of the digest. A field that has its default is left out, so that a later program,
    whose states have more fields, computes the same digest as an earlier program. Raises CodecError with the path for
    any other value (a set, a float, a dict, a list).
    """
    return sha256(encode_canonical(_plain(value, (None, type(value).__name__)))).hexdigest()


def _is(value: object, default: object) -> bool:
    """True if value and default are equal and of the same type, so that True does not count as 1."""
    return value is default or (type(value) is type(default) and value == default)


_Path: TypeAlias = tuple["_Path | None", str]  # a link for each value; joined to text only for an error

_FIELDS: Final[dict[type, tuple[tuple[str, object], ...]]] = {}
"""The fields of each class met so far, with their defaults."""


_NONE_YET: Final[tuple[object, Plain]] = (None, None)

_LAST: Final[dict[type, tuple[object, Plain]]] = {}
"""The last value of each frozen class met so far, in plain form.

Most parts of a state stay the same in the next state.
"""


def _fields_of(kind: type) -> tuple[tuple[str, object], ...] | None:
    if kind not in _FIELDS:
        if not issubclass(kind, msgspec.Struct):
            return None
        _FIELDS[kind] = tuple((field.name, field.default) for field in msgspec.structs.fields(kind))
    return _FIELDS[kind]


def _in_words(path: _Path | None) -> str:
    return "" if path is None else _in_words(path[0]) + path[1]


def _plain(value: object, path: _Path) -> Plain:
    # `type() is`, since isinstance would take a bool for an int, and some enumerations for a str.
    if value is None or type(value) is bool or type(value) is int or type(value) is str:
        return value
    if isinstance(value, Enum):
        return {"": type(value).__name__, "=": _plain(value._value_, path)}
    if type(value) is tuple:
        return [_plain(item, (path, f"[{index}]")) for index, item in enumerate(value)]
    kind = type(value)
    fields = _fields_of(kind)
    if fields is not None:
        last, plain = _LAST.get(kind, _NONE_YET)
        if last is not value:
            told: dict[str, Plain] = {"": kind.__name__}
            for name, default in fields:
                if not _is(one := getattr(value, name), default):
                    told[name] = _plain(one, (path, f".{name}"))
            plain = told
            _LAST[kind] = value, plain
        return plain
    raise CodecError(f"{_in_words(path)}: {type(value).__name__} has no canonical encoding")
