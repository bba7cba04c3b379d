"""The codec against independent bytes, both ways; and both ends of a link sending those bytes."""

import pytest
from golden_frames import BOOT, FULL, GOLDEN, JAM, OPENING, SHOE_BEFORE, Golden
from hand_made import crc, on_the_line, on_the_page
from msgspec.structs import replace

from firmware_protocols.cards import UNREAD, card_byte
from firmware_protocols.framing import decode_frame
from firmware_protocols.tdp.common import StartCause
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import (
    CommandReceived,
    DeviceIdentity,
    EventTaken,
    FrameKind,
    build,
    parse,
    split,
)
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeApply, ShoeStarted, ShoeStatus
from firmware_protocols.tdp.shuffler import SHUFFLER, ShufflerApply, ShufflerStarted


def said(*names: str) -> bytes:
    """The bytes that a link sends for these golden frames: each after the zero that clears the line."""
    return b"".join(b"\0" + GOLDEN[name].frame for name in names)


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN.keys())
def test_encoding_gives_the_golden_bytes(golden: Golden) -> None:
    payload = b"" if golden.head is None else golden.head[0].encode(golden.head[1])
    if golden.rest is not None:
        encode, _, value = golden.rest
        payload += encode(value)
    assert build(golden.header, payload) == b"\0" + golden.frame


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN.keys())
def test_decoding_the_golden_bytes_gives_the_message(golden: Golden) -> None:
    body = decode_frame(golden.frame[:-1])
    assert isinstance(body, bytes)
    header, payload = parse(body, from_device=golden.header.kind >= FrameKind.IDENTITY)
    assert header == golden.header
    if golden.head is not None:
        layout, meant = golden.head
        head, payload = split(payload, layout.size)
        assert layout.decode(head) == meant
    if golden.rest is None:
        assert payload == b""
    else:
        _, decode, value = golden.rest
        assert decode(payload) == value


@pytest.mark.parametrize("golden", GOLDEN.values(), ids=GOLDEN.keys())
def test_the_program_that_makes_frames_by_hand_makes_the_golden_ones(golden: Golden) -> None:
    body = decode_frame(golden.frame[:-1])
    assert isinstance(body, bytes)
    assert on_the_line(body) == golden.frame
    assert bytes.fromhex(on_the_page(golden.frame)) == golden.frame


def test_its_crc_is_that_of_the_page() -> None:
    assert crc(b"123456789") == 0xCBF43926


def test_the_shortest_frames_by_hand() -> None:
    assert decode_frame(bytes.fromhex("02610101010101010105498111ad")) == b"a"
    assert decode_frame(bytes.fromhex("0a3132333435363738390101010101010105fcd60677")) == b"123456789"


def test_a_host_says_the_golden_frames() -> None:
    host = HostLink(opening=OPENING, committed_boot=0, committed_number=0, now_s=0.0)
    assert host.data_to_send() == said("hello")
    host.receive_data(said("identity-shuffler", "event-started"), 0.01)
    [taken] = [event for event in host.events() if isinstance(event, EventTaken)]
    host.data_to_send()
    host.acknowledge(taken.number)
    assert host.data_to_send() == said("ack")
    host.send_command(SHUFFLER.encode_command(ShufflerApply(4689, jams_ended=3, recount_request=1)), 0.02)
    assert host.data_to_send() == said("command-apply")


def test_a_device_says_the_golden_frames() -> None:
    identity = DeviceIdentity(DeviceKind.SHUFFLER, True, "Sabot CSM-38", "SIM-0001", "1.0.0")
    device = DeviceLink(identity, BOOT, 0.0)
    device.set_status(SHUFFLER.encode_status(FULL))
    device.post_event(_started(), 0.0)
    assert device.data_to_send() == b"", "nobody has said hello"
    device.receive_data(said("hello"), 0.01)
    assert device.data_to_send() == said("identity-shuffler", "event-started")
    device.receive_data(said("ack", "command-apply"), 0.02)
    [command] = [event for event in device.events() if isinstance(event, CommandReceived)]
    device.answer(command.number, 0, bytes.fromhex("881300005012000038015112000003000100" + "0200"))
    assert device.data_to_send() == said("answer-ok")
    device.post_event(b"\x03", 0.03)
    device.post_event(b"\x04", 0.03)
    device.set_status(SHUFFLER.encode_status(JAM))
    device.data_to_send()
    device.receive_data(said("heartbeat-not-durable"), 0.04)
    assert device.data_to_send() == said("heartbeat-reply")


def test_a_shoe_says_the_golden_frames() -> None:
    """A shoe sends the golden frames; event 1 is `started`, as for every device, and the cards begin with event 2."""
    device = DeviceLink(DeviceIdentity(DeviceKind.SHOE, False, "Reader R1", "R1-000042", "2.3"), BOOT, 0.0)
    device.set_status(SHOE.encode_status(SHOE_BEFORE))
    device.post_event(SHOE.encode_event(ShoeStarted(StartCause.POWER_ON), replace(SHOE_BEFORE, host_silent=True)), 0.0)
    device.receive_data(said("hello"), 0.01)
    assert device.data_to_send().startswith(said("shoe-identity"))
    device.receive_data(said("ack", "shoe-apply"), 0.02)
    assert device.waiting_events == 0
    [command] = [event for event in device.events() if isinstance(event, CommandReceived)]
    assert SHOE.decode_command(command.payload) == ShoeApply(locked=False)
    device.post_event(SHOE.encode_event(CardPassed(43, card_byte("10H")), ShoeStatus(43, locked=False)), 0.03)
    device.post_event(SHOE.encode_event(CardPassed(44, UNREAD), ShoeStatus(44, locked=True)), 0.03)
    assert device.data_to_send() == said("shoe-card-passed", "shoe-card-unread")


def test_a_rebooted_device_says_the_golden_frame() -> None:
    identity = DeviceIdentity(DeviceKind.SHUFFLER, True, "Sabot CSM-38", "SIM-0001", "1.0.0")
    device = DeviceLink(identity, 8, 0.0)
    device.receive_data(said("heartbeat-not-durable"), 0.0)
    assert device.data_to_send() == said("no-session")


def _started() -> bytes:
    status = bytes.fromhex("881300005012000038015012000003000100" + "4001")
    started = b"\x01" + status + b"\x01"
    event, _ = SHUFFLER.decode_event(started)
    assert event == ShufflerStarted(StartCause.POWER_ON)
    return started
