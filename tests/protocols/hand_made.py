"""Makes the bytes of a frame from the prose of PROTOCOL.md, section 2: a bitwise CRC and textbook COBS, and no code
that is tested.

`python -m tests.protocols.hand_made KIND NUMBER PAYLOAD` prints a golden frame twice, for golden_frames.py and for
section 16 of the page. KIND is the kind of section 3 (83 for an EVENT), PAYLOAD its bytes, both in hexadecimal digits.
"""

import struct
import sys
from typing import Final

OPENING: Final = 4097
BOOT: Final = 7
_TAG: Final = bytes(8)
_POLYNOMIAL: Final = 0xEDB88320  # 04C11DB7, reflected
_ALL_ONES: Final = 0xFFFF_FFFF
_IN_A_LINE: Final = 32  # bytes of a frame on the page


def crc(data: bytes) -> int:
    """Returns the CRC-32 of `data`, bit by bit."""
    value = _ALL_ONES
    for byte in data:
        value ^= byte
        for _ in range(8):
            value = value >> 1 ^ (_POLYNOMIAL if value & 1 else 0)
    return value ^ _ALL_ONES


def on_the_line(body: bytes, tag: bytes = _TAG) -> bytes:
    """Returns the frame of a body with its closing zero, without the zero that a sender puts before it."""
    checked = body + tag
    block = checked + struct.pack("<I", crc(checked))
    return b"".join(bytes((len(piece) + 1,)) + piece for piece in block.split(b"\0")) + b"\0"


def body_of(kind: int, number: int, payload: bytes) -> bytes:
    """Returns the body of a golden frame: the header of the session of section 16, then the payload."""
    return struct.pack("<BIII", kind, OPENING, BOOT, number) + payload


def on_the_page(frame: bytes) -> str:
    """Returns a frame in the form of section 16."""
    return "\n".join(frame[at : at + _IN_A_LINE].hex(" ").upper() for at in range(0, len(frame), _IN_A_LINE))


def main() -> None:
    kind, number, payload = sys.argv[1], sys.argv[2], "".join(sys.argv[3:])
    frame = on_the_line(body_of(int(kind, 16), int(number), bytes.fromhex(payload)))
    print(frame.hex(), on_the_page(frame), sep="\n")


if __name__ == "__main__":
    main()
