"""The decoder of a wheel's lines, for the fuzzing."""

from decoder import Chunks, Decoder, stand_in_order
from traced import code_of

from firmware_protocols.cammegh import lines
from firmware_protocols.cammegh.words import BonusWon
from firmware_protocols.errors import RejectReason
from tests.protocols.wheel_lines import line_of

GOOD = b"*X;4;146; 9;0;158;0\r\n"
MESSAGE = lines.decode_line(GOOD.strip())
FRAMES = [
    GOOD, b"*X;2;002;31;0;146;1\r\n", b"*X;1;001;  ;0;000;0\r\n", b"*X;5;255;28;F;172;0\r\n", b"28\r\n", b" 9\r\n",
    b"37\r\n", b"*Y;1;  5\r\n", b"*Y;1;5 5\r\n", b"*P OK\r\n", b"*) NO\r\n", b"*X;4;000; 9;0;158;0\r\n", b"*Z;1\r\n",
    b"*X;4;146;37;0;158;0\r\n", b"*X;4;146;00;0;158;0\r\n", b"*X;4;14*X;*X;4;146; 9;0;158;0\r\n", b"x" * 70,
    b"4;146; 9;0;159;0\r\n", b"noise*X;4;146; 9;0;158;0\r\n", b"*" + b"x" * 70 + b"*P OK\r\n", b"\r\n",
]  # fmt: skip


def run(chunks: Chunks) -> None:
    decoder = lines.LineDecoder()
    found: list[lines.Found] = []
    for chunk in chunks:
        found += decoder.feed(chunk)
        assert decoder.held <= lines.MAX_LINE
    messages = [one for one in found if not isinstance(one, RejectReason | BonusWon)]  # padded in more than one way
    stream = b"".join(chunks).lower()
    assert stand_in_order([line_of(one).strip(b"\r\n").lower() for one in messages], stream), found
    assert decoder.feed(b"\r\n" + GOOD)[-1:] == [MESSAGE]
    assert decoder.held == 0


CAMMEGH = Decoder("cammegh", code_of(lines.LineDecoder, lines.decode_line, lines._status, lines._number), FRAMES, run)
