"""Puts frames into words for a finding: kind, number and content."""

from collections import deque
from collections.abc import Iterable
from typing import Any, Final

from msgspec import Struct, structs

from firmware_protocols.errors import FrameError
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import FrameKind, Header
from firmware_protocols.tdp.proof import NONCE_BYTES
from firmware_protocols.tdp.schema import DeviceSchema, Layout

SHOWN_BYTES: Final = 24
_OF_LINK: Final[dict[int, Layout[Any]]] = {
    FrameKind.HELLO: rows.HELLO_LAYOUT,
    FrameKind.HEARTBEAT: rows.HEARTBEAT_LAYOUT,
}
"""The payloads that are the same for every kind of device."""


class Moment(Struct, frozen=True):
    """A frame, or other bytes, on the line. `is_said`: True if the host has sent it. `header`: None for bytes that are
    no frame. `payload`: the frame's payload, or all of the other bytes. `left_out`: the number of frames before this
    one that the log leaves out.
    """

    at_s: float
    is_said: bool
    header: Header | None
    payload: bytes
    left_out: int = 0


def note(log: deque[Moment], one: Moment) -> None:
    """Adds the frame or bytes `one` to the log. Of several heartbeats in a row the log keeps only the last, since they
    would fill it.
    """
    pulse = [FrameKind.HEARTBEAT, FrameKind.HEARTBEAT_REPLY]
    if _kind(one) == pulse[0] and len(log) > 1 and [_kind(log[-2]), _kind(log[-1])] == pulse:
        log.pop()
        one = structs.replace(one, left_out=log.pop().left_out + len(pulse))
    log.append(one)


def _kind(one: Moment) -> int | None:
    return one.header.kind if one.header is not None else None


def in_lines(log: Iterable[Moment], schema: DeviceSchema[Any, Any, Any], begun_s: float) -> list[str]:
    """Returns the log in words: a line for each frame, and a line wherever frames are left out."""
    lines = []
    for one in log:
        lines += [f"     ...    {one.left_out} frames of heartbeats left out"] if one.left_out else []
        lines.append(in_words(one, schema, begun_s))
    return lines


def in_words(one: Moment, schema: DeviceSchema[Any, Any, Any], begun_s: float) -> str:
    """The frame or other bytes `one` in one line of words: time since `begun_s`, direction, kind and content."""
    arrow = "host  " if one.is_said else "device"
    return f"{one.at_s - begun_s:8.3f} s  {arrow}  {_said(one, schema)}"


def _said(one: Moment, schema: DeviceSchema[Any, Any, Any]) -> str:
    if one.header is None:
        more = "..." if len(one.payload) > SHOWN_BYTES else ""
        return f"{len(one.payload)} bytes: {one.payload[:SHOWN_BYTES].hex(' ')}{more}"
    return said_in(one.header, one.payload, schema)


def said_in(
    header: Header, payload: bytes, schema: DeviceSchema[Any, Any, Any] | None, *, is_tagged: bool = False
) -> str:
    """Returns a frame in words: kind, number, session and content. The content is in hexadecimal digits if `schema` is
    None. `is_tagged`: True for a frame of a paired device. An encrypted card in such a frame cannot be read and is left
    out.
    """
    kind = header.kind
    name = FrameKind(kind).name if kind in set(FrameKind) else f"kind {kind:#04x}"
    pair = f"opening {header.host_opening}, boot {header.device_boot}"
    try:
        of_link = _OF_LINK.get(kind)
        if of_link is not None:
            said = words_of(of_link.decode(payload[: of_link.size] if is_tagged else payload))
        elif schema is None or kind == FrameKind.PAIR:
            said = "a key" if kind == FrameKind.PAIR else payload.hex(" ")
        else:
            said = _content(kind, _without_secrets(kind, payload, schema) if is_tagged else payload, schema)
    except FrameError as error:
        said = f"{payload.hex(' ')} ({error})"
    return f"{name} {header.number} ({pair}{', tagged' if is_tagged else ''}) {said}".rstrip()


def _without_secrets(kind: int, payload: bytes, schema: DeviceSchema[Any, Any, Any]) -> bytes:
    """Returns the payload of a tagged frame without its secrets: an IDENTITY without the nonce, an event with 0 for the
    encrypted byte.
    """
    fields = rows.IDENTITY_LAYOUT.size
    if kind == FrameKind.IDENTITY:
        return payload[:fields] + payload[fields + NONCE_BYTES :]
    if kind != FrameKind.EVENT or (at := schema.secret_at(payload[rows.EVENT_LAYOUT.size :])) is None:
        return payload
    at += rows.EVENT_LAYOUT.size
    return payload[:at] + b"\0" + payload[at + 1 :]


def _content(kind: int, payload: bytes, schema: DeviceSchema[Any, Any, Any]) -> str:
    match kind:
        case FrameKind.COMMAND:
            command = schema.decode_command(payload)
            return f"{schema.name_of(command)} {words_of(command)}"
        case FrameKind.IDENTITY:
            return _with_status(*rows.IDENTITY_LAYOUT.split(payload), schema)
        case FrameKind.ANSWER:
            return _with_status(*rows.ANSWER_LAYOUT.split(payload), schema)
        case FrameKind.HEARTBEAT_REPLY:
            return _with_status(*rows.REPLY_LAYOUT.split(payload), schema)
        case FrameKind.EVENT:
            head, body = rows.EVENT_LAYOUT.split(payload)
            event, status = schema.decode_event(body)
            return f"{schema.name_of(event)} {words_of(event)} {words_of(head)}; {words_of(status)}"
        case _:
            return payload.hex(" ")


def _with_status(head: object, block: bytes, schema: DeviceSchema[Any, Any, Any]) -> str:
    return f"{words_of(head)}; {words_of(schema.decode_status(block))}"


def words_of(value: Any) -> str:  # noqa: ANN401 (any struct of a table)
    """The fields of the struct `value` in words. Of the struct's flags, only those that are set."""
    said = []
    for name in structs.fields(type(value)):
        content = getattr(value, name.name)
        if isinstance(content, bool):
            said += [name.name] if content else []
        else:
            said.append(f"{name.name}={content}")
    return " ".join(said)
