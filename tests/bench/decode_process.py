"""One decoder in a process of its own: DECODER CHUNK FRAMES; prints kB a second, and exits 1 if a frame is missing.

Each peer gets its data through its own front end. secsgem has none that runs without a connection: the loop of its
protocol class is called without its locks and threads. Klipper's host frames in C: here its own check and parser in
Python are called, from the checkout that SABOT_BENCH_KLIPPER names.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

Feed = Callable[[bytes], None]
BYTES = 43  # the length of our frame; the peers' are as near to it as possible


def sabot(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    from tests.bench.decode_ours import Decoder, frames

    decoder = Decoder()
    return frames(count), decoder.feed, lambda: len(decoder.numbers)


def sabot_frames(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    """As far as secsgem's blocks go: header and the body's bytes."""
    from firmware_protocols.tdp.link import FrameIo
    from tests.bench.decode_ours import frames

    io, found = FrameIo(from_device=True), list[object]()
    return frames(count), lambda data: found.extend(io.frames(data)), lambda: len(found)


def secs_one(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    from secsgem.secsi.header import SecsIHeader
    from secsgem.secsi.message import SecsIBlock

    found: list[object] = []
    held = bytearray()

    def feed(data: bytes) -> None:
        held.extend(data)
        while held and len(held) >= held[0] + 3:
            length = held[0] + 3
            block = SecsIBlock.decode(bytes(held[:length]))
            del held[:length]
            if block is not None:
                found.append(block)

    body = bytes(range(BYTES - 13))
    blocks = [SecsIBlock(SecsIHeader(number, 1, 6, 11, 1), body).encode() for number in range(count)]
    return blocks, feed, lambda: len(found)


def hsms(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    import struct

    from secsgem.hsms.header import HsmsHeader, HsmsSType
    from secsgem.hsms.message import HsmsBlock

    found: list[object] = []
    held = bytearray()

    def feed(data: bytes) -> None:
        held.extend(data)
        while len(held) > 3:
            length = struct.unpack_from(">L", held)[0] + 4
            if len(held) < length:
                return
            found.append(HsmsBlock.decode(bytes(held[:length])))
            del held[:length]

    body = bytes(range(BYTES - 14))
    header = [HsmsHeader(number, 1, 6, 11, s_type=HsmsSType.DATA_MESSAGE) for number in range(count)]
    return [HsmsBlock(one, body).encode() for one in header], feed, lambda: len(found)


def mavlink(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    from pymavlink.dialects.v20 import common

    sender, receiver = common.MAVLink(None), common.MAVLink(None)
    found: list[object] = []

    def feed(data: bytes) -> None:
        found.extend(receiver.parse_buffer(data) or ())

    made = []
    for number in range(count):
        made.append(common.MAVLink_attitude_message(number, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0).pack(sender))
        sender.seq = (sender.seq + 1) % 256
    return made, feed, lambda: len(found)


def klipper(count: int) -> tuple[list[bytes], Feed, Callable[[], int]]:
    """Seven numbers of five bytes each, and a face, like our event's fields; its frames carry at most 64 bytes."""
    import json

    sys.path.insert(0, str(Path(os.environ["SABOT_BENCH_KLIPPER"]) / "klippy"))
    import msgproto

    names = "number", "oldest", "passage", "passages", "opening", "boot", "state"
    form = "card_passed " + " ".join(f"{name}=%u" for name in names) + " face=%c"
    parser = msgproto.MessageParser()
    parser.process_identify(json.dumps({"commands": {}, "responses": {form: 2}}).encode(), decompress=False)
    held, found = bytearray(), list[object]()

    def feed(data: bytes) -> None:
        held.extend(data)
        while (length := parser.check_packet(held)) > 0:
            found.append(parser.parse(held[:length]))
            del held[:length]
        assert not length, "a frame was refused"

    def frame(number: int) -> bytes:
        body = parser.messages_by_name["card_passed"].encode([0x10000000 + number] * 7 + [1])
        head = [msgproto.MESSAGE_MIN + len(body), number & 0x0F | msgproto.MESSAGE_DEST, *body]
        return bytes([*head, *msgproto.crc16_ccitt(head), msgproto.MESSAGE_SYNC])

    return [frame(number) for number in range(count)], feed, lambda: len(found)


DECODERS = {
    "sabot": sabot,
    "sabot-frames": sabot_frames,
    "secsgem-secs-i": secs_one,
    "secsgem-hsms": hsms,
    "pymavlink": mavlink,
    "klipper": klipper,
}


def main() -> int:
    name, chunk, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    made, feed, found = DECODERS[name](count)
    stream = b"".join(made)
    chunks = [stream[start : start + chunk] for start in range(0, len(stream), chunk)]
    began = process_time()
    for piece in chunks:
        feed(piece)
    spent = process_time() - began
    print(len(stream) / spent / 1000)
    return 0 if found() == count else 1


if __name__ == "__main__":
    sys.exit(main())
