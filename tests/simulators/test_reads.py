"""A simulated device that gets several frames in one read answers each, in order."""

from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.link import FrameIo, FrameKind, Header, build
from firmware_protocols.tdp.slots import SLOTS, SlotsApply
from simulators.devices.slots import SimulatedSlots

OPENING = 5
HELLO = build(Header(FrameKind.HELLO, OPENING, 0, 0), rows.HELLO_LAYOUT.encode(rows.HelloBody(1, 0, 0, 0)))


def said(device: SimulatedSlots, data: bytes) -> list[tuple[int, int, bytes]]:
    """Kind, number and payload of each frame but EVENTs with which the device answers this read."""
    device.receive_data(data, 1.0)
    frames = FrameIo(from_device=True).frames(device.data_to_send())
    found = [(*one[0], one[1]) for one in frames if isinstance(one, tuple)]
    return [(kind, number, payload) for kind, _, _, number, _, payload in found if kind != FrameKind.EVENT]


def command(number: int, lit: int) -> bytes:
    header = Header(FrameKind.COMMAND, OPENING, 1, number)
    return build(header, SLOTS.encode_command(SlotsApply(0, lit=lit)))


def in_session() -> SimulatedSlots:
    device = SimulatedSlots(now_s=0.0)
    said(device, HELLO)
    return device


def test_each_hello_has_its_identity() -> None:
    device = SimulatedSlots(now_s=0.0)
    assert [kind for kind, _, _ in said(device, HELLO + HELLO)] == [FrameKind.IDENTITY] * 2


def test_a_command_that_comes_twice_is_answered_twice() -> None:
    device = in_session()
    assert [(kind, number) for kind, number, _ in said(device, 2 * command(1, 1))] == [(FrameKind.ANSWER, 1)] * 2
    assert [(kind, number) for kind, number, _ in said(device, 2 * command(1, 1))] == [(FrameKind.ANSWER, 1)] * 2


def test_two_commands_are_executed_one_after_the_other() -> None:
    device = in_session()
    answers = said(device, command(1, 1) + command(2, 2) + command(2, 4))
    assert [number for _, number, _ in answers] == [1, 2, 2]
    lit = [SLOTS.decode_status(rows.ANSWER_LAYOUT.split(payload)[1]).lit for _, _, payload in answers]
    assert lit == [1, 2, 2]


def test_frames_in_pieces_and_zeros_are_one_read_like_any() -> None:
    device = in_session()
    whole = b"\0\0" + command(1, 1) + b"\0\0" + command(2, 2)
    assert said(device, b"\0\0\0") == []
    assert [number for _, number, _ in said(device, whole[:40]) + said(device, whole[40:])] == [1, 2]
