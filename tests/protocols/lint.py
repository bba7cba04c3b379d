"""Checks the message tables and lists every fault."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec import Struct

from firmware_protocols.framing import MAX_BODY
from firmware_protocols.tdp.link import HEADER
from firmware_protocols.tdp.link_rows import ANSWER_LAYOUT, EVENT_LAYOUT, IDENTITY_LAYOUT, LINK_ROWS
from firmware_protocols.tdp.proof import NONCE_BYTES
from firmware_protocols.tdp.schema import (
    DeviceSchema,
    Direction,
    Field,
    Layout,
    Message,
    Nature,
    Unit,
    Wire,
    field_names,
)

AnySchema = DeviceSchema[Any, Any, Any]
AnyMessage = Message[Any]

_ROW_NAME: Final = re.compile(r"[a-z]+(-[a-z]+)*")
_FIELD_NAME: Final = re.compile(r"[a-z]+(_[a-z]+)*")
_DIRECTION_OF: Final = {
    Nature.EFFECT: Direction.HOST_TO_DEVICE,
    Nature.QUERY: Direction.HOST_TO_DEVICE,
    Nature.EVENT: Direction.DEVICE_TO_HOST,
    Nature.STATUS: Direction.DEVICE_TO_HOST,
}
_MESSAGE_ID_BYTES: Final = 1


def lint(schemas: Sequence[AnySchema]) -> list[str]:
    """Returns, in words, every fault in the tables `schemas` and in the link's own table; an empty list if there is
    none.
    """
    faults = [fault for row in LINK_ROWS for fault in _row_faults(f"link.{row.name}", row)]
    faults += _doubles("kinds", [schema.kind.name for schema in schemas])
    return faults + [fault for schema in schemas for fault in _schema_faults(schema)]


def _schema_faults(schema: AnySchema) -> Iterator[str]:
    where = schema.kind.name.lower()
    for row in (schema.status, *schema.commands, *schema.events):
        yield from _row_faults(f"{where}.{row.name}", row)
    yield from _doubles(where, [row.name for row in (schema.status, *schema.commands, *schema.events)])
    yield from _doubles(f"{where} commands", [row.id for row in schema.commands])
    yield from _doubles(f"{where} events", [row.id for row in schema.events])
    yield from (f"{where}.{row.name}: id {row.id}" for row in _messages(schema) if not 1 <= row.id <= 0xFF)
    yield from (f"{where}.{name}: no place in the table" for name in _misplaced(schema))
    if schema.results(0).name != "OK":
        yield f"{where}: result 0 is not OK"
    yield from _size_faults(where, schema)


def _row_faults(where: str, row: AnyMessage) -> Iterator[str]:
    if not _ROW_NAME.fullmatch(row.name):
        yield f"{where}: the name is not lower-case words with hyphens"
    if row.nature in _DIRECTION_OF and row.direction is not _DIRECTION_OF[row.nature]:
        yield f"{where}: {row.nature} goes {row.direction}"
    if not row.doc.endswith("."):
        yield f"{where}: no sentence says what it is"
    yield from _class_faults(where, row)
    for field in row.fields:
        yield from _field_faults(f"{where}.{field.name}", field)
    yield from _flag_faults(where, row)


def _class_faults(where: str, row: AnyMessage) -> Iterator[str]:
    if not (issubclass(row.made, Struct) and row.made.__struct_config__.frozen):
        yield f"{where}: {row.made.__name__} is no frozen struct"
    elif row.made.__struct_fields__ != field_names(row):
        yield f"{where}: {row.made.__name__} has other fields, or in another order"


def _field_faults(where: str, field: Field) -> Iterator[str]:
    if not _FIELD_NAME.fullmatch(field.name):
        yield f"{where}: the name is not lower-case words with underscores"
    if not 0 <= field.low <= field.high <= field.wire.highest:
        yield f"{where}: {field.low} to {field.high} does not fit {field.wire.name}"
    if (field.wire is Wire.TEXT16) is not (field.unit is Unit.TEXT):
        yield f"{where}: {field.unit} as {field.wire.name}"
    if not field.doc:
        yield f"{where}: nothing says what it is"
    if field.is_secret and field.wire is not Wire.U8:
        yield f"{where}: a secret of more than one byte"
    if field.choices is not None and not all(field.low <= number <= field.high for number in field.choices):
        yield f"{where}: a choice lies out of bounds"


def _flag_faults(where: str, row: AnyMessage) -> Iterator[str]:
    for place, flag in enumerate(row.flags):
        if flag.bit != place or flag.bit >= row.flags_wire.highest.bit_length():
            yield f"{where}.{flag.name}: bit {flag.bit} in place {place} of {row.flags_wire.name}"
        if not (_FIELD_NAME.fullmatch(flag.name) and flag.doc):
            yield f"{where}.{flag.name}: no proper name, or nothing says what it is"


def _size_faults(where: str, schema: AnySchema) -> Iterator[str]:
    status = Layout(schema.status).size
    events = [EVENT_LAYOUT.size + status + _size_of(row) for row in schema.events]
    for what, payload in (
        ("identity", IDENTITY_LAYOUT.size + NONCE_BYTES + status),
        ("answer", ANSWER_LAYOUT.size + status),
        ("longest event", max(events)),
        ("longest command", max(_size_of(row) for row in schema.commands)),
    ):
        if HEADER.size + payload > MAX_BODY:
            yield f"{where}: {what} has {HEADER.size + payload} bytes, {MAX_BODY} are possible"


def _size_of(row: AnyMessage) -> int:
    return _MESSAGE_ID_BYTES + Layout(row).size


def _misplaced(schema: AnySchema) -> Iterator[str]:
    yield from (row.name for row in schema.commands if row.nature not in (Nature.EFFECT, Nature.QUERY))
    yield from (row.name for row in schema.events if row.nature is not Nature.EVENT)
    if schema.status.nature is not Nature.STATUS:
        yield schema.status.name


def _messages(schema: AnySchema) -> tuple[AnyMessage, ...]:
    return (*schema.commands, *schema.events)


def _doubles(where: str, values: Sequence[object]) -> list[str]:
    return [f"{where}: {value} twice" for value, times in Counter(values).items() if times > 1]
