"""Encodes and decodes frames: COBS, an optional tag, CRC-32. The body of a frame may have any content."""

from collections.abc import Callable
from typing import Final
from zlib import crc32

from cobs import cobs

from firmware_protocols.errors import RejectReason, ValueOutOfBounds

# A frame on the wire:   COBS( body | tag[8] | crc32[4] )  00
#
# COBS leaves no zero byte inside, so a zero always ends a frame and the receiver is in step again after any
# amount of noise. The CRC is zlib's (reflected 0x04C11DB7, start and final XOR all ones), little endian,
# over body and tag. The tag's place holds a keyed authentication code once both sides are paired, and
# eight zeros until then (tdp/proof.py). A lone zero is an empty frame and means nothing; senders put one before
# each frame, so that noise on an idle line costs no frame.
DELIMITER: Final = b"\0"
TAG_BYTES: Final = 8
NO_TAG: Final = bytes(TAG_BYTES)
CRC_BYTES: Final = 4
MAX_BODY: Final = 192
_GOOD_CRC: Final = 0x2144DF1C  # the CRC-32 of any bytes followed by their own CRC
MAX_FRAME: Final = MAX_BODY + TAG_BYTES + CRC_BYTES + 1  # COBS adds one byte to a block of less than 254


def encode_frame(body: bytes, tag: bytes = NO_TAG) -> bytes:
    """Encodes a body of 1 to 192 bytes as a frame, with the zero byte that ends the frame. Raises ValueOutOfBounds."""
    if not 1 <= len(body) <= MAX_BODY:
        raise ValueOutOfBounds(f"a body of {len(body)} bytes; 1 to {MAX_BODY} are possible")
    signed = body + tag
    return bytes(cobs.encode(signed + crc32(signed).to_bytes(CRC_BYTES, "little"))) + DELIMITER


def decode_frame(frame: bytes) -> bytes | RejectReason:
    """Decodes a frame without a tag, given without its last zero byte. Returns the frame's body, or the reason for
    rejecting the frame: UNEXPECTED_TAG for a frame with a tag.
    """
    signed = decode_signed(frame)
    if not isinstance(signed, bytes):
        return signed
    return signed[:-TAG_BYTES] if signed.endswith(NO_TAG) else RejectReason.UNEXPECTED_TAG


def decode_signed(frame: bytes) -> bytes | RejectReason:
    """Decodes a frame, given without its last zero byte. Returns the frame's body followed by its tag, or the reason
    for rejecting the frame.
    """
    try:
        block: bytes = cobs.decode(frame)
    except cobs.DecodeError:
        return RejectReason.BAD_COBS
    if not TAG_BYTES + CRC_BYTES < len(block) <= MAX_BODY + TAG_BYTES + CRC_BYTES:
        return RejectReason.BAD_LENGTH
    if crc32(block) != _GOOD_CRC:
        return RejectReason.BAD_CRC
    return block[:-CRC_BYTES]


class FrameDecoder:
    """Splits bytes into frames and decodes each with `decode`. Holds at most `max_frame` bytes, for any input."""

    def __init__(
        self, max_frame: int = MAX_FRAME, decode: Callable[[bytes], bytes | RejectReason] = decode_frame
    ) -> None:
        self.bytes_dropped = 0
        self._decode = decode
        self._max_frame = max_frame
        self._held = bytearray()
        self._discarding = False

    def hold(self, data: bytes) -> bool:
        """Stores `data` if it completes no frame. Returns False, and stores nothing, if `data` may complete a frame:
        the caller must then pass `data` to `feed`. Faster than `feed` on a line that brings single bytes.
        """
        if DELIMITER in data or self._discarding or len(self._held) + len(data) > self._max_frame:
            return False
        self._held += data
        return True

    def feed(self, data: bytes) -> list[bytes | RejectReason]:
        """Returns, in order, the result of `decode` for each frame that `data` completes, and OVERSIZE for each run of
        more than `max_frame` bytes without a zero.
        """
        found: list[bytes | RejectReason] = []
        *ended, rest = data.split(DELIMITER)
        for piece in ended:
            if self._held or self._discarding or len(piece) > self._max_frame:
                self._hold(piece, found)
                self._end(found)
            elif piece:
                self._take(piece, found)
        if rest:
            self._hold(rest, found)
        return found

    def _hold(self, piece: bytes, found: list[bytes | RejectReason]) -> None:
        if self._discarding:
            self.bytes_dropped += len(piece)
        elif len(self._held) + len(piece) > self._max_frame:
            self.bytes_dropped += len(self._held) + len(piece)
            self._held.clear()
            self._discarding = True
            found.append(RejectReason.OVERSIZE)
        else:
            self._held += piece

    def _end(self, found: list[bytes | RejectReason]) -> None:
        self._discarding = False
        if self._held:
            frame = bytes(self._held)
            self._held.clear()
            self._take(frame, found)

    def _take(self, frame: bytes, found: list[bytes | RejectReason]) -> None:
        body = self._decode(frame)
        if not isinstance(body, bytes):
            self.bytes_dropped += len(frame)
        found.append(body)
