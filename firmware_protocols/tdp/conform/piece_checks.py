"""Checks of PROTOCOL.md, section 2: the device receives frames whose bytes arrive singly, in pieces or together."""

from collections.abc import Callable
from contextlib import suppress
from typing import Final

from firmware_protocols.framing import DELIMITER, MAX_BODY
from firmware_protocols.tdp.conform.frame_checks import PAUSE_S, heartbeat
from firmware_protocols.tdp.conform.line import Heard, Host, Skipped, must, shown, there
from firmware_protocols.tdp.conform.one_write import in_one_write
from firmware_protocols.tdp.conform.parts import QUIET_S, answers, waiting
from firmware_protocols.tdp.link import HEADER, FrameKind, Header

APART_S: Final = 0.003  # between two writes, which no driver puts into one
AT_ONCE: Final = 12  # heartbeats in one write


def zeros_and_pieces_do_no_harm(host: Host) -> None:
    """Checks that the device receives frames with many zeros before them or no zero, byte by byte, with a pause inside,
    and many in one write.
    """
    good = [heartbeat(host, number)[1:] for number in range(1, 6)]
    for number in range(1, 6):
        header = Header(FrameKind.HEARTBEAT, host.opening, host.boot, number)
        host.watch.said(header, b"\0", host.line.now_s())
    host.say_bytes(DELIMITER * 5 + good[0])
    host.say_bytes(good[1])
    for byte in good[2]:
        host.say_bytes(bytes((byte,)))
    host.say_bytes(good[3] + good[4])
    numbers = [one.header.number for one in answers(host.listen(QUIET_S, alive=False))]
    must("2.3", numbers == [1, 2, 3, 4, 5], f"5 heartbeats, replies to {numbers}")
    _full_packets(host)
    _cut_anywhere(host)
    _many_at_once(host)
    _a_pause_inside(host)


def _full_packets(host: Host) -> None:
    """Checks that the device receives a write at once that fills a packet of the line exactly. A faulty driver waits
    for a shorter packet after it.
    """
    for number, size in enumerate((64, 128, 256, 512), 6):
        frame = heartbeat(host, number)
        host.watch.said(Header(FrameKind.HEARTBEAT, host.opening, host.boot, number), b"\0", host.line.now_s())
        host.say_bytes(DELIMITER * (size - len(frame)) + frame)
        heard = host.listen(QUIET_S, alive=False)
        must("2.3", number in [one.header.number for one in answers(heard)], f"a write of {size} bytes: {shown(heard)}")


def _cut_anywhere(host: Host) -> None:
    """Checks that the device receives two frames sent in two writes, wherever the cut between the writes is."""
    for place in range(1, 2 * len(heartbeat(host, 1)) - 1):
        with in_one_write(host) as held:
            numbers = [host.say_pulse(), host.say_pulse()]
            whole, held.data = held.data, b""
        host.line.say(whole[:place])
        heard = host.listen(APART_S, alive=False)
        host.line.say(whole[place:])
        heard += host.listen(QUIET_S, alive=False, until=_is_reply_to(numbers[1]))
        came = [one.header.number for one in heard if one.header.kind == FrameKind.HEARTBEAT_REPLY]
        must("2.3", came == numbers, f"heartbeats {numbers} in writes of {place} bytes and more: replies to {came}")


def _is_reply_to(number: int) -> Callable[[Heard], bool]:
    return lambda one: (one.header.kind, one.header.number) == (FrameKind.HEARTBEAT_REPLY, number)


def _many_at_once(host: Host) -> None:
    """Checks that the device receives every frame of one write: many frames of one kind, then one of each kind."""
    with suppress(Skipped):
        waiting(host, 2)
    host.open()
    first = host.ask(host.query)
    with in_one_write(host):
        beats = [host.say_pulse() for _ in range(AT_ONCE)]
    heard = [
        one.header.number for one in host.listen(QUIET_S, alive=False) if one.header.kind == FrameKind.HEARTBEAT_REPLY
    ]
    must("2.3", [one for one in heard if one in beats] == beats, f"heartbeats {beats} in one write, replies to {heard}")
    newest = host.status()[1]
    with in_one_write(host):
        host.acknowledge(host.watch.acked + 1)
        host.acknowledge(newest)
        host.say(FrameKind.COMMAND, host.last_command, host.query)
        host.say(FrameKind.COMMAND, host.last_command + 1, host.query)
        pulse = host.say_pulse()
    host.last_command += 1
    came = answers(host.listen(QUIET_S, alive=False))
    wanted = [(FrameKind.ANSWER, host.last_command), (FrameKind.HEARTBEAT_REPLY, pulse)]
    is_whole = first is not None and {(one.header.kind, one.header.number) for one in came} >= set(wanted)
    must("2.3", is_whole, f"ACK, the last COMMAND, the next one and HEARTBEAT in one write: {shown(came)}")
    host.say_hello()
    identity = there("4.3", host.first(FrameKind.IDENTITY, 0), "no IDENTITY")
    oldest = host.read_identity(identity)[0].oldest_event
    must("2.3", oldest > newest, f"ACK {newest} with other frames in one write: the oldest event is {oldest}")


def _a_pause_inside(host: Host) -> None:
    for part in (1, 2, 3):
        with in_one_write(host) as held:
            number = host.say_pulse()
            whole, held.data = held.data, b""
        cut = part * len(whole) // 4
        host.line.say(whole[:cut])
        host.listen(PAUSE_S, alive=False)
        host.line.say(whole[cut:])
        heard = host.first(FrameKind.HEARTBEAT_REPLY, number)
        must("2.3", heard is not None, f"a heartbeat with a pause of {PAUSE_S} s behind its first {cut} bytes")


def every_byte_is_heard(host: Host) -> None:
    """Checks that the device answers COMMANDs that contain every value of a byte. A faulty driver keeps a byte for
    itself (XON, an end of line) and so spoils frames.
    """
    for _ in range(2):
        host.answer(b"\xee")
    for most in range(1, 256, MAX_BODY - HEADER.size - 1):
        values = bytes(range(most, min(most + MAX_BODY - HEADER.size - 1, 256)))
        answer = host.ask(b"\xee" + values)
        found = f"no ANSWER to a body with each of the bytes {values[0]} to {values[-1]}"
        if answer is None:  # a device may be deaf to what follows a long frame, which another check says
            must("2.3", host.ask(b"\xee" + values, number=host.last_command) is not None, found)
