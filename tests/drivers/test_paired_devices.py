"""A supervisor accepts a paired device, refuses others, and gives a technician the reason; in virtual time."""

import secrets
from itertools import count

import pytest
from tdp_peer import TdpPeer
from virtual_line import VirtualLine

from controller.devices.device_kinds import TDP_KINDS
from drivers.events import DeviceConnected, DeviceLost, DeviceRefused, DriverEvent, LostReason, Mismatch, Reported
from drivers.expected import ExpectedDevice, Pair
from drivers.trouble import TroubleCode
from firmware_protocols.framing import DELIMITER, decode_signed
from firmware_protocols.tdp.link import FrameKind, Header, build
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import CardPassed, ShoeApply

SHOE = DeviceKind.SHOE
KEY, OTHER = bytes(range(32)), bytes(range(1, 33))
TEN = 0x3A


def expected(key: bytes | None) -> ExpectedDevice:
    numbers = count(1)
    pair = None if key is None else Pair(key, lambda size: next(numbers).to_bytes(size, "big"))
    return ExpectedDevice(TDP_KINDS[SHOE], simulated=True, pair=pair)


def line_to(peer_key: bytes | None, host_key: bytes | None = KEY) -> VirtualLine:
    return VirtualLine(TdpPeer(SHOE, now_s=1000.0, key=peer_key), expected(host_key))


def connected(events: list[DriverEvent]) -> list[DeviceConnected]:
    return [event for event in events if isinstance(event, DeviceConnected)]


def test_the_paired_device_connects_obeys_and_tells() -> None:
    line = line_to(KEY)
    assert [one.identity.is_proven for one in connected(line.run(0.5))] == [True]
    line.supervisor.apply(ShoeApply(locked=False), line.now_s)
    line.run(0.5)
    assert line.peer.commands == [ShoeApply(locked=False)]
    line.peer.card_passed(line.now_s, TEN)
    reported = [event for event in line.run(0.5) if isinstance(event, Reported)]
    assert [event.event for event in reported] == [CardPassed(1, TEN)]
    line.commit(1, 1)
    line.run(0.5)
    assert line.peer.link.waiting_events == 0


def test_no_frame_carries_the_face() -> None:
    """No frame has a card's face in clear: its byte is encrypted, and differs in each session."""
    line = line_to(KEY)
    events: list[bytes] = []
    line.to_host = lambda data: (events.append(data), data)[1]
    for _ in range(20):
        line.run(0.5)
        line.peer.card_passed(line.now_s, TEN)
        line.run(0.3)
        line.commit(1, line.peer.link._next_event - 1)
        line.unplug()
        line.run(0.1)
        line.plugged = True
    frames = [decode_signed(piece) for data in events for piece in data.split(DELIMITER) if piece]
    faces = {one[-9] for one in frames if isinstance(one, bytes) and one[0] == FrameKind.EVENT}
    assert len(faces) > 10


def test_a_device_that_is_not_paired_says_so_and_works_where_it_may() -> None:
    for key in (None, b""):
        [one] = connected(line_to(key, None).run(0.5))
        assert not one.identity.is_proven
        assert one.identity.minor == (key == b"")


@pytest.mark.parametrize(
    ("key", "found"),
    [(OTHER, "NOT_PROVEN of boot 1")],
    ids=["of another pair"],
)
def test_another_device_in_its_place_is_refused_once_and_asked_again_at_the_cap(key: bytes, found: str) -> None:
    line = line_to(key)
    assert line.run(12.0) == [DeviceRefused(Mismatch.PROOF, "paired", found)]
    assert len(line.openings_s) == 3
    trouble = line.supervisor.trouble
    assert trouble is not None
    assert (trouble.code, trouble.what) == (TroubleCode.WRONG_DEVICE, Mismatch.PROOF)
    assert line.peer.commands == []


@pytest.mark.parametrize("key", [None, b""], ids=["of 1.0", "of 1.1, unpaired"])
def test_a_device_without_a_key_is_not_heard_at_all(key: bytes | None) -> None:
    """A device without a key drops frames with a tag (PROTOCOL.md), and the host accepts no frame of such a device."""
    line = line_to(key)
    assert line.run(12.0) == []
    trouble = line.supervisor.trouble
    assert trouble is not None
    assert trouble.code is TroubleCode.SILENT
    assert not line.supervisor.connected


def test_one_that_answers_without_a_tag_is_refused() -> None:
    """A device of protocol 1.0, which ignores tags, is refused: an attacker may put it in a paired device's place."""
    line = line_to(None)
    line.to_device = without_tags
    [refused] = line.run(1.0)
    assert refused == DeviceRefused(Mismatch.PROOF, "paired", "IDENTITY of 1.0")


def without_tags(data: bytes) -> bytes:
    """The bytes after an attacker has replaced each HELLO by a HELLO of protocol 1.0."""
    return b"" if not data else build(Header(FrameKind.HELLO, 1 << 12 | 1, 0, 0), bytes((1, 0)) + bytes(8))


def test_a_swap_while_it_is_connected_loses_it_and_refuses_the_other() -> None:
    line = line_to(KEY)
    line.run(0.5)
    line.supervisor.apply(ShoeApply(locked=False), line.now_s)
    line.run(0.5)
    line.peer = TdpPeer(SHOE, now_s=line.now_s, key=OTHER)
    lost, refused = line.run(4.0)
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.UNPROVEN
    assert isinstance(refused, DeviceRefused)
    assert refused.what is Mismatch.PROOF
    assert line.peer.commands == []


def test_a_clone_with_the_same_words_is_refused() -> None:
    line = line_to(KEY)
    line.run(0.5)
    first = line.peer
    line.unplug()
    line.run(1.0)
    line.plugged = True
    line.peer = TdpPeer(SHOE, boot=first.boot + 1, now_s=line.now_s, key=secrets.token_bytes(32))
    assert line.peer.identity == first.identity
    assert [event for event in line.run(6.0) if isinstance(event, DeviceRefused)]
    assert not line.supervisor.connected


def test_a_frame_made_up_on_the_cable_ends_the_connection_and_says_why() -> None:
    line = line_to(KEY)
    line.run(0.5)
    forged = build(Header(FrameKind.EVENT, line.peer.sessions[-1], 1, 1), bytes(20))
    line.supervisor.receive_data(forged, line.now_s)
    lost = line.run(0.1)[0]
    assert isinstance(lost, DeviceLost)
    assert lost.reason is LostReason.UNPROVEN
    assert line.supervisor.stats.rejected == {"unproven": 1}
    assert connected(line.run(2.0)), "it comes back by itself: whether play goes on, people say"


def test_a_table_without_the_key_is_told_that_the_device_is_paired() -> None:
    line = line_to(KEY, None)
    assert line.run(1.0) == [DeviceRefused(Mismatch.PROOF, "unpaired", "paired")]


def test_no_key_is_printed() -> None:
    assert KEY.hex() not in repr(expected(KEY))
    assert repr(KEY) not in repr(expected(KEY))
