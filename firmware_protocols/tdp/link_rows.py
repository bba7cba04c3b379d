"""The payloads of the link's own frames, as structs and tables. In some frames the device's status or event comes after
these fields.
"""

from typing import Final

from msgspec import Struct

from firmware_protocols.tdp.link import DeviceIdentity, FrameKind, Identity
from firmware_protocols.tdp.schema import (
    DeviceKind,
    Direction,
    Field,
    Layout,
    Message,
    Nature,
    Unit,
    Wire,
    choices_of,
    flag_field,
    whole,
)


class HelloBody(Struct, frozen=True, gc=False):
    major: int
    minor: int
    committed_boot: int
    committed_number: int


class IdentityBody(Struct, frozen=True, gc=False):
    major: int
    minor: int
    kind: DeviceKind
    simulated: bool
    model: str
    serial: str
    firmware: str
    oldest_event: int
    next_event: int


class HeartbeatBody(Struct, frozen=True, gc=False):
    not_yet_durable: bool


class ReplyBody(Struct, frozen=True, gc=False):
    newest_event: int


class AnswerBody(Struct, frozen=True, gc=False):
    newest_event: int
    result: int


class EventBody(Struct, frozen=True, gc=False):
    oldest_event: int


_DOWN: Final = Direction.HOST_TO_DEVICE
_UP: Final = Direction.DEVICE_TO_HOST
_LINK: Final = Nature.LINK
_VERSION: Final = (
    whole("major", Wire.U8, Unit.NUMBER, "protocol version, the part that must be equal"),
    whole("minor", Wire.U8, Unit.NUMBER, "protocol version, the lower one holds"),
)
_KINDS: Final = ", ".join(f"{kind.value} {kind.name.lower()}" for kind in DeviceKind)
_NEWEST: Final = whole("newest_event", Wire.U32, Unit.NUMBER, "last event the status includes, 0 none")

HELLO: Final = Message(
    FrameKind.HELLO,
    "hello",
    HelloBody,
    _DOWN,
    _LINK,
    "Opens a session.",
    (
        *_VERSION,
        whole("committed_boot", Wire.U32, Unit.NUMBER, "boot number of the last event held durably, 0 none"),
        whole("committed_number", Wire.U32, Unit.NUMBER, "its number"),
    ),
)
IDENTITY: Final = Message(
    FrameKind.IDENTITY,
    "identity",
    IdentityBody,
    _UP,
    _LINK,
    "Answers HELLO; the status block follows.",
    (
        *_VERSION,
        Field("kind", Wire.U8, Unit.CODE, min(DeviceKind), max(DeviceKind), _KINDS, choices_of(DeviceKind)),
        flag_field("simulated", "no hardware is behind this device"),
        Field("model", Wire.TEXT16, Unit.TEXT, 0, 16, "maker and model"),
        Field("serial", Wire.TEXT16, Unit.TEXT, 0, 16, "serial number, one device in the world"),
        Field("firmware", Wire.TEXT16, Unit.TEXT, 0, 16, "firmware version"),
        Field("oldest_event", Wire.U32, Unit.NUMBER, 1, Wire.U32.highest, "oldest event still held"),
        Field("next_event", Wire.U32, Unit.NUMBER, 1, Wire.U32.highest, "number of the event to come"),
    ),
)
HEARTBEAT: Final = Message(
    FrameKind.HEARTBEAT,
    "heartbeat",
    HeartbeatBody,
    _DOWN,
    _LINK,
    "The host is alive.",
    (flag_field("not_yet_durable", "events were received and are not yet committed"),),
)
HEARTBEAT_REPLY: Final = Message(
    FrameKind.HEARTBEAT_REPLY,
    "heartbeat-reply",
    ReplyBody,
    _UP,
    _LINK,
    "Answers HEARTBEAT; the status block follows.",
    (_NEWEST,),
)
ANSWER: Final = Message(
    FrameKind.ANSWER,
    "answer",
    AnswerBody,
    _UP,
    _LINK,
    "Answers COMMAND; the status block follows.",
    (_NEWEST, whole("result", Wire.U8, Unit.CODE, "how the command ended, from the device's list")),
)
EVENT: Final = Message(
    FrameKind.EVENT,
    "event",
    EventBody,
    _UP,
    _LINK,
    "Carries one event: message id, status block, fields follow.",
    (Field("oldest_event", Wire.U32, Unit.NUMBER, 1, Wire.U32.highest, "oldest event still held"),),
)
LINK_ROWS: Final = (HELLO, IDENTITY, HEARTBEAT, HEARTBEAT_REPLY, ANSWER, EVENT)

HELLO_LAYOUT: Final = Layout(HELLO)
IDENTITY_LAYOUT: Final = Layout(IDENTITY)
HEARTBEAT_LAYOUT: Final = Layout(HEARTBEAT)
REPLY_LAYOUT: Final = Layout(HEARTBEAT_REPLY)
ANSWER_LAYOUT: Final = Layout(ANSWER)
EVENT_LAYOUT: Final = Layout(EVENT)


def identity_of(boot: int, body: IdentityBody, *, is_proven: bool = False) -> Identity:
    """Returns the identity of the device that has sent the fields `body` in the IDENTITY of its boot `boot`."""
    return Identity(
        boot=boot,
        major=body.major,
        minor=body.minor,
        kind=body.kind,
        simulated=body.simulated,
        model=body.model,
        serial=body.serial,
        firmware=body.firmware,
        oldest_event=body.oldest_event,
        next_event=body.next_event,
        is_proven=is_proven,
    )


def identity_body(device: DeviceIdentity, oldest_event: int, next_event: int) -> IdentityBody:
    """Returns the fields of a device's IDENTITY frame. `oldest_event`, `next_event`: the events that it still has."""
    return IdentityBody(
        major=device.major,
        minor=device.minor,
        kind=device.kind,
        simulated=device.simulated,
        model=device.model,
        serial=device.serial,
        firmware=device.firmware,
        oldest_event=oldest_event,
        next_event=next_event,
    )
