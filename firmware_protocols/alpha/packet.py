"""Encodes and decodes the packets of the Alpha protocol, with the optional checksum. It does not know the commands in
them.

    to the sign     00 x5   01  type  address[2]  02  command...  [03 checksum[4]]  04
    from the sign   00 x20  01  "0"   "00"        02  command...   03 checksum[4]   04

The zeros let the sign find the baud rate. The checksum is the 16-bit sum of all bytes from 02 to 03, both included, as
four upper-case hexadecimal digits. All bytes have 7 bits, so 7E1 and 8N1 both carry them.

Sources: public summaries of the maker's document 9708-8061 F (2006). No answers of a real sign were at hand. The form
used here is the maker's: the answer to a read has the form of the write.
"""

from typing import Final

from firmware_protocols.errors import RejectReason, ValueOutOfBounds

NUL: Final = 0x00
SOH: Final = 0x01
STX: Final = 0x02
ETX: Final = 0x03
EOT: Final = 0x04

WAKE_UP: Final = bytes(5)
ANSWER_HEADER: Final = b"000"  # type of sign and address, the same in every answer
CHECKSUM_DIGITS: Final = 4
MAX_COMMAND: Final = 300  # bytes of a command that is written; no file in use is longer

ALL_TYPES: Final = "Z"
ALL_ADDRESSES: Final = "00"

_HEX: Final = frozenset(b"0123456789ABCDEF")


def checksum(text: bytes) -> bytes:
    """Returns the four checksum digits of a command. `text`: the command without STX and ETX."""
    return b"%04X" % ((STX + sum(text) + ETX) & 0xFFFF)


def encode_packet(
    command: bytes, *, sign_type: str = ALL_TYPES, address: str = ALL_ADDRESSES, with_checksum: bool = False
) -> bytes:
    """Encodes the packet of one command. Raises ValueOutOfBounds if the command is empty or too long, or has a byte
    beyond ASCII or a control byte, or if `sign_type` and `address` together are not three characters.
    """
    if not 1 <= len(command) <= MAX_COMMAND or any(byte <= EOT or byte > 0x7F for byte in command):
        raise ValueOutOfBounds(f"no command of the Alpha protocol: {command[:40]!r}")
    header = (sign_type + address).encode("ascii")
    if len(header) != len(ANSWER_HEADER):
        raise ValueOutOfBounds(f"no type and address of a sign: {header!r}")
    end = bytes([ETX]) + checksum(command) if with_checksum else b""
    return WAKE_UP + bytes([SOH]) + header + bytes([STX]) + command + end + bytes([EOT])


def decode_answer(packet: bytes) -> bytes | RejectReason:
    """Returns the command in an answer, or the reason for rejecting the packet. `packet`: the bytes between the control
    bytes SOH and EOT.
    """
    head = len(ANSWER_HEADER)
    if len(packet) < head + 2 + CHECKSUM_DIGITS + 1:
        return RejectReason.BAD_LENGTH
    if packet[:head] != ANSWER_HEADER:
        return RejectReason.WRONG_DIRECTION
    command, end, digits = packet[head + 1 : -CHECKSUM_DIGITS - 1], packet[-CHECKSUM_DIGITS - 1], packet[-4:]
    if packet[head] != STX or end != ETX or not _HEX.issuperset(digits):
        return RejectReason.BAD_LENGTH
    return command if checksum(command) == digits else RejectReason.BAD_CHECKSUM
