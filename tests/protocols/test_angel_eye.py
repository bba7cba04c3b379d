"""The Angel Eye's bytes: golden frames, and every frame cut, joined, doubled and with each single bit flipped."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import firmware_protocols.angel_eye
from firmware_protocols.angel_eye.codec import (
    ROWS,
    decode_command,
    decode_telegram,
    encode_command,
    encode_telegram,
)
from firmware_protocols.angel_eye.framing import (
    MAX_HELD,
    Accepted,
    Block,
    ChecksumRule,
    FrameDecoder,
    Interrupt,
    Refused,
    check_digits,
    encode_block,
    encode_interrupt,
)
from firmware_protocols.angel_eye.numbering import ORDER, later, missed_between
from firmware_protocols.angel_eye.words import (
    CancelError,
    CardDrawn,
    CardDrawnOutside,
    CardRetransmitted,
    Command,
    ConfirmProcess,
    CutCardDrawn,
    ErrorCleared,
    ErrorRaised,
    GameEnded,
    Lock,
    LockChanged,
    NakCode,
    OutsideReason,
    PresetChanged,
    StandBy,
    Started,
    Target,
    Telegram,
    Winner,
)
from firmware_protocols.cards import UNREAD, card_byte
from firmware_protocols.errors import FrameError, RejectReason, ValueOutOfBounds

PLAYER_8S = bytes.fromhex("05 31 44 81 B8 03 34 46")

# Bytes and meanings as published or computed from the published rule; the lock command is a third party's own example.
GOLDEN: dict[str, tuple[int, Telegram]] = {
    "05 31 44 81 B8 03 34 46": (0x31, CardDrawn(card_byte("8S"), Target.PLAYER, 1)),
    "05 37 44 91 A5 03 34 34": (0x37, CardDrawn(card_byte("5C"), Target.BANKER, 1)),
    "05 32 47 91 03 45 37": (0x32, GameEnded(Winner.PLAYER, player_pair=True, banker_pair=False)),
    "05 38 47 A2 03 44 45": (0x38, GameEnded(Winner.TIE, player_pair=False, banker_pair=True)),
    "05 33 43 03 37 33": (0x33, CutCardDrawn()),
    "05 34 45 C1 03 42 33": (0x34, ErrorRaised(1, halted=True)),
    "05 35 4C 81 03 46 42": (0x35, LockChanged(locked=True)),
    "05 43 53 03 31 33": (0x43, Started()),
    "05 44 50 03 31 37": (0x44, StandBy()),
}
COMMANDS: dict[str, Command] = {
    "02 4F 50 4C 4B 30 32 03 31 42": Lock(locked=True),
    "02 4F 50 4C 4B 30 31 03 31 38": Lock(locked=False),
    "02 4F 50 45 43 30 31 03 31 39": CancelError(1),
    "02 4F 50 47 50 30 30 03 30 39": ConfirmProcess(),
}
FRAMES = [bytes.fromhex(text) for text in GOLDEN]
cards = st.sampled_from([card_byte(rank + suit) for rank in ("A", "2", "10", "J", "Q", "K") for suit in "CDHS"])
telegrams: st.SearchStrategy[Telegram] = st.one_of(
    st.builds(CardDrawn, cards, st.sampled_from(Target), st.integers(1, 15)),
    st.builds(CardRetransmitted, cards, st.sampled_from(Target), st.integers(1, 15)),
    st.builds(CardDrawnOutside, cards | st.just(UNREAD), st.sampled_from(OutsideReason), st.integers(0, 15)),
    st.builds(GameEnded, st.sampled_from(Winner), st.booleans(), st.booleans()),
    st.builds(ErrorRaised, st.integers(0, 63), st.booleans()),
    st.builds(ErrorCleared, st.integers(0, 63)),
    st.builds(LockChanged, st.booleans()),
    st.builds(PresetChanged, st.from_regex("[0-9A-F]{2}", fullmatch=True), st.from_regex("[0-9]{4}", fullmatch=True)),
    st.sampled_from([Started(), StandBy(), CutCardDrawn()]),
)


def telegrams_in(data: bytes) -> list[tuple[int, Telegram]]:
    found = [one for one in FrameDecoder().feed(data) if isinstance(one, Interrupt)]
    return [(one.number, decode_telegram(one.data)) for one in found]


@pytest.mark.parametrize("frame", GOLDEN)
def test_a_published_telegram_says_what_is_published(frame: str) -> None:
    number, telegram = GOLDEN[frame]
    assert telegrams_in(bytes.fromhex(frame)) == [(number, telegram)]
    assert encode_interrupt(number, encode_telegram(telegram)) == bytes.fromhex(frame)


@pytest.mark.parametrize("frame", COMMANDS)
def test_a_published_command_is_what_is_published(frame: str) -> None:
    data = encode_command(COMMANDS[frame])
    assert encode_block(data) == bytes.fromhex(frame)
    assert decode_command(data) == COMMANDS[frame]


def test_the_rule_of_the_text_gives_another_check_than_its_example() -> None:
    assert encode_block(b"OPLK02", ChecksumRule.AFTER_STX)[-2:] == b"19"
    text_rule = FrameDecoder(ChecksumRule.AFTER_STX)
    assert text_rule.feed(encode_block(b"OPLK02")) == [RejectReason.BAD_CHECKSUM]
    assert text_rule.feed(encode_block(b"OPLK02", ChecksumRule.AFTER_STX)) == [Block(b"OPLK02")]


@given(telegrams)
def test_what_a_shoe_says_comes_back(telegram: Telegram) -> None:
    assert decode_telegram(encode_telegram(telegram)) == telegram


@pytest.mark.parametrize("code", NakCode)
def test_every_refusal_has_its_word(code: NakCode) -> None:
    assert FrameDecoder().feed(bytes((0x15, code))) == [Refused(code)]


@pytest.mark.parametrize("frame", FRAMES, ids=bytes.hex)
def test_a_frame_cut_anywhere_says_nothing_and_the_next_is_understood(frame: bytes) -> None:
    for cut in range(1, len(frame)):
        for rest in (frame[:cut], frame[cut:]):
            assert telegrams_in(rest + PLAYER_8S) == telegrams_in(PLAYER_8S), (cut, rest)


@pytest.mark.parametrize("frame", FRAMES, ids=bytes.hex)
def test_a_frame_in_two_pieces_is_one_frame(frame: bytes) -> None:
    for cut in range(1, len(frame)):
        decoder = FrameDecoder()
        found = decoder.feed(frame[:cut]) + decoder.feed(frame[cut:])
        assert len(found) == 1, cut
        assert isinstance(found[0], Interrupt)
        assert decoder.held == 0


@pytest.mark.parametrize("frame", FRAMES, ids=bytes.hex)
def test_frames_joined_and_doubled_are_two(frame: bytes) -> None:
    for other in (frame, PLAYER_8S):
        assert telegrams_in(frame + other) == telegrams_in(frame) + telegrams_in(other)


@pytest.mark.parametrize("frame", FRAMES, ids=bytes.hex)
def test_no_single_flipped_bit_makes_an_event(frame: bytes) -> None:
    for bit in range(len(frame) * 8):
        damaged = bytearray(frame)
        damaged[bit // 8] ^= 1 << bit % 8
        found = FrameDecoder().feed(bytes(damaged) + PLAYER_8S)
        assert found[-1] == Interrupt(0x31, b"D\x81\xb8"), damaged.hex()
        assert all(isinstance(one, RejectReason) for one in found[:-1]), damaged.hex()
        assert len(found) > 1


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"D\x80\xb8", RejectReason.OUT_OF_BOUNDS),  # the player's card 0
        (b"D\x81\x88", RejectReason.OUT_OF_BOUNDS),  # no suit
        (b"D\x81\xb0", RejectReason.OUT_OF_BOUNDS),  # no rank
        (b"D\x81\xbe", RejectReason.OUT_OF_BOUNDS),
        (b"D\x81\x38", RejectReason.OUT_OF_BOUNDS),  # bit 7 clear
        (b"D1\xb8", RejectReason.OUT_OF_BOUNDS),
        (b"D\xb1\xb8", RejectReason.OUT_OF_BOUNDS),  # a target that does not exist
        (b"R\x80\xb8", RejectReason.OUT_OF_BOUNDS),
        (b"d\xb0\xb8", RejectReason.OUT_OF_BOUNDS),
        (b"G\x95", RejectReason.OUT_OF_BOUNDS),
        (b"G\xb0", RejectReason.OUT_OF_BOUNDS),
        (b"M07 001", RejectReason.OUT_OF_BOUNDS),
        (b"D\x81", RejectReason.BAD_LENGTH),
        (b"C\x81", RejectReason.BAD_LENGTH),
        (b"X", RejectReason.UNKNOWN_MESSAGE),
        (b"", RejectReason.UNKNOWN_MESSAGE),
    ],
)
def test_what_no_row_allows_is_refused(data: bytes, reason: RejectReason) -> None:
    with pytest.raises(FrameError) as refused:
        decode_telegram(data)
    assert refused.value.reason is reason


@pytest.mark.parametrize("data", [b"OPLK03", b"OPLK0", b"OPEC1", b"OPEC0x", b"OPGP01", b"LK02", b""])
def test_what_is_no_command_is_none(data: bytes) -> None:
    assert decode_command(data) is None


def test_an_answer_within_a_frame_is_damage() -> None:
    """An answer's byte (06 or 15) within a frame counts as damage: one flipped bit of a digit can make it."""
    assert FrameDecoder().feed(PLAYER_8S[:-1] + b"\x06") == [RejectReason.BAD_CHECKSUM]
    assert FrameDecoder().feed(b"\x051M0700\x15\x03") == [RejectReason.CUT_SHORT]
    assert FrameDecoder().feed(b"\x06") == [Accepted()]


def test_endless_noise_is_reported_once_and_not_kept() -> None:
    decoder = FrameDecoder()
    assert decoder.feed(b"\x05" + b"x" * 5000) == [RejectReason.OVERSIZE]
    assert decoder.feed(b"x" * 5000) == []
    assert decoder.held < MAX_HELD
    assert decoder.feed(PLAYER_8S) == [Interrupt(0x31, b"D\x81\xb8")]


@given(st.binary(max_size=300))
def test_the_chunks_do_not_matter(data: bytes) -> None:
    whole, bytewise = FrameDecoder(), FrameDecoder()
    found = [one for at in range(len(data)) for one in bytewise.feed(data[at : at + 1])]
    assert whole.feed(data) == found
    assert (whole.held, bytewise.held) < (MAX_HELD, MAX_HELD)


@pytest.mark.parametrize("data", [b"", b"x" * 33, b"a\x03b"])
def test_what_no_frame_can_carry_is_not_sent(data: bytes) -> None:
    for encode in (encode_block, lambda data: encode_interrupt(0x31, data)):
        with pytest.raises(ValueOutOfBounds):
            encode(data)
    with pytest.raises(ValueOutOfBounds):
        encode_interrupt(0x1F, b"P")


# ---- numbering


@pytest.mark.parametrize("end", "9FZ")
@pytest.mark.parametrize("start", "01")
def test_a_turn_of_numbers_has_no_gap(end: str, start: str) -> None:
    turn = ORDER[ORDER.index(start) : ORDER.index(end) + 1]
    for last, now in zip(turn, turn[1:] + turn[0], strict=True):
        assert missed_between(ord(last), ord(now)) == 0, (last, now)


@pytest.mark.parametrize(
    ("last", "now", "missed"),
    [("1", "3", 1), ("1", "9", 7), ("8", "B", 2), ("E", "1", 1), ("C", "2", 4), ("9", "2", 1)],
)
def test_a_gap_is_a_number(last: str, now: str, missed: int) -> None:
    assert missed_between(ord(last), ord(now)) == missed


def test_an_end_that_was_passed_once_is_none_any_more() -> None:
    assert missed_between(ord("9"), ord("1"), ord("A")) == 6
    assert missed_between(ord("F"), ord("1"), ord("G")) == 20
    assert missed_between(ord("F"), ord("1"), ord("F")) == 0


def test_the_later_number() -> None:
    assert later(ord("9"), ord("A")) == ord("A")
    assert later(0, ord("1")) == ord("1")


def test_numbers_outside_the_order_are_followed_as_they_are() -> None:
    assert missed_between(ord("a"), ord("b")) == 0
    assert missed_between(ord("a"), ord("z")) == 1


# ---- the text

TEXT = (Path(firmware_protocols.angel_eye.__file__).parent / "PROTOCOL.md").read_text(encoding="utf-8")


def test_every_golden_frame_stands_in_the_text() -> None:
    told = {match.replace(" ", "") for match in re.findall(r"`((?:[0-9A-F]{2} ?)+)`", TEXT)}
    assert {frame.replace(" ", "") for frame in (*GOLDEN, *COMMANDS)} <= told


def test_every_letter_and_code_stands_in_the_text() -> None:
    for row in ROWS:
        assert f"| `{row.letter}` | {row.length} | {row.what} |" in TEXT
    for code in NakCode:
        assert f"{code:02X} {code.name.lower().replace('_', ' ')}" in TEXT


def test_every_check_in_the_text_is_right() -> None:
    for frame in (*FRAMES, *(bytes.fromhex(text) for text in COMMANDS)):
        covered = frame[1:-2] if frame[0] == 0x05 else frame[:-2]
        assert check_digits(covered) == frame[-2:]
