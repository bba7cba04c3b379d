"""The simulated Angel Eye: its telegrams on cards, hands and commands, byte for byte."""

from pathlib import Path

import pytest

from firmware_protocols.angel_eye.codec import decode_telegram, encode_command
from firmware_protocols.angel_eye.framing import ChecksumRule, FrameDecoder, Interrupt, encode_block
from firmware_protocols.angel_eye.words import (
    CancelError,
    CardDrawn,
    CardDrawnOutside,
    ConfirmProcess,
    CutCardDrawn,
    ErrorCleared,
    ErrorCode,
    ErrorRaised,
    GameEnded,
    Lock,
    LockChanged,
    OutsideReason,
    PresetChanged,
    Started,
    Target,
    Telegram,
    Winner,
)
from firmware_protocols.cards import card_byte
from simulators.devices.angel_eye import SimulatedAngelEye
from simulators.devices.baccarat import BaccaratGame
from simulators.devices.cards import WARNING_CARD, PhysicalCard
from simulators.devices.faults import (
    AnyFault,
    DrawWhileLocked,
    FaultPlan,
    Misread,
    Overdraw,
    PresetTouched,
    Reboot,
    ReversedCard,
    UnseenPassage,
    WrongRead,
)

LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")
ACK = b"\x06"


def card(face: str) -> PhysicalCard:
    return PhysicalCard(1, face)


def heard(shoe: SimulatedAngelEye) -> list[Telegram]:
    """The shoe's telegrams since the last call, each once; also checks that the shoe sends each three times."""
    frames = [found for found in FrameDecoder().feed(shoe.data_to_send()) if isinstance(found, Interrupt)]
    assert frames[::3] == frames[1::3] == frames[2::3]
    return [decode_telegram(frame.data) for frame in frames[::3]]


@pytest.fixture
def shoe() -> SimulatedAngelEye:
    """A shoe, started and unlocked."""
    shoe = SimulatedAngelEye()
    shoe.turn_key(locked=False)
    assert heard(shoe) == [Started(), LockChanged(locked=False)]
    return shoe


def with_fault(*faults: AnyFault) -> SimulatedAngelEye:
    shoe = SimulatedAngelEye(faults=FaultPlan(faults))
    shoe.turn_key(locked=False)
    shoe.data_to_send()
    return shoe


def test_a_card_is_said_three_times_in_published_bytes(shoe: SimulatedAngelEye) -> None:
    shoe.card_passes(card("8S"), 0.0)
    assert shoe.data_to_send() == bytes.fromhex("05 33 44 81 B8 03 34 44") * 3


def test_a_command_is_answered_and_its_effect_said(shoe: SimulatedAngelEye) -> None:
    shoe.receive_data(LOCK, 0.0)
    assert shoe.data_to_send() == ACK + bytes.fromhex("05 33 4C 81 03 46 44") * 3
    shoe.receive_data(LOCK, 0.0)
    assert shoe.data_to_send() == ACK, "what is so already is not said"
    shoe.receive_data(encode_block(encode_command(ConfirmProcess())), 0.0)
    assert shoe.data_to_send() == ACK
    assert shoe.commands == [Lock(locked=True)] * 2 + [ConfirmProcess()]


@pytest.mark.parametrize(
    ("sent", "answer"),
    [
        (UNLOCK[:-1] + b"9", "15 02"),
        (encode_block(b"OPXX01"), "15 13"),
        (encode_block(encode_command(CancelError(3))), "15 14"),
        (b"noise", ""),
    ],
)
def test_what_it_cannot_do_is_refused(shoe: SimulatedAngelEye, sent: bytes, answer: str) -> None:
    shoe.receive_data(sent, 0.0)
    assert shoe.data_to_send() == bytes.fromhex(answer)
    assert shoe.commands == []


def test_the_other_rule_of_the_check() -> None:
    shoe = SimulatedAngelEye(rule=ChecksumRule.AFTER_STX)
    shoe.data_to_send()
    shoe.receive_data(encode_block(b"OPLK01", ChecksumRule.AFTER_STX), 0.0)
    assert shoe.data_to_send()[:1] == ACK


def test_a_locked_magazine_gives_no_card_and_force_is_told(shoe: SimulatedAngelEye) -> None:
    shoe.put_cards([card("8S"), card("5C")])
    shoe.receive_data(LOCK, 0.0)
    heard(shoe)
    assert shoe.draw_card(0.0) is None
    assert shoe.force_card(0.0) == card("8S")
    assert heard(shoe) == [CardDrawnOutside(card_byte("8S"), OutsideReason.LOCK_MODE, 0)]
    shoe.receive_data(UNLOCK, 0.0)
    heard(shoe)
    assert shoe.draw_card(0.0) == card("5C")
    assert shoe.draw_card(0.0) is None
    assert heard(shoe) == [CardDrawn(card_byte("5C"), Target.PLAYER, 1)]


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (Misread(1), [ErrorRaised(1, halted=True)]),
        (WrongRead(1, "AS"), [CardDrawn(card_byte("AS"), Target.PLAYER, 1)]),
        (UnseenPassage(1), []),
        (ReversedCard(1), [ErrorRaised(4, halted=False), CardDrawn(card_byte("8S"), Target.PLAYER, 1)]),
        (Overdraw(1), [ErrorRaised(2, halted=False), CardDrawn(card_byte("8S"), Target.PLAYER, 1)]),
        (PresetTouched(1), [PresetChanged("07", "0001"), CardDrawn(card_byte("8S"), Target.PLAYER, 1)]),
        (
            DrawWhileLocked(1),
            [LockChanged(locked=True), CardDrawnOutside(card_byte("8S"), OutsideReason.LOCK_MODE, 0)],
        ),
    ],
    ids=lambda value: type(value).__name__,
)
def test_each_fault_is_said_as_the_shoe_says_it(fault: object, said: list[Telegram]) -> None:
    shoe = with_fault(fault)
    shoe.card_passes(card("8S"), 0.0)
    assert heard(shoe) == said
    assert shoe.faults_met == {type(fault).__name__: 1}


def test_in_error_mode_a_card_is_none_of_its_game_until_somebody_ends_it() -> None:
    shoe = with_fault(Misread(1))
    for face in ("8S", "5C"):
        shoe.card_passes(card(face), 0.0)
    assert heard(shoe)[1:] == [CardDrawnOutside(card_byte("5C"), OutsideReason.ERROR_MODE, 0)]
    shoe.receive_data(encode_block(encode_command(CancelError(1))), 0.0)
    assert heard(shoe) == [ErrorCleared(1)]
    shoe.card_passes(card("JOKER"), 0.0)
    shoe.card_passes(card("??"), 0.0)
    assert heard(shoe) == [ErrorRaised(ErrorCode.CARD_CODE, halted=True)] * 2
    shoe.receive_data(encode_block(encode_command(CancelError(6))), 0.0)
    shoe.card_passes(card(WARNING_CARD), 0.0)
    assert heard(shoe) == [ErrorCleared(6), CutCardDrawn()]


def test_power_lost_is_everything_forgotten_and_said() -> None:
    shoe = with_fault(Reboot(1, off_s=0.5))
    shoe.card_passes(card("8S"), 1.0)
    assert heard(shoe) == []
    shoe.receive_data(LOCK, 1.2)
    shoe.card_passes(card("5C"), 1.2)
    assert (shoe.data_to_send(), shoe.next_time_s()) == (b"", 1.5)
    shoe.on_time(1.5)
    assert shoe.data_to_send() == bytes.fromhex("05 31 53 03 36 31") * 3
    assert (shoe.boot, shoe.locked) == (2, True)


# ---- its game


@pytest.mark.parametrize(
    ("faces", "targets", "ended"),
    [
        ("9S 2C KS 3D", "P1 B1 P2 B2", GameEnded(Winner.PLAYER, player_pair=False, banker_pair=False)),
        ("7S KC KD QD 2H", "P1 B1 P2 B2 B3", GameEnded(Winner.PLAYER, player_pair=False, banker_pair=False)),
        ("2S 3C 2D 4D 8H", "P1 B1 P2 B2 P3", GameEnded(Winner.BANKER, player_pair=True, banker_pair=False)),
        ("2S AC 3D 2D 8H", "P1 B1 P2 B2 P3", GameEnded(Winner.TIE, player_pair=False, banker_pair=False)),
        ("2S 3C 3D 3D 6H 10C", "P1 B1 P2 B2 P3 B3", GameEnded(Winner.BANKER, player_pair=False, banker_pair=True)),
    ],
)
def test_its_baccarat_goes_by_the_table(faces: str, targets: str, ended: GameEnded) -> None:
    game = BaccaratGame()
    taken = [game.take(face) for face in faces.split()]
    assert " ".join(f"{target.name[0]}{index}" for target, index, _ in taken) == targets
    assert [end for *_, end in taken] == [None] * (len(taken) - 1) + [ended]
    assert game.take("AS")[:2] == (Target.PLAYER, 1)


def test_its_file_knows_no_driver() -> None:
    text = (Path(__file__).parents[2] / "simulators/devices/angel_eye.py").read_text("utf-8")
    assert "import drivers" not in text
    assert "from drivers" not in text
