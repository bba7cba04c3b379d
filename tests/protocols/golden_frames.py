"""Frames as bytes, made by hand with a bitwise CRC and textbook COBS (hand_made.py), never by the code under test."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

from msgspec.structs import replace

from firmware_protocols.cards import UNREAD, card_byte
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.display import DISPLAY, DisplayApply, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.schema import DeviceKind, Layout
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeApply, ShoeStatus
from firmware_protocols.tdp.shuffler import (
    SHUFFLER,
    CardOut,
    Jammed,
    Place,
    Recounted,
    ShufflerApply,
    ShufflerStarted,
    ShufflerStatus,
)
from firmware_protocols.tdp.slots import SLOTS, SlotsApply, SlotsChanged, SlotsStatus
from firmware_protocols.tdp.value_display import VALUE_DISPLAY, MarkersApply, MarkersStatus
from tests.protocols.lint import AnySchema

# The form, the decoding and the meaning of each.
Rest: TypeAlias = tuple[Callable[..., bytes], Callable[[bytes], object], object]

OPENING = 0x1001
BOOT = 7

FULL = ShufflerStatus(5000, 4688, 312, 4688, 3, 1, hopper_loaded=True)
RELEASING = ShufflerStatus(5000, 4688, 312, 4689, 3, 1, mouth_open=True)
AFTER_CARD = ShufflerStatus(5000, 4689, 311, 4689, 3, 1)
JAM = ShufflerStatus(5000, 4689, 311, 4689, 4, 1, jammed=True, lamp_lit=True, path_blocked=True)
RECOUNTED = ShufflerStatus(5000, 4689, 309, 4689, 4, 2)
SHOE_BEFORE = ShoeStatus(42, locked=True)
AMOUNT = DisplayStatus(123_456_789)


@dataclass(frozen=True)
class Golden:
    """A frame's bytes and their meaning: header, the link's own payload, then the part of a device's table."""

    wire: str
    header: Header
    head: tuple[Layout[Any], object] | None = None
    rest: Rest | None = None

    @property
    def frame(self) -> bytes:
        return bytes.fromhex(self.wire)


def _down(kind: FrameKind, number: int) -> Header:
    return Header(kind, OPENING, BOOT, number)


def _status(schema: AnySchema, status: object) -> Rest:
    return schema.encode_status, schema.decode_status, status


def _command(schema: AnySchema, command: object) -> Rest:
    return schema.encode_command, schema.decode_command, command


def _event(schema: AnySchema, event: object, status: object) -> Rest:
    def encode(pair: tuple[object, object]) -> bytes:
        return schema.encode_event(*pair)

    return encode, schema.decode_event, (event, status)


def _event_frame(wire: str, number: int, oldest: int, rest: Rest) -> Golden:
    return Golden(wire, _down(FrameKind.EVENT, number), (rows.EVENT_LAYOUT, rows.EventBody(oldest)), rest)


def _answer(wire: str, number: int, newest: int, result: int, rest: Rest) -> Golden:
    head = (rows.ANSWER_LAYOUT, rows.AnswerBody(newest, result))
    return Golden(wire, _down(FrameKind.ANSWER, number), head, rest)


def _hello(wire: str, opening: int, boot: int, number: int) -> Golden:
    body = rows.HelloBody(1, 0, boot, number)
    return Golden(wire, Header(FrameKind.HELLO, opening, 0, 0), (rows.HELLO_LAYOUT, body))


def _identity(wire: str, body: rows.IdentityBody, rest: Rest) -> Golden:
    return Golden(wire, _down(FrameKind.IDENTITY, 0), (rows.IDENTITY_LAYOUT, body), rest)


GOLDEN: dict[str, Golden] = {
    "hello": _hello("04010110010101010101010101020101010101010101010101010101010101058d9c143200", OPENING, 0, 0),
    "hello-with-committed": _hello(
        "04010210010101010101010101020102070101032c01010101010101010101055908f95700", 0x1002, BOOT, 300
    ),
    "identity-shuffler": _identity(
        "0481011001020701010101010102010f01015361626f742043534d2d33380101010953494d2d3030303101010101010101"
        "06312e302e3001010101010101010101020101010202010103881301035012010538015012010203020101020101010101"
        "010101056da965ee00",
        rows.IdentityBody(1, 0, DeviceKind.SHUFFLER, True, "Sabot CSM-38", "SIM-0001", "1.0.0", 1, 2),
        _status(SHUFFLER, FULL),
    ),
    "event-started": _event_frame(
        "048301100102070101020101010201010104018813010350120105380150120102030201044001010101010101010105b74ce49a00",
        1,
        1,
        _event(SHUFFLER, ShufflerStarted(StartCause.POWER_ON), replace(FULL, host_silent=True)),
    ),
    "ack": Golden("040301100102070101020101010101010101010101053ef3632a00", _down(FrameKind.ACK, 1)),
    "command-apply": Golden(
        "04020110010207010102010101040151120101010102030201010101010101010105cce7f5d200",
        _down(FrameKind.COMMAND, 1),
        None,
        _command(SHUFFLER, ShufflerApply(4689, jams_ended=3, recount_request=1)),
    ),
    "answer-ok": _answer(
        "0482011001020701010201010102010101010388130103501201053801511201020302010202010101010101010105b14697e600",
        1,
        1,
        0,
        _status(SHUFFLER, RELEASING),
    ),
    "event-card-out": _event_frame(
        "048301100102070101020201010202010104038813010351120105370151120102030201010101010101010101010104fd6fc400",
        2,
        2,
        _event(SHUFFLER, CardOut(), AFTER_CARD),
    ),
    "event-jammed": _event_frame(
        "0483011001020701010203010102020101040488130103511201053701511201020402010528020302010101010101010598b6829a00",
        3,
        2,
        _event(SHUFFLER, Jammed(Place.MOUTH, 2), JAM),
    ),
    "heartbeat-not-durable": Golden(
        "0404011001020701010209010102010101010101010105bb68e83b00",
        _down(FrameKind.HEARTBEAT, 9),
        (rows.HEARTBEAT_LAYOUT, rows.HeartbeatBody(True)),
    ),
    "heartbeat-reply": Golden(
        "04840110010207010102090101020301010388130103511201053701511201020402010328020101010101010105854fa3ec00",
        _down(FrameKind.HEARTBEAT_REPLY, 9),
        (rows.REPLY_LAYOUT, rows.ReplyBody(3)),
        _status(SHUFFLER, JAM),
    ),
    "no-session": Golden(
        "048501100102080101010101010101010101010101050e40a2fb00", Header(FrameKind.NO_SESSION, OPENING, 8, 0)
    ),
    "answer-refused-jammed": _answer(
        "048201100102070101020201010203010104028813010351120105370151120102040201032802010101010101010526eee2f900",
        2,
        3,
        2,
        _status(SHUFFLER, JAM),
    ),
    "event-recounted": _event_frame(
        "0483011001020701010204010102040101040a881301035112010535015112010204020201010202033501010101010101"
        "010588f9447500",
        4,
        4,
        _event(SHUFFLER, Recounted(2, 309), RECOUNTED),
    ),
    "command-query": Golden(
        "0402011001020701010203010102020101010101010105d868cb4a00",
        _down(FrameKind.COMMAND, 3),
        None,
        _command(SHUFFLER, Query()),
    ),
    "shoe-identity": _identity(
        "04810110010207010101010101020102020a5265616465722052310101010101010a52312d303030303432010101010101"
        "04322e330101010101010101010101010201010102020101022a010102010101010101010105467da8e900",
        rows.IdentityBody(1, 0, DeviceKind.SHOE, False, "Reader R1", "R1-000042", "2.3", 1, 2),
        _status(SHOE, SHOE_BEFORE),
    ),
    "shoe-apply": Golden(
        "040201100102070101020101010201010101010101010105ad01195000",
        _down(FrameKind.COMMAND, 1),
        None,
        _command(SHOE, ShoeApply(locked=False)),
    ),
    "shoe-card-passed": _event_frame(
        "048301100102070101020201010202010103022b010101022b0101023a01010101010101054dc005a000",
        2,
        2,
        _event(SHOE, CardPassed(43, card_byte("10H")), ShoeStatus(43, locked=False)),
    ),
    "shoe-card-unread": _event_frame(
        "048301100102070101020301010202010103022c010103012c0101010101010101010101050a7cc47400",
        3,
        2,
        _event(SHOE, CardPassed(44, UNREAD), ShoeStatus(44, locked=True)),
    ),
    "display-apply": Golden(
        "04020110010207010102010101060115cd5b0701010101010101010101010105b27e414300",
        _down(FrameKind.COMMAND, 1),
        None,
        _command(DISPLAY, DisplayApply(123_456_789)),
    ),
    "display-answer": _answer(
        "0482011001020701010201010102010101010515cd5b07010101010101010101010101053cab3c4a00",
        1,
        1,
        0,
        _status(DISPLAY, AMOUNT),
    ),
    "display-faulted": _event_frame(
        "0483011001020701010202010102010101060215cd5b070101010301020101010101010105be13436e00",
        2,
        1,
        _event(DISPLAY, DisplayFaulted(2), replace(AMOUNT, fault_shown=True)),
    ),
    "values-apply": Golden(
        "040201100102070101020101010401f401010101010101010101010101010101010101010101010101010101010101010101"
        "010101010101010103983a010101010101010101055e516dc800",
        _down(FrameKind.COMMAND, 1),
        None,
        _command(VALUE_DISPLAY, MarkersApply(red=500, turquoise=15_000)),
    ),
    "values-faulted": _event_frame(
        "04830110010207010102020101020101010402d0070101010101010101010101010101010101010101010101010101010101"
        "01010101010101010101010101010101010202010101010101010562ef5d5900",
        2,
        1,
        _event(VALUE_DISPLAY, DisplayFaulted(2), MarkersStatus(red=2000)),
    ),
    "slots-apply": Golden(
        "0402011001020701010201010103010602050205020201010101010101010580e4d59d00",
        _down(FrameKind.COMMAND, 1),
        None,
        _command(SLOTS, SlotsApply(6, seats=0b101, lit=0b101, blinking=0b10)),
    ),
    "slots-changed": _event_frame(
        "04830110010207010102020101020201010302020240020502020206010101010101010101051ac9ad3900",
        2,
        2,
        _event(SLOTS, SlotsChanged(), SlotsStatus(0b10, 0b1000000, 0b101, 0b10, 6)),
    ),
}
