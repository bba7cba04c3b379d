"""The linter of the message tables finds planted faults and none in ours; each row can be encoded and decoded."""

from collections.abc import Callable
from enum import IntEnum
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct
from msgspec.structs import replace

from controller.devices.device_kinds import TDP_KINDS
from firmware_protocols.errors import FrameError, RejectReason, ValueOutOfBounds
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.display import CENTS_MAX, DISPLAY, DisplayApply
from firmware_protocols.tdp.link import FrameKind
from firmware_protocols.tdp.link_rows import LINK_ROWS
from firmware_protocols.tdp.schema import (
    DeviceSchema,
    Direction,
    Field,
    Flag,
    Layout,
    Message,
    Nature,
    Unit,
    Wire,
    field_names,
    whole,
)
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeStarted, ShoeStatus
from firmware_protocols.tdp.shuffler import SHUFFLER, CardIn, Jammed, Place, ShufflerStatus
from tests.protocols.lint import AnySchema, lint

SCHEMAS: tuple[AnySchema, ...] = tuple(kind.schema for kind in TDP_KINDS.values())
ROWS: tuple[Message[Any], ...] = (
    *LINK_ROWS,
    *(row for schema in SCHEMAS for row in (schema.status, *schema.commands, *schema.events)),
)


def test_the_tables_have_no_fault() -> None:
    assert lint(SCHEMAS) == []


def test_each_kind_of_frame_has_its_number() -> None:
    assert len(set(FrameKind)) == 12
    assert {row.id for row in LINK_ROWS} <= set(FrameKind)


# ---- the linter sees faults ----


class Probe(Struct, frozen=True):
    amount: int
    hot: bool


class Loose(Struct):
    amount: int
    hot: bool


class NoOk(IntEnum):
    FINE = 0


AMOUNT = whole("amount", Wire.U8, Unit.CARDS, "an amount")
HOT = Flag("hot", 0, "it is hot")
PROBE = Message(1, "probe", Probe, Direction.DEVICE_TO_HOST, Nature.EVENT, "A probe.", (AMOUNT,), (HOT,), Wire.U8)


def faults_of(*events: Message[Any]) -> str:
    schema: AnySchema = DeviceSchema(SHOE.kind, SHOE.results, SHOE.status, SHOE.commands, events)
    return "\n".join(lint((schema,)))


@pytest.mark.parametrize(
    ("row", "fault"),
    [
        (replace(PROBE, name="Probe_1"), "shoe.Probe_1: the name is not lower-case words with hyphens"),
        (replace(PROBE, direction=Direction.HOST_TO_DEVICE), "shoe.probe: event goes host-to-device"),
        (replace(PROBE, nature=Nature.EFFECT), "shoe.probe: no place in the table"),
        (replace(PROBE, id=0), "shoe.probe: id 0"),
        (replace(PROBE, id=256), "shoe.probe: id 256"),
        (replace(PROBE, doc="a probe"), "shoe.probe: no sentence says what it is"),
        (replace(PROBE, made=Loose), "shoe.probe: Loose is no frozen struct"),
        (replace(PROBE, flags=()), "shoe.probe: Probe has other fields, or in another order"),
        (replace(PROBE, fields=(replace(AMOUNT, name="Amount"),)), "the name is not lower-case words"),
        (replace(PROBE, fields=(replace(AMOUNT, high=256),)), "shoe.probe.amount: 0 to 256 does not fit U8"),
        (replace(PROBE, fields=(replace(AMOUNT, low=9, high=3),)), "shoe.probe.amount: 9 to 3 does not fit"),
        (replace(PROBE, fields=(replace(AMOUNT, unit=Unit.TEXT),)), "shoe.probe.amount: text as U8"),
        (replace(PROBE, fields=(replace(AMOUNT, doc=""),)), "shoe.probe.amount: nothing says what it is"),
        (replace(PROBE, fields=(replace(AMOUNT, high=3, choices={4: 4}),)), "a choice lies out of bounds"),
        (replace(PROBE, flags=(replace(HOT, bit=1),)), "shoe.probe.hot: bit 1 in place 0 of U8"),
        (replace(PROBE, fields=(AMOUNT,) * 180), "longest event has 204 bytes, 192 are possible"),
    ],
)
def test_the_linter_names_the_fault(row: Message[Any], fault: str) -> None:
    assert fault in faults_of(row)


def test_the_linter_sees_doubles() -> None:
    faults = faults_of(PROBE, PROBE)
    assert "shoe: probe twice" in faults
    assert "shoe events: 1 twice" in faults
    assert "kinds: SHOE twice" in lint((SHOE, SHOE))


def test_the_linter_wants_ok_to_be_zero() -> None:
    schema: AnySchema = DeviceSchema(SHOE.kind, NoOk, SHOE.status, SHOE.commands, SHOE.events)
    assert lint((schema,)) == ["shoe: result 0 is not OK"]


# ---- every row survives the wire ----


def values_of(field: Field) -> st.SearchStrategy[object]:
    if field.choices is not None:
        return st.sampled_from(sorted(field.choices)).map(lambda number: field.choices[number])
    if field.wire is Wire.TEXT16:
        return st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=16)
    return st.integers(field.low, field.high)


def messages_of(row: Message[Any]) -> st.SearchStrategy[Any]:
    parts = {field.name: values_of(field) for field in row.fields}
    parts |= {flag.name: st.booleans() for flag in row.flags}
    return st.builds(row.made, **parts)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.made.__name__)
def test_a_message_comes_back_as_it_went(row: Message[Any]) -> None:
    layout = Layout(row)

    @given(messages_of(row))
    def there_and_back(message: object) -> None:
        data = layout.encode(message)
        assert len(data) == layout.size
        back = layout.decode(data)
        assert back == message
        assert [type(getattr(back, name)) for name in field_names(row)] == [
            type(getattr(message, name)) for name in field_names(row)
        ]

    there_and_back()


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda schema: schema.kind.name)
@given(payload=st.binary(max_size=60))
def test_any_bytes_decode_or_are_rejected(schema: AnySchema, payload: bytes) -> None:
    for decode, encode in (
        (schema.decode_command, schema.encode_command),
        (schema.decode_status, schema.encode_status),
        (schema.decode_event, lambda pair: schema.encode_event(*pair)),
    ):
        try:
            value = decode(payload)
        except FrameError:
            continue
        assert encode(value) == payload, "two byte strings for one message"


# ---- bounds ----

NOTHING_SHOE = ShoeStatus(0)
SHOE_BLOCK = bytes.fromhex("0000000001")


@pytest.mark.parametrize(
    ("payload", "reason"),
    [
        ("", RejectReason.BAD_LENGTH),
        ("7f", RejectReason.UNKNOWN_MESSAGE),
        ("02000000000101000000", RejectReason.BAD_LENGTH),
        ("020000000001010000003a00", RejectReason.BAD_LENGTH),
        ("020000000001010000003e", RejectReason.OUT_OF_BOUNDS),
        ("020000000010010000003a", RejectReason.OUT_OF_BOUNDS),
        ("01000000000104", RejectReason.OUT_OF_BOUNDS),
        ("03000000000100", RejectReason.OUT_OF_BOUNDS),
    ],
)
def test_a_shoe_event_out_of_its_table_is_rejected(payload: str, reason: RejectReason) -> None:
    with pytest.raises(FrameError) as caught:
        SHOE.decode_event(bytes.fromhex(payload))
    assert caught.value.reason is reason


def test_a_flag_is_0_or_1() -> None:
    assert SHOE.decode_command(b"\x01\x01") == SHOE.decode_command(bytes((1, 1)))
    with pytest.raises(FrameError, match=r"apply\.locked = 2"):
        SHOE.decode_command(b"\x01\x02")


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: SHOE.encode_event(CardPassed(1, 0x3E), NOTHING_SHOE),
        lambda: SHOE.encode_event(CardPassed(-1, 0x3A), NOTHING_SHOE),
        lambda: SHOE.encode_status(ShoeStatus(2**32)),
        lambda: DISPLAY.encode_command(DisplayApply(CENTS_MAX + 1)),
        lambda: SHUFFLER.encode_event(Jammed(Place.FEED, 256), ShufflerStatus(0, 0, 0, 0, 0, 0)),
        lambda: SHUFFLER.encode_status(ShufflerStatus(0, 0, 65536, 0, 0, 0)),
    ],
)
def test_we_send_nothing_out_of_bounds(wrong: Callable[[], bytes]) -> None:
    with pytest.raises(ValueOutOfBounds):
        wrong()


def test_a_message_has_its_name() -> None:
    assert SHUFFLER.name_of(CardIn()) == "card-in"
    assert SHOE.name_of(ShoeStarted(StartCause.WATCHDOG)) == "started"
