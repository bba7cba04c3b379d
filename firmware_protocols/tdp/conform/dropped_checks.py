"""Checks of PROTOCOL.md, sections 2 and 3: the device receives a good frame that follows a dropped one, in the same
write or the next.
"""

from collections.abc import Callable
from functools import partial
from typing import Final, TypeAlias
from zlib import crc32

from firmware_protocols.framing import DELIMITER, TAG_BYTES, FrameDecoder, decode_signed, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.frame_checks import TAGGED, heartbeat, not_answered
from firmware_protocols.tdp.conform.line import Host, must
from firmware_protocols.tdp.conform.one_write import in_one_write
from firmware_protocols.tdp.conform.parts import QUIET_S, U32, waiting
from firmware_protocols.tdp.link import HEADER, NO_SESSION_EVERY_S, PROTOCOL_MAJOR, FrameKind, Header, build


def noise_behind_noise_does_no_harm(host: Host) -> None:
    """Checks that the device still answers after two dropped frames in a row."""
    dropped = _dropped(host)
    host.is_wrong(7, "2.5")
    host.is_wrong(TAGGED, "2.2")
    for name, data in dropped.items():
        for other, behind in dropped.items():
            host.say_bytes(data + behind)
            number = host.say_pulse()
            found = f"deaf behind {name} and {other}"
            must("2.7", host.first(FrameKind.HEARTBEAT_REPLY, number) is not None, found)


def _dropped(host: Host) -> dict[str, bytes]:
    good, body = heartbeat(host, 7), HEADER.pack(FrameKind.HEARTBEAT, host.opening, host.boot, TAGGED) + b"\0"
    return {
        "a damaged frame": good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:],
        "an overlong one": b"\1" * 240 + DELIMITER,
        "one that is no COBS": DELIMITER + b"\x7f\x01\x02" + DELIMITER,
        "a short one": DELIMITER + encode_frame(b"\4" * 12),
        "one under a tag": DELIMITER + encode_frame(body, b"\1" * 8),
        "one of no kind": build(Header(0x55, host.opening, host.boot, 1), b"\0"),
        "zeros": DELIMITER * 9,
    }


def what_is_dropped_takes_nothing_with_it(host: Host) -> None:
    """Checks that the device receives a good frame that follows a dropped one in the same write."""
    host.is_wrong(7, "2.5")
    host.is_wrong(TAGGED, "2.2")
    if not _is_heard_in_one_write(host, host.say_pulse):
        return  # another check says so
    for name, data in _dropped(host).items():
        must("2.7", _is_heard_in_one_write(host, partial(host.say_bytes, data)), f"deaf in one write with {name}")
    for name, say in _dropped_whole(host).items():
        must("2.3", _is_heard_in_one_write(host, say), f"deaf in one write with {name}")


def _is_heard_in_one_write(host: Host, say: Callable[[], object]) -> bool:
    host.listen(2 * NO_SESSION_EVERY_S)
    with in_one_write(host):
        say()
        number = host.say_pulse()
    return host.first(FrameKind.HEARTBEAT_REPLY, number) is not None


def _dropped_whole(host: Host) -> dict[str, Callable[[], None]]:
    """Returns functions by name. Each sends a valid frame that the device must drop or refuse and that must change
    nothing.
    """
    say = partial(partial, host.say)
    return {
        "a COMMAND of another number": say(FrameKind.COMMAND, 77, host.query),
        "a heartbeat of no value": say(FrameKind.HEARTBEAT, 0, b"\7"),
        "an ACK with a payload": say(FrameKind.ACK, 0, b"\7"),
        "an ACK of an event to come": say(FrameKind.ACK, 2**31),
        "a frame of another session": say(FrameKind.HEARTBEAT, 0x6001, b"\0", opening=host.opening + 1),
    }


Spoilt: TypeAlias = tuple[Header, bytes]


def a_dropped_hello_acknowledges_nothing(host: Host) -> None:
    """Checks that a HELLO which the device must drop acknowledges no event, whatever number it contains."""
    number = waiting(host)[0].number
    try:
        for name, (duty, spoil) in _SPOILT_HELLOS.items():
            _say_spoilt(host, duty, spoil)
            host.listen(QUIET_S)
            identity = host.open()[0]
            must(duty, identity.oldest_event <= number, f"{name} has acknowledged EVENT {number}: {identity}")
    finally:
        host.acknowledge(host.watch.newest)


def _say_spoilt(host: Host, duty: str, spoil: Callable[[Header, bytes], Spoilt]) -> None:
    """Sends a HELLO that the device must drop. `Watch` does not learn which event this HELLO acknowledges.

    On a real line, a HELLO of an older opening is an exception: if the line stalls, the device may rightly accept it,
    so `Watch` learns of it.
    """
    payload = rows.HELLO_LAYOUT.encode(rows.HelloBody(PROTOCOL_MAJOR, 0, host.boot, host.watch.newest))
    header, data = spoil(Header(FrameKind.HELLO, host.opening, host.boot, 0), payload)
    if duty == "4.7" and not host.bench.is_quick:
        host.say(FrameKind.HELLO, 0, payload, opening=header.host_opening, boot=0)
        return
    host.watch.hellos.said(header, payload)
    host.say_bytes(data)


def _of(header: Header, payload: bytes, key: bytes | None = None, *, boot: int = 0, number: int = 0) -> Spoilt:
    header = header._replace(device_boot=boot, number=number)
    return header, build(header, payload, key)


def _damaged(header: Header, payload: bytes) -> Spoilt:
    header, good = _of(header, payload)
    return header, good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:]


def _behind(header: Header, by: int) -> Header:
    return header._replace(host_opening=(header.host_opening - by) % U32)


_SPOILT_HELLOS: Final[dict[str, tuple[str, Callable[[Header, bytes], Spoilt]]]] = {
    "a HELLO of an older opening": ("4.7", lambda header, payload: _of(_behind(header, 300), payload)),
    "a HELLO of the oldest opening": ("4.7", lambda header, payload: _of(_behind(header, U32 // 2), payload)),
    "a HELLO with a boot": ("3.8", lambda header, payload: _of(header, payload, boot=header.device_boot or 1)),
    "a HELLO with a number": ("3.8", lambda header, payload: _of(header, payload, number=1)),
    "a HELLO that is too long": ("3.2", lambda header, payload: _of(header, payload + b"\0")),
    "a HELLO with a nonce and no tag": ("3.2", lambda header, payload: _of(header, payload + bytes(16))),
    "a HELLO under a tag": ("2.2", lambda header, payload: _of(header, payload, bytes(range(32)))),
    "a damaged HELLO": ("2.5", _damaged),
}
"""The HELLOs that are dropped, with the duties to drop them."""


def a_crc_of_another_sort_is_wrong(host: Host) -> None:
    """Checks that the device drops frames with a wrong CRC, such as zeros or a CRC of another algorithm."""
    host.is_wrong(7, "2.5")
    for name, data in _with_other_crcs(heartbeat(host, 7)).items():
        not_answered(host, "2.5", name, data)
        number = host.say_pulse()
        is_heard = host.first(FrameKind.HEARTBEAT_REPLY, number) is not None
        must("2.7", is_heard, f"deaf to the frame behind a damaged one ({name})")


def _with_other_crcs(good: bytes) -> dict[str, bytes]:
    """Returns the frame `good` with wrong CRCs, by the name of the fault. A faulty device may take them for a missing
    CRC, or compute them itself.
    """
    signed = b"".join(one for one in FrameDecoder(decode=decode_signed).feed(good) if isinstance(one, bytes))
    right = crc32(signed)
    crcs = {
        "a CRC of zeros": 0,
        "a CRC of ones": 2**32 - 1,
        "a CRC without its final XOR": right ^ (2**32 - 1),
        "the CRC of the body alone": crc32(signed[:-TAG_BYTES]),
        "a CRC of the other byte order": int.from_bytes(right.to_bytes(4, "big"), "little"),
    }
    return {name: _framed(signed + crc.to_bytes(4, "little")) for name, crc in crcs.items() if crc != right}


def _framed(block: bytes) -> bytes:
    """Returns a block of less than 254 bytes in the form in which it is sent on the line."""
    pieces = (bytes((len(piece) + 1,)) + piece for piece in block.split(DELIMITER))
    return DELIMITER + b"".join(pieces) + DELIMITER
