"""The decoder of an Alpha sign's answers, for the fuzzing."""

from decoder import Chunks, Decoder, stand_in_order
from traced import code_of

from firmware_protocols.alpha import answers, packet, sign
from firmware_protocols.errors import RejectReason, ValueOutOfBounds


def answer(command: bytes, *, header: bytes = b"000", check: bytes | None = None) -> bytes:
    """The sign's answer to a read."""
    digits = packet.checksum(command) if check is None else check
    return bytes(20) + b"\x01" + header + b"\x02" + command + b"\x03" + digits + b"\x04"


GOOD = answer(b"G01234.56")
FRAMES = [
    GOOD, answer(b"AA\x1b bJACKPOT"), answer(b"A0"), answer(b"E$AAL0100FF000BL00200000"), answer(b"E$AAU0100FF00"),
    answer(b"E$"), answer(b"E$AAL01000000"), answer(b"E$AAL0100"), answer(b"E#"), answer(b"X"), answer(b"G"),
    answer(b"A"), answer(b"G0" + b"x" * 126), answer(b"G0", check=b"0000"), answer(b"G0", check=b"00xx"),
    answer(b"G0", header=b"Z00"), b"\x010\x04", b"\x01000G0\x031234567\x04", b"\x01000\x02G0123456789\x04",
    b"\x06\x40", b"\x15\x50", b"\x06x", b"\x06\x06", b"noise", b"\x01" + b"x" * 330, b"\x01\x01", b"\x04\x00",
]  # fmt: skip


def run(chunks: Chunks) -> None:
    decoder = answers.AnswerDecoder()
    found = [one for chunk in chunks for one in decoder.feed(chunk)]
    assert decoder._held is None or len(decoder._held) <= answers.MAX_PACKET
    contents = [one for one in found if isinstance(one, sign.LayOutMemory | sign.WriteText | sign.WriteString)]
    assert stand_in_order([text for one in contents if (text := bytes_of(one))], b"".join(chunks)), found
    said = decoder.feed(b"\x04" + GOOD)
    assert said[-1:] == [sign.WriteString("0", b"1234.56")]
    assert all(isinstance(one, RejectReason) for one in said[1:-1])


def bytes_of(content: sign.LayOutMemory | sign.WriteText | sign.WriteString) -> bytes:
    """The command with this content between the ends of a packet; b"" for a content that we would not write."""
    try:
        return b"\x02" + sign.encode_command(content) + b"\x03"
    except ValueOutOfBounds:
        return b""


ALPHA = Decoder(
    "alpha",
    code_of(answers.AnswerDecoder, packet.decode_answer, packet.checksum, sign.decode_content, sign._lay_out),
    FRAMES,
    run,
)
