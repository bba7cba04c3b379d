"""The types for the rows of message tables, and the codec made from the rows. Each kind of device has its messages in
its own file.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from enum import Enum, IntEnum, StrEnum
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from msgspec import Struct

from firmware_protocols.errors import FrameError, RejectReason, ValueOutOfBounds

T_co = TypeVar("T_co", covariant=True)
StatusT = TypeVar("StatusT")
CommandT = TypeVar("CommandT")
EventT = TypeVar("EventT")


class Wire(Enum):
    """The form of a field on the wire, little endian: a letter for `struct`, and the largest number or length."""

    U8 = ("B", 0xFF)
    U16 = ("H", 0xFFFF)
    U32 = ("I", 0xFFFF_FFFF)
    U64 = ("Q", 0xFFFF_FFFF_FFFF_FFFF)
    TEXT16 = ("16s", 16)  # printable ASCII, filled up with zeros

    def __init__(self, letter: str, highest: int) -> None:
        self.letter = letter
        self.highest = highest


class Unit(StrEnum):
    """The unit of a number: the things that the number counts or names."""

    CARDS = "cards"
    PASSAGES = "passages"
    JAMS = "jams"
    RECOUNTS = "recounts"
    TRIES = "tries"
    EVENTS = "events"
    CENTS = "cents"
    CODE = "code"  # one member of a list
    FLAG = "flag"  # 0 or 1
    BITS = "bits"
    NUMBER = "number"  # names something, counts nothing
    TEXT = "text"


class Direction(StrEnum):
    HOST_TO_DEVICE = "host-to-device"
    DEVICE_TO_HOST = "device-to-host"


class Nature(StrEnum):
    """The nature of a message: an effect changes the device, a query asks for its status, an event reports what has
    happened, and a status is the device's state.
    """

    EFFECT = "effect"
    QUERY = "query"
    EVENT = "event"
    STATUS = "status"
    LINK = "link"  # belongs to the link itself


class DeviceKind(IntEnum):
    SHUFFLER = 1
    SHOE = 2
    DISPLAY = 3
    VALUE_DISPLAY = 4
    SLOTS = 5


SECTION_OF: Final[Mapping[DeviceKind, int]] = {
    DeviceKind.SHUFFLER: 10,
    DeviceKind.SHOE: 11,
    DeviceKind.DISPLAY: 12,
    DeviceKind.VALUE_DISPLAY: 13,
    DeviceKind.SLOTS: 14,
}
"""The section of PROTOCOL.md on each kind of device."""

FLAG_CHOICES: Final[Mapping[int, object]] = MappingProxyType({0: False, 1: True})


def choices_of(kind: type[IntEnum]) -> Mapping[int, object]:
    """Returns the members of an enumeration by number."""
    return MappingProxyType({int(member): member for member in kind})


class Field(Struct, frozen=True):
    """One field of a message: a number from `low` to `high`, both included. `choices`: the permitted numbers as keys;
    None for all of the range. `is_secret`: True for the byte of an event that a paired device encrypts.
    """

    name: str
    wire: Wire
    unit: Unit
    low: int
    high: int
    doc: str
    choices: Mapping[int, object] | None = None
    is_secret: bool = False


class Flag(Struct, frozen=True, gc=False):
    """One bit of the last field of a message. The decoded value has a bool for each flag."""

    name: str
    bit: int
    doc: str


def flag_field(name: str, doc: str) -> Field:
    """Returns a field of one byte that is 0 for no or 1 for yes. `doc`: the field's description."""
    return Field(name, Wire.U8, Unit.FLAG, 0, 1, doc, FLAG_CHOICES)


def whole(name: str, wire: Wire, unit: Unit, doc: str) -> Field:
    """Returns a field that may have every number of its form on the wire. `doc`: the field's description."""
    return Field(name, wire, unit, 0, wire.highest, doc)


class Message(Struct, Generic[T_co], frozen=True):
    """One row of a message table: a struct and its form on the wire.

    `made`: the class of the decoded value. `flags_wire`: the form of the last field on the wire, which has the flags.
    """

    id: int
    name: str
    made: type[T_co]
    direction: Direction
    nature: Nature
    doc: str
    fields: tuple[Field, ...] = ()
    flags: tuple[Flag, ...] = ()
    flags_wire: Wire = Wire.U16


class Layout(Generic[T_co]):
    """The codec of one message. The codec converts a value to a fixed number of bytes and back, each by one `struct`
    call.
    """

    def __init__(self, row: Message[T_co]) -> None:
        letters = "".join(field.wire.letter for field in row.fields)
        self._struct = struct.Struct("<" + letters + (row.flags_wire.letter if row.flags else ""))
        self._made = row.made
        self._row = row
        self._unpack = self._struct.unpack
        self._bounded = tuple((i, f) for i, f in enumerate(row.fields) if _needs_bounds(f))
        self._listed = tuple((i, f.choices) for i, f in enumerate(row.fields) if f.choices is not None)
        self._chosen = tuple((i, choices) for i, choices in self._listed if not _stand_for_themselves(choices))
        self._texts = tuple(i for i, f in enumerate(row.fields) if f.wire is Wire.TEXT16)
        self._flag_sets = _flag_sets(row.flags)
        self._flag_bits = {flags: bits for bits, flags in enumerate(self._flag_sets)}
        self._is_checked = bool(self._bounded or self._listed or self._texts)
        self._is_converted = bool(self._chosen or self._texts or self._flag_sets)
        self._read = _reader(field_names(row))
        self.size = self._struct.size

    def decode(self, data: bytes) -> T_co:
        """Decodes a value. Raises FrameError: bad-length, out-of-bounds."""
        if len(data) != self.size:
            raise FrameError(RejectReason.BAD_LENGTH, f"{self._row.name}: {len(data)} bytes, not {self.size}")
        values: Sequence[Any] = self._unpack(data)
        if self._is_checked:
            self._check(values)
        if self._is_converted:
            values = self._converted(values)
        return self._made(*values)

    def split(self, payload: bytes) -> tuple[T_co, bytes]:
        """Decodes the value at the beginning of a payload. Returns the value and the rest of the bytes. Raises
        FrameError.
        """
        return self.decode(payload[: self.size]), payload[self.size :]

    def encode(self, value: object) -> bytes:
        """Encodes a value of this row. Raises ValueOutOfBounds."""
        try:
            values = self._wire_values(value)
            data = self._struct.pack(*values)
            if self._is_checked:
                self._check(values)
        except (struct.error, FrameError) as error:
            raise ValueOutOfBounds(f"{self._row.name}: {error}") from error
        return data

    def _check(self, values: Sequence[Any]) -> None:
        """Raises FrameError if the message table forbids one of `values`, which are in their form on the wire."""
        for index, field in self._bounded:
            if not field.low <= values[index] <= field.high:
                raise self._out_of_bounds(field, values[index])
        for index, choices in self._listed:
            if values[index] not in choices:
                raise self._out_of_bounds(self._row.fields[index], values[index])
        for index in self._texts:
            _text_of(values[index])

    def _converted(self, values: Sequence[Any]) -> Sequence[Any]:
        new = list(values)
        for index, choices in self._chosen:
            new[index] = choices[values[index]]
        for index in self._texts:
            new[index] = _text_of(values[index])
        if self._flag_sets:
            bits = new.pop()
            if bits >= len(self._flag_sets):
                raise FrameError(RejectReason.OUT_OF_BOUNDS, f"{self._row.name}: reserved bits in {bits:#x}")
            new += self._flag_sets[bits]
        return new

    def _wire_values(self, value: object) -> Sequence[Any]:
        values = self._read(value)
        if not (self._flag_sets or self._texts):
            return values
        count = len(self._row.fields)
        plain = list(values[:count])
        for index in self._texts:
            plain[index] = _text_bytes(plain[index])
        if self._flag_sets:
            plain.append(self._flag_bits[values[count:]])
        return plain

    def _out_of_bounds(self, field: Field, value: object) -> FrameError:
        return FrameError(RejectReason.OUT_OF_BOUNDS, f"{self._row.name}.{field.name} = {value!r}")


class DeviceSchema(Generic[StatusT, CommandT, EventT]):
    """All messages of one kind of device, and the codec made from their tables."""

    def __init__(
        self,
        kind: DeviceKind,
        results: type[IntEnum],
        status: Message[StatusT],
        commands: tuple[Message[CommandT], ...],
        events: tuple[Message[EventT], ...],
    ) -> None:
        self.kind = kind
        self.results = results
        self.status = status
        self.commands = commands
        self.events = events
        self._status = Layout(status)
        self._commands = {row.id: Layout(row) for row in commands}
        self._events = {row.id: Layout(row) for row in events}
        self._rows: Mapping[type[Any], Message[Any]] = {row.made: row for row in (*commands, *events)}
        self._secrets = {row.id: 1 + self._status.size + at for row in events if (at := _secret_at(row)) is not None}

    def encode_status(self, status: StatusT) -> bytes:
        """Encodes a status as a status block. Raises ValueOutOfBounds."""
        return self._status.encode(status)

    def decode_status(self, data: bytes) -> StatusT:
        """Decodes a status block. Raises FrameError."""
        return self._status.decode(data)

    def encode_command(self, command: CommandT) -> bytes:
        """Encodes the payload of a COMMAND: message id and fields. Raises ValueOutOfBounds."""
        number = self._rows[type(command)].id
        return bytes((number,)) + self._commands[number].encode(command)

    def decode_command(self, payload: bytes) -> CommandT:
        """Decodes the payload of a COMMAND. Raises FrameError."""
        return _layout_for(self._commands, payload).decode(payload[1:])

    def encode_event(self, event: EventT, status: StatusT) -> bytes:
        """Encodes an event: message id, status after the event, fields. These bytes follow the link's own fields in an
        EVENT frame. Raises ValueOutOfBounds.
        """
        return self.encode_event_after(event, self._status.encode(status))

    def encode_event_after(self, event: EventT, status_block: bytes) -> bytes:
        """Encodes an event like `encode_event`. `status_block`: the status after the event, already encoded.

        Raises ValueOutOfBounds for the event.
        """
        number = self._rows[type(event)].id
        return bytes((number,)) + status_block + self._events[number].encode(event)

    def decode_event(self, payload: bytes) -> tuple[EventT, StatusT]:
        """Decodes the bytes that `encode_event` returns: the event, and the status after it. Raises FrameError."""
        layout, status = _layout_for(self._events, payload), self._status
        fields_at = 1 + status.size
        return layout.decode(payload[fields_at:]), status.decode(payload[1:fields_at])

    def secret_at(self, event: bytes) -> int | None:
        """Returns the index of the secret byte in an encoded event (message id, status, fields). None if the event has
        no secret byte, or is too short to contain it.
        """
        at = self._secrets.get(event[0]) if event else None
        return at if at is not None and at < len(event) else None

    def name_of(self, message: CommandT | EventT) -> str:
        """Returns the name of a command or event, as words with hyphens."""
        return self._rows[type(message)].name


def field_names(row: Message[Any]) -> tuple[str, ...]:
    """Returns the names of the fields and flags of a message, in their order on the wire."""
    return (*(field.name for field in row.fields), *(flag.name for flag in row.flags))


def _secret_at(row: Message[Any]) -> int | None:
    """Returns the index of the secret byte in the bytes of a message; None if the message has no secret field."""
    for place, field in enumerate(row.fields):
        if field.is_secret:
            return struct.calcsize("<" + "".join(one.wire.letter for one in row.fields[:place]))
    return None


def _reader(names: tuple[str, ...]) -> Callable[[object], tuple[Any, ...]]:
    """Returns a function that reads the attributes `names` of an object, always as a tuple."""
    if len(names) > 1:
        return attrgetter(*names)
    if not names:
        return lambda _value: ()
    read_it = attrgetter(*names)
    return lambda value: (read_it(value),)


def _layout_for(layouts: Mapping[int, Layout[T_co]], payload: bytes) -> Layout[T_co]:
    if not payload:
        raise FrameError(RejectReason.BAD_LENGTH, "no message id")
    layout = layouts.get(payload[0])
    if layout is None:
        raise FrameError(RejectReason.UNKNOWN_MESSAGE, f"id {payload[0]:#04x}")
    return layout


def _needs_bounds(field: Field) -> bool:
    return field.wire is not Wire.TEXT16 and (field.low > 0 or field.high < field.wire.highest)


def _stand_for_themselves(choices: Mapping[int, object]) -> bool:
    return all(meaning is number for number, meaning in choices.items())


def _flag_sets(flags: tuple[Flag, ...]) -> tuple[tuple[bool, ...], ...]:
    """Returns the flags as a tuple of bools, for each value of the field that has them. Decoding then looks them up."""
    if not flags:
        return ()
    return tuple(tuple(bool(bits >> flag.bit & 1) for flag in flags) for bits in range(1 << len(flags)))


def _text_of(raw: bytes) -> str:
    text = raw.rstrip(b"\0")
    if not all(0x20 <= byte < 0x7F for byte in text):
        raise FrameError(RejectReason.OUT_OF_BOUNDS, f"{raw!r} is not printable ASCII")
    return text.decode("ascii")


def _text_bytes(text: str) -> bytes:
    if not (text.isascii() and len(text) <= Wire.TEXT16.highest):
        raise ValueOutOfBounds(f"{text!r}: at most 16 ASCII characters")
    return text.encode("ascii")
