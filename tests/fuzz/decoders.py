"""The decoders that are fuzzed: valid input, the code that a corpus must reach, the invariants."""

from typing import Any
from zlib import crc32

from alpha import ALPHA
from badges import BADGE
from cammegh import CAMMEGH
from decoder import Chunks, Decoder, stand_in_order
from traced import code_of

from controller.devices.device_kinds import TDP_KINDS
from firmware_protocols import framing as tdp_framing
from firmware_protocols.angel_eye import codec as angel_codec
from firmware_protocols.angel_eye import framing as angel_framing
from firmware_protocols.angel_eye.words import ConfirmProcess, Lock
from firmware_protocols.errors import FrameError, RejectReason
from firmware_protocols.tdp import schema
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.display import DISPLAY, DisplayFaulted, DisplayStatus
from firmware_protocols.tdp.schema import DeviceSchema
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeStarted, ShoeStatus
from firmware_protocols.tdp.shuffler import SHUFFLER, CardOut, Jammed, Place, ShufflerStatus
from firmware_protocols.tdp.slots import SLOTS, SlotsChanged, SlotsStatus
from firmware_protocols.tdp.value_display import VALUE_DISPLAY, MarkersStatus

# ---- Angel Eye


def _checked(covered: str) -> bytes:
    """A frame with a right check around bytes that no encoder of ours makes."""
    whole = bytes.fromhex(covered)
    return whole + angel_framing.check_digits(whole[1:] if whole[0] == angel_framing.ENQ else whole)


ANGEL_EYE_FRAMES = [
    bytes.fromhex(line)
    for line in (
        "05 31 44 81 B8 03 34 46", "05 37 44 91 A5 03 34 34", "05 32 47 91 03 45 37", "05 38 47 A2 03 44 45",
        "05 33 43 03 37 33", "05 34 45 C1 03 42 33", "05 35 4C 81 03 46 42", "05 43 53 03 31 33",
        "05 44 50 03 31 37", "02 4F 50 4C 4B 30 32 03 31 42", "06", "15 21",
    )
] + [
    angel_framing.encode_interrupt(number, data)
    for number, data in (
        (0x41, b"M070001"), (0x42, b"e\x81"), (0x43, b"R\x82\xb8"), (0x44, b"d\x80\xb8"), (0x45, b"d\x91\x80"),
        (0x46, b"D\x81\xb8x"), (0x31, b"x"), (0x32, b"D\x80\xb8"), (0x33, b"D\x81\x88"), (0x34, b"M07 001"),
        (0x35, b"D\x81\xbe"), (0x36, b"G\x95"), (0x37, b"D\xf1\xb8"), (0x38, b"L\x01".replace(b"\x01", b"1")),
        (0x39, b"D\x90\xb8"), (0x31, b"D\xa0\xb8"), (0x32, b"D\x81\xb0"),
    )
] + [
    _checked("05 31 03"), _checked("02 03"), _checked("05 7F 50 03"), _checked("05 2F 50 03"), b"\x05" + b"x" * 60,
]  # fmt: skip


def _angel_eye(chunks: Chunks) -> None:
    decoder = angel_framing.FrameDecoder()
    found: list[angel_framing.Found] = decoder.feed(b"")
    for chunk in chunks:
        found += decoder.feed(chunk)
        assert decoder.held < angel_framing.MAX_HELD
    _other_rule(b"".join(chunks), found)
    claimed = [_angel_bytes(one) for one in found if not isinstance(one, RejectReason)]
    assert stand_in_order(claimed, b"".join(chunks)), found
    for one in found:
        if isinstance(one, angel_framing.Interrupt):
            _angel_telegram(one.data)
    good = angel_framing.encode_interrupt(0x35, b"L\x81")
    assert decoder.feed(good)[-1:] == [angel_framing.Interrupt(0x35, b"L\x81")]
    assert decoder.held == 0


def _other_rule(stream: bytes, found: list[angel_framing.Found]) -> None:
    """The check of a block does not apply to the shoe's spontaneous telegrams."""
    others = angel_framing.FrameDecoder(angel_framing.ChecksumRule.AFTER_STX).feed(stream)
    assert _interrupts(others) == _interrupts(found)


def _interrupts(found: list[angel_framing.Found]) -> list[angel_framing.Found]:
    return [one for one in found if isinstance(one, angel_framing.Interrupt)]


def _angel_bytes(frame: angel_framing.Frame) -> bytes:
    match frame:
        case angel_framing.Interrupt(number, data):
            return angel_framing.encode_interrupt(number, data)
        case angel_framing.Block(data):
            return angel_framing.encode_block(data)
        case angel_framing.Accepted():
            return b"\x06"
        case angel_framing.Refused(code):
            return bytes((0x15, code))


def _angel_telegram(data: bytes) -> None:
    """An understood telegram means the same when it is sent again; only parts that the tables leave open differ."""
    try:
        telegram = angel_codec.decode_telegram(data)
    except FrameError:
        return
    again = angel_codec.encode_telegram(telegram) if data[0] not in b"eL" else data
    assert again == data


# ---- the Table Device Protocol

SCHEMAS: tuple[DeviceSchema[Any, Any, Any], ...] = tuple(kind.schema for kind in TDP_KINDS.values())
_FIGURES = ShufflerStatus(1, 2, 3, 0, 0, 0)
TDP_EVENTS = [
    SHOE.encode_event(CardPassed(7, 0x11), ShoeStatus(7)),
    SHOE.encode_event(ShoeStarted(StartCause.POWER_ON), ShoeStatus(7, locked=False)),
    SHUFFLER.encode_event(CardOut(), _FIGURES),
    SHUFFLER.encode_event(Jammed(Place.MOUTH, 1), _FIGURES),
    DISPLAY.encode_event(DisplayFaulted(1), DisplayStatus(1000)),
    VALUE_DISPLAY.encode_event(DisplayFaulted(1), MarkersStatus(red=500)),
    SLOTS.encode_event(SlotsChanged(), SlotsStatus(0b101)),
]
RESERVED = [bytes((event[0],)) + b"\xff" * 40 for event in TDP_EVENTS]
RESERVED += [event[:5] + b"\xff" + event[6:] for event in TDP_EVENTS[:2]]  # a flag that a shoe does not have
TDP_FRAMES = [tdp_framing.encode_frame(b"\x83" + bytes(12) + event) for event in (*TDP_EVENTS, *RESERVED)] + [
    bytes.fromhex(frame) for frame in ("026100", "056100", "01010101010101010569df226500",
    "02610101010101010105498111ac00", "0e610102030405060708e5d6f9f700")
] + [b"\x55" * 210 + b"\0", b"\x01" * 206 + b"\0"]  # fmt: skip
HEADER_BYTES = 13


def _tdp(chunks: Chunks) -> None:
    decoder = tdp_framing.FrameDecoder()
    bodies = [found for chunk in chunks for found in decoder.feed(chunk) if isinstance(found, bytes)]
    for piece in b"".join(chunks).split(b"\0"):
        tdp_framing.decode_frame(piece)
    assert bodies == [body for piece in b"".join(chunks).split(b"\0")[:-1] if (body := _tdp_body(piece)) is not None]
    assert bodies == _tdp_held(chunks)
    for body in bodies:
        for device in SCHEMAS:
            _tdp_event(device, body[HEADER_BYTES:])
    assert decoder.feed(b"\0" + tdp_framing.encode_frame(b"good"))[-1:] == [b"good"]


def _tdp_held(chunks: Chunks) -> list[bytes]:
    """The frames in the chunks, found by way of `hold`, as in the link for bytes that complete no frame."""
    decoder = tdp_framing.FrameDecoder()
    found = [one for chunk in chunks if not decoder.hold(chunk) for one in decoder.feed(chunk)]
    return [one for one in found if isinstance(one, bytes)]


def _tdp_event(device: DeviceSchema[Any, Any, Any], payload: bytes) -> None:
    try:
        event, status = device.decode_event(payload)
    except FrameError:
        return
    assert device.encode_event(event, status) == payload


def _tdp_body(piece: bytes) -> bytes | None:
    """The body of a frame by an independent reader: COBS by hand, length, CRC, empty tag."""
    block = _cobs(piece)
    if block is None or not 12 < len(block) <= 204 or len(piece) > tdp_framing.MAX_FRAME:
        return None
    whole = crc32(block[:-4]).to_bytes(4, "little") == block[-4:] and not any(block[-12:-4])
    return block[:-12] if whole else None


def _cobs(piece: bytes) -> bytes | None:
    out, at = b"", 0
    while at < len(piece):
        end = at + piece[at]
        if end > len(piece):
            return None
        out += piece[at + 1 : end] + (b"\0" if piece[at] < 0xFF and end < len(piece) else b"")
        at = end
    return out


DECODERS = {
    decoder.name: decoder
    for decoder in (
        ALPHA,
        BADGE,
        CAMMEGH,
        Decoder(
            "angel-eye",
            code_of(
                angel_framing.FrameDecoder, angel_framing.check_digits, angel_framing._covered,
                angel_codec.decode_telegram, angel_codec._word, angel_codec._low, angel_codec._card,
                angel_codec._drawn, angel_codec._outside, angel_codec._ended, angel_codec._raised, angel_codec._preset,
            ),
            ANGEL_EYE_FRAMES,
            _angel_eye,
        ),
        Decoder(
            "tdp",
            code_of(
                tdp_framing.FrameDecoder, tdp_framing.decode_frame, schema.Layout.decode, DeviceSchema.decode_event,
            ),
            TDP_FRAMES,
            _tdp,
        ),
    )
}  # fmt: skip


def angel_commands() -> list[bytes]:
    """Commands in their sent form, for readers at the other end."""
    return [
        angel_framing.encode_block(angel_codec.encode_command(one))
        for one in (Lock(True), Lock(False), ConfirmProcess())
    ]
