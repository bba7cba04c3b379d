"""Checks of PROTOCOL.md, sections 2 and 3: frame and header, the same for every kind of device."""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.framing import DELIMITER, MAX_BODY, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.conform.line import ANSWERS_WITHIN_S, Broken, Host, must, shown
from firmware_protocols.tdp.conform.parts import (
    QUIET_S,
    SILENCE_S,
    answers,
    comes_again,
    permissions,
    permit,
    switch_of,
    switched,
    turn,
    waiting,
)
from firmware_protocols.tdp.conform.silence_checks import of_silence
from firmware_protocols.tdp.link import (
    HEADER,
    HEARTBEAT_EVERY_S,
    NO_SESSION_EVERY_S,
    FrameKind,
    Header,
    build,
)
from firmware_protocols.tdp.proof import NONCE_BYTES

PAUSE_S: Final = 1.0  # within a frame: longer than any driver waits for the next byte, shorter than a silence
BEYOND_A_BYTE: Final = 280
FAR_PAIRS: Final = (
    *((1, 0), (-1, 0), (0, 1), (0, -1), (7, 3)),
    *((2**bits, 0) for bits in (8, 16, 24, 31)),
    *((0, 2**bits) for bits in (8, 16, 24, 31)),
)
"""Differences to add to the session's opening and boot: small ones, and some in a high byte alone."""
NOISE_PER_S: Final = 4000  # bytes that any line and any device take in a second
ROUND_SIZES: Final = (8, 16, 32, 64, 128)  # of payloads: none, where a length has fewer bits
WRONG_SIZES: Final = (2, 3, 4, 8, 16, 100, *(1 + size for size in ROUND_SIZES))  # of a heartbeat's payload
NO_KINDS: Final = (0x00, 0x05, 0x55, 0x86, 0xFF)
DEVICE_KINDS: Final = tuple(kind for kind in FrameKind if kind & 0x80)
HOST_KINDS: Final = frozenset(kind for kind in FrameKind if not kind & 0x80)


def heartbeat(host: Host, number: int, **pair: int) -> bytes:
    payload = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(not_yet_durable=False))
    header = Header(FrameKind.HEARTBEAT, pair.get("opening", host.opening), pair.get("boot", host.boot), number)
    return build(header, payload)


def not_answered(host: Host, duty: str, name: str, data: bytes) -> None:
    host.say_bytes(data)
    heard = answers(host.listen(QUIET_S, alive=False))
    must(duty, not heard, f"{name}: {shown(heard)}")


def _settle(host: Host) -> None:
    """Waits until the device may send NO_SESSION again, and no reply in the session is on its way."""
    host.status()
    host.listen(2 * NO_SESSION_EVERY_S, alive=False)


def too_long_a_frame_is_dropped_whole(host: Host) -> None:
    """Checks that the device drops a frame that is too long, even one with a body of only 193 bytes. The device must
    also drop a good frame that follows without a zero between the two. Lengths near 256 and 512 find counters of one
    byte.
    """
    for length in (205, 206, 207, 256, 412, 461, 512):
        not_answered(host, "2.4", f"{length} bytes before a frame, no zero", b"\1" * length + heartbeat(host, 9)[1:])
    for length in (206, 250, 300):
        host.status()
        for part in (100, length - 100):
            host.say_bytes(b"\1" * part)
        host.listen(PAUSE_S, alive=False)
        found = f"{length} bytes and a pause of {PAUSE_S} s before a frame, no zero"
        not_answered(host, "2.4", found, heartbeat(host, 9)[1:])
    body = HEADER.pack(FrameKind.COMMAND, host.opening, host.boot, 1) + bytes(MAX_BODY + 1 - HEADER.size)
    not_answered(host, "2.4", "a body of 193 bytes", DELIMITER + _long_frame(body))
    host.status()


def _long_frame(body: bytes) -> bytes:
    """Returns a frame longer than `encode_frame` can make: the frame of the first 192 bytes and one more COBS block."""
    whole = encode_frame(body[:MAX_BODY])
    return whole[:-1] + b"\2\2" + DELIMITER


def the_longest_frame_is_heard(host: Host) -> None:
    answer = host.ask(b"\xee" * (MAX_BODY - HEADER.size))
    must("2.5", answer is not None, "no ANSWER to a body of 192 bytes")
    host.last_command = 2
    for size in range(MAX_BODY - 3, MAX_BODY + 1):
        host.say(FrameKind.COMMAND, 2, b"\xee" * (size - HEADER.size))
        heard = host.first(FrameKind.HEARTBEAT_REPLY, host.say_pulse())
        must("2.7", heard is not None, f"deaf behind a body of {size} bytes")


def damaged_frames_are_dropped(host: Host) -> None:
    good = heartbeat(host, 7)
    for place in (4, 9, len(good) // 2, len(good) - 5, len(good) - 2):
        for bit in (1, 0x40):
            changed = (good[place] ^ bit) or 0xFF
            spoilt = good[:place] + bytes((changed,)) + good[place + 1 :]
            host.is_wrong(7, "2.5")
            not_answered(host, "2.5", f"bit {bit:#x} of byte {place} is wrong", spoilt)
            number = host.say_pulse()
            found = f"deaf to the frame behind a damaged one (byte {place})"
            must("2.7", host.first(FrameKind.HEARTBEAT_REPLY, number) is not None, found)
    not_answered(host, "2.5", "a body of 12 bytes", DELIMITER + encode_frame(b"\4" * 12))
    not_answered(host, "2.5", "no COBS", DELIMITER + b"\x7f\x01\x02" + DELIMITER)
    for more in (1, 7):
        host.is_wrong(7, "2.5")
        not_answered(host, "2.5", f"its last COBS code points {more} bytes beyond its end", _beyond_its_end(good, more))
    host.status()


def _beyond_its_end(frame: bytes, more: int) -> bytes:
    """Returns the frame with its last COBS code raised by `more`. A faulty decoder, which stops at the end of the
    bytes, still finds the content.
    """
    body, place = bytearray(frame.strip(DELIMITER)), 0
    while place + body[place] < len(body):
        place += body[place]
    body[place] += more
    return DELIMITER + bytes(body) + DELIMITER


def a_tag_is_refused(host: Host) -> None:
    oldest = host.open()[0].oldest_event
    for number in (TAGGED, host.last_command + 1):
        host.is_wrong(number, "2.2")
    for name, data in _tagged(host).items():
        host.say_bytes(data)
        heard = answers(host.listen(QUIET_S, alive=False))
        must("2.2", not heard, f"{name}: {shown(heard)}")
    hello = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 0, 0, 0))
    host.say(FrameKind.HELLO, 0, hello, opening=host.opening + 1, boot=0, key=_NO_PAIR)
    heard = [one for one in host.listen(QUIET_S) if one.header.host_opening == (host.opening + 1) % 2**32]
    must("2.2", not heard, f"HELLO has a tag: {shown(heard)}")
    now_oldest = host.open()[0].oldest_event
    must("2.2", now_oldest == oldest, f"an ACK with a tag: oldest_event {now_oldest}, {oldest} before")


_NO_PAIR: Final = bytes(range(3, 35))


def _tagged(host: Host) -> dict[str, bytes]:
    """Returns frames with a tag, by name, that the device would answer or obey if they had none."""
    ours = host.opening, host.boot
    bodies = {
        "COMMAND": HEADER.pack(FrameKind.COMMAND, *ours, host.last_command + 1) + host.query,
        "ACK": HEADER.pack(FrameKind.ACK, *ours, host.watch.newest),
        "HEARTBEAT": HEADER.pack(FrameKind.HEARTBEAT, *ours, TAGGED) + b"\0",
    }
    return {
        f"{name} under {tag.hex()}": DELIMITER + encode_frame(body, tag=tag)
        for name, body in bodies.items()
        for tag in (_TAGS if name == "HEARTBEAT" else _TAGS[:2])
    }


TAGGED: Final = 0x6004  # the number of heartbeats under a tag
_TAGS: Final = (
    b"\1" + bytes(7),
    bytes(7) + b"\1",
    *(bytes(place) + b"\x80" + bytes(7 - place) for place in range(1, 7)),
    b"\1" * 8,  # equal bytes
    b"\1\2\3\4" * 2,  # equal halves
    bytes((0, 0x5A, 0, 0, 0, 0x5A, 0, 0)),  # the same twice
    bytes((1, 2, 2, 1, 0, 0, 0, 0)),  # a swapped pair
    bytes((1, 0xFF, 0, 0, 0, 0, 0, 0)),  # of sum 0 in a byte
    bytes((1, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF)),  # of sum 0 in four
)
"""Tags of one bit, and such that a device takes for none which folds them: all are other than zero."""


def many_damaged_frames_do_no_harm(host: Host) -> None:
    """Checks that the device still answers heartbeats after 280 damaged frames of one sort, which overflow a counter of
    one byte.
    """
    good = heartbeat(host, 7)
    damaged = good[:-2] + bytes(((good[-2] ^ 0x40) or 0xFF,)) + good[-1:]
    host.is_wrong(7, "2.5")
    for data in (damaged, DELIMITER + b"\x7f\x01\x02" + DELIMITER, DELIMITER + encode_frame(b"\4" * 12)):
        for _ in range(BEYOND_A_BYTE // 20):
            host.say_bytes(data * 20)
            number = host.say_pulse()
            heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
            must("2.7", heard is not None, "deaf behind damaged frames")


def noise_does_no_harm(host: Host) -> None:
    noise = bytes(byte % 255 + 1 for byte in range(4096))
    for data in (noise + DELIMITER * 3, noise[:100] + DELIMITER + noise[:250] + DELIMITER):
        host.say_bytes(data)
        number = host.say_pulse()
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number, within_s=ANSWERS_WITHIN_S + len(data) / NOISE_PER_S)
        must("2.7", heard is not None, f"deaf behind {len(data)} bytes of noise")


# --- section 3


def other_kinds_are_dropped(host: Host) -> None:
    """Checks that the device drops frames of a kind that no host sends, whatever their session is. The device must test
    the kind before the session.
    """
    for kind in (*NO_KINDS, *DEVICE_KINDS):
        for far in (0, 1):
            _settle(host)
            host.say(kind, 1, b"\0", opening=host.opening + far)
            heard = answers(host.listen(QUIET_S, alive=False))
            duty = "3.5" if far else "3.2"
            must(duty, not heard, f"kind {kind:#04x} {'of another session' * far}: {shown(heard)}")
    for kind in range(256):
        if kind not in HOST_KINDS:
            host.say(kind, 1, host.query)
    heard = answers(host.listen(QUIET_S, alive=False))
    must("3.2", not heard, f"each kind that no host sends, with the payload of a query: {shown(heard)}")
    host.status()


def payloads_have_their_length(host: Host) -> None:
    for payload in (b"\2", b"\xff", b"\x80", b"", *(bytes(size) for size in WRONG_SIZES)):
        host.say(FrameKind.HEARTBEAT, 99, payload)
        heard = host.first(FrameKind.HEARTBEAT_REPLY, 99, within_s=QUIET_S)
        duty = "3.3" if len(payload) == 1 else "3.2"
        must(duty, heard is None, f"a reply to a heartbeat of payload {payload.hex() or 'empty'}")
    for length in (2, 9, 11, _WITH_A_NONCE, 60):
        hello = rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 0, 0, 0)).ljust(60, b"\0")[:length]
        host.say(FrameKind.HELLO, 0, hello, opening=host.opening + 1, boot=0)
        heard = host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S)
        must("3.2", heard is None, f"IDENTITY to a HELLO of {length} bytes")
    host.say(FrameKind.HELLO, 0, b"\1", boot=0)
    must("3.2", host.first(FrameKind.IDENTITY, 0, within_s=QUIET_S) is None, "IDENTITY to a HELLO of 1 byte")
    host.status()


_WITH_A_NONCE: Final = rows.HELLO_LAYOUT.size + NONCE_BYTES
"""The length of a proven HELLO, that one without a tag does not have."""


def an_ack_has_no_payload(host: Host) -> None:
    number = waiting(host)[0].number
    for payload in (b"\1", b"\0", *(bytes(size) for size in ROUND_SIZES)):
        host.say(FrameKind.ACK, number, payload)
    comes_again(host, "3.2", number, f"an ACK with a payload ended EVENT {number}")


def hello_has_no_boot_and_no_number(host: Host) -> None:
    for boot, number in ((host.boot, 0), (1, 0), (0, 1)):
        host.say_hello(opening=host.opening + 1, boot=boot, number=number)
        heard = [one for one in host.listen(QUIET_S) if one.header.host_opening == (host.opening + 1) % 2**32]
        must("3.8", not heard, f"HELLO with boot {boot}, number {number}: {shown(heard)}")
    host.status()


def _far(host: Host) -> Iterator[tuple[int, int]]:
    """Yields pairs of opening and boot that belong to no session of the device."""
    for opening, boot in FAR_PAIRS:
        yield (host.opening + opening) % 2**32, max(0, host.boot + boot) % 2**32
    yield 0, host.boot
    yield host.opening, 0


def other_sessions_are_refused(host: Host) -> None:
    """Checks that the device refuses a frame of another session, whatever its payload is. The device must test the
    session before the payload.
    """
    for opening, boot in _far(host):
        for kind, payload in _OF_OTHERS:
            _settle(host)
            host.say(kind, 1, payload, opening=opening, boot=boot)
            heard = answers(host.listen(QUIET_S, alive=False))
            said = [
                (one.header.kind, one.header.host_opening, one.header.device_boot, one.header.number) for one in heard
            ]
            wanted = [(FrameKind.NO_SESSION, opening, host.boot, 0)]
            must(
                "4.13" if payload == b"\2" else "3.5",
                said == wanted,
                f"{kind.name} of another session: {shown(heard)}",
            )
    host.answer(host.query)


_OF_OTHERS: Final = (
    (FrameKind.COMMAND, b"\2"),
    (FrameKind.COMMAND, b""),
    (FrameKind.COMMAND, b"\xee" * 100),
    (FrameKind.HEARTBEAT, b"\7\7"),
    (FrameKind.HEARTBEAT, b"\7"),
    (FrameKind.HEARTBEAT, b""),
    (FrameKind.ACK, b"\1"),
)
"""Frames of another session, the first with a payload in which nothing is wrong."""


def nothing_of_another_session_is_executed(host: Host) -> None:
    switch, wish = switch_of(host), switched(host, on=True)
    for opening, boot in _far(host):
        turn(host, on=False)
        host.say(FrameKind.COMMAND, host.last_command + 1, wish, opening=opening, boot=boot)
        host.listen(QUIET_S)
        must("3.7", not switch.is_on(host.status()[0]), f"COMMAND of opening {opening}, boot {boot} is executed")
    number = host.last_command + 1
    found = f"COMMAND of another session has used up number {number}"
    must("3.7", host.ask(host.query, number=number) is not None, found)


def nothing_of_another_session_is_acknowledged(host: Host) -> None:
    number = waiting(host)[0].number
    for opening, boot in _far(host):
        host.say(FrameKind.ACK, number, opening=opening, boot=boot)
    comes_again(host, "3.7", number, f"an ACK of another session ended EVENT {number}")


def another_session_is_no_sign_of_life(host: Host) -> None:
    permission = permissions(host)[0]
    permit(host, permission)
    for far in range(round(SILENCE_S / HEARTBEAT_EVERY_S) + 1):
        opening, boot = list(_far(host))[far % 4]
        host.say_bytes(heartbeat(host, 1, opening=opening, boot=boot))
        host.listen(HEARTBEAT_EVERY_S, alive=False)
    if not permission.is_locked(host.status()[0]):
        raise Broken(of_silence(host, permission, "3.7"), "heartbeats of another session keep it unlocked")
