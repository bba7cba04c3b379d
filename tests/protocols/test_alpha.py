"""The Alpha protocol: published packets byte for byte, and a decoder that reports only the content of the bytes."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_protocols.alpha.answers import MAX_PACKET, Acknowledged, AnswerDecoder, NotAcknowledged
from firmware_protocols.alpha.packet import MAX_COMMAND, checksum, encode_packet
from firmware_protocols.alpha.sign import (
    FileKind,
    LayOutMemory,
    MemoryFile,
    ReadMemory,
    ReadString,
    ReadText,
    WriteString,
    WriteText,
    amount_shown,
    amount_text,
    encode_command,
    text_calling,
    text_saying,
)
from firmware_protocols.errors import RejectReason, ValueOutOfBounds

TEXT_256 = LayOutMemory((MemoryFile("A", FileKind.TEXT, 256, locked=False),))
STRING_32 = LayOutMemory((MemoryFile("0", FileKind.STRING, 32),))

GOLDEN = [
    (TEXT_256, "00 00 00 00 00 01 5A 30 30 02 45 24 41 41 55 30 31 30 30 46 46 30 30 04"),
    (STRING_32, "00 00 00 00 00 01 5A 30 30 02 45 24 30 42 4C 30 30 32 30 30 30 30 30 04"),
    (WriteString("0", b"11045.28 "), "00 00 00 00 00 01 5A 30 30 02 47 30 31 31 30 34 35 2E 32 38 20 04"),
    (WriteText("A", text_calling("1")), "00 00 00 00 00 01 5A 30 30 02 41 41 1B 20 62 10 31 04"),
    (WriteText("0", b""), "00 00 00 00 00 01 5A 30 30 02 41 30 04"),
    (WriteText("0", text_saying("HELD")), "00 00 00 00 00 01 5A 30 30 02 41 30 1B 20 62 48 45 4C 44 04"),
    (ReadMemory(), "00 00 00 00 00 01 5A 30 30 02 46 24 04"),
    (ReadText("A"), "00 00 00 00 00 01 5A 30 30 02 42 41 04"),
    (ReadString("1"), "00 00 00 00 00 01 5A 30 30 02 48 31 04"),
]

# An answer is a write with type and address "000" and a checksum; twenty zeros wake the receiver.
AMOUNT = bytes(20) + b"\x01000\x02G11234.56\x03" + b"01E0" + b"\x04"
MEMORY = bytes(20) + b"\x01000\x02E$AAL0040FF001BL00200000\x03" + b"052D" + b"\x04"
PRIORITY = bytes(20) + b"\x01000\x02A0\x1b bHELD\x03" + b"0230" + b"\x04"

SAID = {
    AMOUNT: WriteString("1", b"1234.56"),
    MEMORY: LayOutMemory((MemoryFile("A", FileKind.TEXT, 64), MemoryFile("1", FileKind.STRING, 32))),
    PRIORITY: WriteText("0", b"\x1b bHELD"),
}


@pytest.mark.parametrize(("command", "packet"), GOLDEN, ids=[type(one[0]).__name__ for one in GOLDEN])
def test_golden_packets(command: LayOutMemory, packet: str) -> None:
    assert encode_packet(encode_command(command)).hex(" ").upper() == packet


def test_golden_checksums() -> None:
    assert checksum(b"G01234.56") == b"01DF"
    assert checksum(b"AA\x1b bJACKPOT 1234.56") == b"04B3"
    assert encode_packet(b"G01234.56", with_checksum=True).endswith(b"\x02G01234.56\x0301DF\x04")


def test_type_and_address_are_the_sign_s() -> None:
    assert encode_packet(b"F$", sign_type="^", address="1F") == b"\0\0\0\0\0\x01^1F\x02F$\x04"
    with pytest.raises(ValueOutOfBounds):
        encode_packet(b"F$", sign_type="Z", address="1")


@pytest.mark.parametrize("command", [b"", b"G1\x04", b"G1\x01", b"G1\x80", b"A" * (MAX_COMMAND + 1)])
def test_no_packet_with_framing_inside(command: bytes) -> None:
    with pytest.raises(ValueOutOfBounds):
        encode_packet(command)


@pytest.mark.parametrize(
    "command",
    [
        WriteString("1", b"1" * 126),
        WriteString("", b"1"),
        WriteString(" ", b"1"),
        LayOutMemory((MemoryFile("A", FileKind.TEXT, 0),)),
        LayOutMemory((MemoryFile("A", FileKind.TEXT, 0x10000),)),
    ],
)
def test_what_no_sign_takes_is_not_written(command: WriteString) -> None:
    with pytest.raises(ValueOutOfBounds):
        encode_command(command)


@pytest.mark.parametrize("words", ["", "Á", "a\x04b", "x" * 126])
def test_what_a_sign_cannot_say(words: str) -> None:
    with pytest.raises(ValueOutOfBounds):
        text_saying(words)


@pytest.mark.parametrize("answer", SAID, ids=["amount", "memory", "priority"])
def test_answers(answer: bytes) -> None:
    assert AnswerDecoder().feed(answer) == [SAID[answer]]


def test_answers_joined_doubled_and_byte_by_byte() -> None:
    line = AMOUNT + AMOUNT + MEMORY + PRIORITY + AMOUNT
    expected = [SAID[AMOUNT], SAID[AMOUNT], SAID[MEMORY], SAID[PRIORITY], SAID[AMOUNT]]
    assert AnswerDecoder().feed(line) == expected
    decoder = AnswerDecoder()
    assert [said for byte in line for said in decoder.feed(bytes([byte]))] == expected


@pytest.mark.parametrize("answer", SAID, ids=["amount", "memory", "priority"])
def test_an_answer_cut_anywhere_says_nothing_and_harms_no_other(answer: bytes) -> None:
    for end in range(len(answer)):
        decoder = AnswerDecoder()
        said = decoder.feed(answer[:end])
        assert said == [], end
        rest = decoder.feed(AMOUNT)
        assert [one for one in rest if not isinstance(one, RejectReason)] == [SAID[AMOUNT]], end


@pytest.mark.parametrize("answer", SAID, ids=["amount", "memory", "priority"])
def test_an_answer_whose_beginning_is_gone_says_nothing(answer: bytes) -> None:
    for start in range(answer.index(1) + 1, len(answer)):
        said = AnswerDecoder().feed(answer[start:] + AMOUNT)
        assert [one for one in said if not isinstance(one, RejectReason)] == [SAID[AMOUNT]], start


@pytest.mark.parametrize("answer", SAID, ids=["amount", "memory", "priority"])
def test_a_flipped_bit_never_changes_what_is_said(answer: bytes) -> None:
    """A flipped bit before the packet is noise, one within it spoils the answer; the next answer is understood."""
    for place in range(8 * len(answer)):
        damaged = bytearray(answer)
        damaged[place // 8] ^= 1 << place % 8
        decoder = AnswerDecoder()
        said = [one for one in decoder.feed(bytes(damaged)) if not isinstance(one, RejectReason)]
        if place // 8 >= answer.index(1):
            assert said == [], place
        else:
            assert said in ([], [SAID[answer]]), place
        assert decoder.feed(AMOUNT)[-1] == SAID[AMOUNT], place


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"\x01Z00\x02G15\x03" + checksum(b"G15") + b"\x04", RejectReason.WRONG_DIRECTION),
        (b"\x01000\x02G15\x0301de\x04", RejectReason.BAD_LENGTH),
        (b"\x01000\x02G15\x030000\x04", RejectReason.BAD_CHECKSUM),
        (b"\x01000\x02G15\x04", RejectReason.BAD_LENGTH),
        (b"\x01000\x04", RejectReason.BAD_LENGTH),
        (b"\x01000\x02X15\x03" + checksum(b"X15") + b"\x04", RejectReason.UNKNOWN_MESSAGE),
        (b"\x01000\x02E$short\x03" + checksum(b"E$short") + b"\x04", RejectReason.OUT_OF_BOUNDS),
        (b"\x01000\x02E$ABL0040FF00\x03" + checksum(b"E$ABL0040FF00") + b"\x04", RejectReason.OUT_OF_BOUNDS),
        (b"\x01000\x02G1" + b"5" * 126 + b"\x03" + checksum(b"G1" + b"5" * 126) + b"\x04", RejectReason.OUT_OF_BOUNDS),
        (b"\x01" + b"0" * (MAX_PACKET + 1), RejectReason.OVERSIZE),
        (b"noise", RejectReason.NOISE),
    ],
)
def test_every_reason(answer: bytes, reason: RejectReason) -> None:
    assert AnswerDecoder().feed(answer) == [reason]


def test_acknowledgements() -> None:
    assert AnswerDecoder().feed(b"\x06\x40\x15\x50\x06\x06\x40") == [
        Acknowledged(),
        NotAcknowledged(0x10),
        RejectReason.NOISE,
        Acknowledged(),
    ]


noise = st.lists(st.sampled_from([AMOUNT, MEMORY[:30], b"\x01", b"\x06", b"\x15", b"\x04", b"000\x02G1"]) | st.binary())


@given(noise)
@example([b"\x01" * 5 + b"0" * 1000])
def test_noise_never_fills_the_memory_and_the_next_answer_is_understood(parts: list[bytes]) -> None:
    decoder = AnswerDecoder()
    for part in parts:
        for said in decoder.feed(part):
            if not isinstance(said, RejectReason | Acknowledged | NotAcknowledged):
                assert said == SAID[AMOUNT], "nothing else was ever whole"
        assert len(decoder._held or b"") <= MAX_PACKET
    assert decoder.feed(AMOUNT)[-1] == SAID[AMOUNT]


@given(st.integers(0, 10**14 - 1))
@example(0)
@example(5)
@example(100)
def test_an_amount_is_read_as_it_was_written(cents: int) -> None:
    text = amount_text(cents)
    assert amount_shown(text) == cents
    assert text == f"{cents // 100}.{cents % 100:02d}".encode()


@pytest.mark.parametrize("text", [b"", b"1", b"1.2", b"01.20", b"1,20", b" 1.20", b"1.200", b"-1.20", b"1.20\n"])
def test_what_is_no_amount(text: bytes) -> None:
    assert amount_shown(text) is None


@pytest.mark.parametrize("cents", [-1, 10**14])
def test_amounts_have_bounds(cents: int) -> None:
    with pytest.raises(ValueOutOfBounds):
        amount_text(cents)
