"""Sends frames with the host's key in which one byte of the tag is wrong."""

from collections.abc import Collection
from typing import Final

from firmware_protocols.framing import DELIMITER, TAG_BYTES, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import Host, must, shown
from firmware_protocols.tdp.conform.parts import QUIET_S
from firmware_protocols.tdp.link import FrameKind, Header, body_of
from firmware_protocols.tdp.proof import NO_KEY, NONCE_BYTES, tag_of

TRIES: Final = 5000  # one tag in 256 begins with a zero
_BEAT: Final = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False))


def _spoilt(tag: bytes, place: int) -> bytes:
    return bytes(one ^ (0x40 if at == place % TAG_BYTES else 0) for at, one in enumerate(tag))


def another_nonce(nonce: bytes, places: Collection[int]) -> bytes:
    """Returns a nonce that differs from `nonce` in the bytes at `places` alone."""
    return bytes(one ^ (0x40 if at in places else 0) for at, one in enumerate(nonce))


def say_hello_with_a_spoilt_tag(host: Host, opening: int, place: int) -> None:
    """Sends a HELLO with the opening `opening` and a nonce. The byte number `place` of its tag is wrong."""
    payload = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 1, 0, 0)) + b"\x07" * NONCE_BYTES
    body = body_of(Header(FrameKind.HELLO, opening, 0, 0), payload)
    host.say_bytes(DELIMITER + encode_frame(body, _spoilt(tag_of(host.pair_key or NO_KEY, body), place)))


def say_with_a_spoilt_tag(host: Host, place: int) -> None:
    """Sends a heartbeat with the byte `place` of its tag wrong. With a negative `place` the tag begins with a zero."""
    for number in range(0x7001, 0x7001 + TRIES):
        body = body_of(Header(FrameKind.HEARTBEAT, host.opening, host.boot, number), _BEAT)
        tag = tag_of(host.proof.session or NO_KEY, body)
        if place >= 0 or not tag[0]:
            break
    host.is_wrong(number, "18.6")
    host.say_bytes(DELIMITER + encode_frame(body, _spoilt(tag, place)))


def say_with_spoilt_tags(host: Host, number: int) -> None:
    """Sends the next COMMAND once for each byte of its tag, each time with this byte wrong. Then does the same with the
    ACK of event `number`.
    """
    for kind, of, payload in (
        (FrameKind.COMMAND, host.last_command + 1, host.query),
        (FrameKind.ACK, number, b""),
    ):
        body = body_of(Header(kind, host.opening, host.boot, of), payload)
        for place in range(TAG_BYTES):
            tag = _spoilt(tag_of(host.proof.session or NO_KEY, body), place)
            host.say_bytes(DELIMITER + encode_frame(body, tag))


def say_by_the_key_before(host: Host, key: bytes | None) -> None:
    """Sends the first frames of a new session with `key`, the key of the session before. Raises Broken if the device
    takes one.
    """
    for kind, number, payload in ((FrameKind.COMMAND, 1, host.query), (FrameKind.HEARTBEAT, 1, _BEAT)):
        host.say(kind, number, payload, key=key)
    wrong = [one for one in host.listen(QUIET_S, alive=False) if one.header.kind in _ANSWERS]
    must("18.6", not wrong, f"a frame by the key of the session before is answered by {shown(wrong)}")


_ANSWERS: Final = (FrameKind.ANSWER, FrameKind.HEARTBEAT_REPLY)
