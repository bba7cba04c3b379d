"""Decodes the answers of an Alpha sign, with a bounded number of bytes in memory. After damage the decoder finds the
next packet by its first control byte, SOH.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from firmware_protocols.alpha.packet import EOT, NUL, SOH, decode_answer
from firmware_protocols.alpha.sign import LayOutMemory, WriteString, WriteText, decode_content
from firmware_protocols.errors import RejectReason

MAX_PACKET: Final = 320  # between SOH and EOT; a longer packet answers no question of ours

_ACK: Final = 0x06
_NAK: Final = 0x15
_STATUS_BASE: Final = 0x40  # of the status byte behind ACK and NAK; its low six bits are the faults


class Acknowledged(Struct, frozen=True, gc=False):
    """The sign has accepted a packet. This does not prove that the sign shows the text in it."""


class NotAcknowledged(Struct, frozen=True, gc=False):
    """The sign has refused a packet. `status`: the reasons, one bit each.

    20h illegal, 10h checksum, 08h overflow, 04h time-out, 02h framing, 01h parity.
    """

    status: int


SignSays: TypeAlias = LayOutMemory | WriteText | WriteString | Acknowledged | NotAcknowledged


class AnswerDecoder:
    """Decodes bytes to answers and reasons for rejection. Holds at most MAX_PACKET bytes, for any input."""

    def __init__(self) -> None:
        self._held: bytearray | None = None  # since SOH; None outside a packet
        self._code: int | None = None  # an ACK or NAK that waits for its status byte
        self._noise = False

    def feed(self, data: bytes) -> list[SignSays | RejectReason]:
        """Returns, in order, the answers that `data` completes, and one reason for each run of rejected bytes."""
        found: list[SignSays | RejectReason] = []
        for byte in data:
            said = self._outside(byte) if self._held is None else self._inside(self._held, byte)
            if said is not None:
                found.append(said)
        return found

    def _outside(self, byte: int) -> SignSays | RejectReason | None:
        code, self._code = self._code, None
        if code is not None and byte & 0xC0 == _STATUS_BASE:
            return Acknowledged() if code == _ACK else NotAcknowledged(byte & ~_STATUS_BASE)
        was_noise, self._noise = self._noise, False
        if byte == SOH:
            self._held = bytearray()
        elif byte in (_ACK, _NAK):
            self._code = byte
        elif byte not in (NUL, EOT):
            self._noise = True
        is_new = code is not None or (self._noise and not was_noise)
        return RejectReason.NOISE if is_new else None

    def _inside(self, held: bytearray, byte: int) -> SignSays | RejectReason | None:
        if byte == EOT:
            self._held = None
            command = decode_answer(bytes(held))
            return command if isinstance(command, RejectReason) else decode_content(command)
        if byte == SOH:  # the rest of the packet before never came
            self._held = bytearray()
            return RejectReason.BAD_LENGTH
        if len(held) == MAX_PACKET:
            self._held, self._noise = None, True
            return RejectReason.OVERSIZE
        held.append(byte)
        return None
