"""The bytes that a paired host and device send, and the frames that each accepts and refuses."""

from collections.abc import Iterator
from itertools import count

import pytest
from golden_frames import BOOT, OPENING, SHOE_BEFORE
from golden_proofs import DEVICE_NONCE, HOST_NONCE, PAIR_KEY, PROOFS, SAID_BY, SESSION_KEY
from link_peer import heartbeat, hello

from firmware_protocols.cards import card_byte
from firmware_protocols.errors import RejectReason
from firmware_protocols.framing import TAG_BYTES, decode_frame, decode_signed, encode_frame
from firmware_protocols.tdp import link_rows as rows
from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import (
    EVENTS_LOCK,
    HEADER,
    PAIRING_S,
    SILENT_AFTER_S,
    CommandReceived,
    DeviceIdentity,
    EventTaken,
    FrameKind,
    FrameRejected,
    Header,
    Identified,
    LinkDown,
    LinkDownReason,
    build,
)
from firmware_protocols.tdp.pairable_link import PairableLink
from firmware_protocols.tdp.proof import (
    NO_KEY,
    DevicePairing,
    HostPairing,
    covered,
    is_proven,
    session_key,
    tag_of,
)
from firmware_protocols.tdp.schema import DeviceKind
from firmware_protocols.tdp.shoe import SHOE, CardPassed, ShoeApply, ShoeStarted, ShoeStatus

READER = DeviceIdentity(DeviceKind.SHOE, False, "Reader R1", "R1-000042", "2.3")
STRANGERS_KEY = bytes(range(1, 33))
TEN = SHOE.encode_event(CardPassed(43, card_byte("10H")), ShoeStatus(43, locked=False))


def nonces() -> Iterator[bytes]:
    yield DEVICE_NONCE
    yield from (bytes((number,)) * 16 for number in count(1))


def new_device(key: bytes | None = PAIR_KEY, *, boot: int = BOOT) -> PairableLink:
    made = PairableLink(READER, boot, 0.0, DevicePairing(nonces().__next__, SHOE.secret_at, key))
    made.set_status(SHOE.encode_status(SHOE_BEFORE))
    return made


def new_host(
    key: bytes | None = PAIR_KEY, *, opening: int = OPENING, nonce: bytes = HOST_NONCE, committed: int = 0
) -> HostLink:
    pairing = None if key is None else HostPairing(key, nonce, SHOE.secret_at)
    return HostLink(opening=opening, committed_boot=committed, committed_number=0, now_s=0.0, pairing=pairing)


def in_session() -> tuple[HostLink, PairableLink]:
    """A pair in whose session the first heartbeat was answered."""
    host, device = new_host(), new_device()
    talk(host, device, 0.0)
    assert host.is_identified
    assert not device.host_silent
    host.events()
    return host, device


def talk(host: HostLink, device: DeviceLink, now_s: float) -> bytes:
    """Lets both ends talk until neither has output; returns all of their bytes."""
    said = b""
    while (down := host.data_to_send()) or said == b"":
        device.receive_data(down, now_s)
        up = device.data_to_send()
        host.receive_data(up, now_s)
        said += down + up
    return said


def said(*names: str) -> bytes:
    return b"".join(b"\0" + PROOFS[name] for name in names)


def frame(kind: FrameKind, number: int, payload: bytes = b"", key: bytes | None = SESSION_KEY) -> bytes:
    return build(Header(kind, OPENING, BOOT, number), payload, key)


def with_tag_of(name: str, data: bytes) -> bytes:
    """The frame `data` with the tag of the golden frame `name` in place of its own."""
    golden, other = decode_signed(PROOFS[name][:-1]), decode_signed(data[1:-1])
    assert isinstance(golden, bytes)
    assert isinstance(other, bytes)
    return encode_frame(other[:-TAG_BYTES], golden[-TAG_BYTES:])


def down_by(host: HostLink) -> LinkDownReason:
    [down] = [event for event in host.events() if isinstance(event, LinkDown)]
    return down.reason


def commands(device: DeviceLink) -> list[CommandReceived]:
    return [one for one in device.events() if isinstance(one, CommandReceived)]


UNLOCK = SHOE.encode_command(ShoeApply(locked=False))
BEAT = rows.HEARTBEAT_LAYOUT.encode(rows.HeartbeatBody(False))

# --- bytes from outside the code


def test_the_key_of_a_session_is_the_texts() -> None:
    assert session_key(PAIR_KEY, OPENING, BOOT, HOST_NONCE, DEVICE_NONCE) == SESSION_KEY


@pytest.mark.parametrize("name", PROOFS)
def test_each_frame_has_its_tag(name: str) -> None:
    signed = decode_signed(PROOFS[name][:-1])
    assert isinstance(signed, bytes)
    body, tag = signed[:-TAG_BYTES], signed[-TAG_BYTES:]
    header, key = SAID_BY[name]
    assert Header(*HEADER.unpack_from(body)) == header
    assert tag == (bytes(TAG_BYTES) if key is None else tag_of(key, body))
    assert build(header, body[HEADER.size :], key) == said(name)
    assert (decode_frame(PROOFS[name][:-1]) == RejectReason.UNEXPECTED_TAG) is (key is not None)


def test_both_ends_say_the_golden_frames() -> None:
    host, device = new_host(), new_device()
    device.post_event(SHOE.encode_event(ShoeStarted(StartCause.POWER_ON), SHOE_BEFORE), 0.0)
    assert host.data_to_send() == said("hello-proven")
    device.receive_data(said("hello-proven"), 0.0)
    assert device.data_to_send() == said("shoe-identity-proven")
    host.receive_data(said("shoe-identity-proven"), 0.0)
    assert host.data_to_send() == said("heartbeat-proven")
    device.receive_data(said("heartbeat-proven") + frame(FrameKind.ACK, 1), 0.0)
    device.data_to_send()
    device.post_event(TEN, 0.1)
    assert device.data_to_send() == said("shoe-card-proven")
    host.receive_data(said("shoe-card-proven"), 0.1)
    assert EventTaken(2, TEN) in host.events()


def test_a_device_of_another_boot_denies_with_the_pairs_tag() -> None:
    device = new_device(boot=BOOT + 1)
    device.receive_data(said("heartbeat-proven"), 0.0)
    assert device.data_to_send() == said("no-session-proven")


def test_a_key_is_given_as_in_the_text() -> None:
    device = new_device(None)
    device.allow_pairing(0.0)
    device.receive_data(hello(), 0.0)
    device.data_to_send()
    device.receive_data(said("pair"), 0.1)
    assert device.data_to_send() == said("paired")
    device.receive_data(hello(), 0.2)
    assert device.data_to_send() == said("not-proven")


# --- tags


@pytest.mark.parametrize("byte", range(TAG_BYTES))
def test_each_byte_of_a_tag_counts(byte: int) -> None:
    tag = bytearray(tag_of(PAIR_KEY, b"body"))
    assert is_proven(PAIR_KEY, b"body", bytes(tag))
    tag[byte] ^= 1
    assert not is_proven(PAIR_KEY, b"body", bytes(tag))


def test_every_part_of_a_session_makes_its_key() -> None:
    parts = (PAIR_KEY, OPENING, BOOT, HOST_NONCE, DEVICE_NONCE)
    others = (STRANGERS_KEY, OPENING + 1, BOOT + 1, DEVICE_NONCE, HOST_NONCE)
    keys = {session_key(*parts[:at], others[at], *parts[at + 1 :]) for at in range(len(parts))}
    assert len(keys | {SESSION_KEY}) == len(parts) + 1


def test_a_pad_covers_the_card_and_nothing_else_and_taken_off_again_it_is_as_it_was() -> None:
    at = SHOE.secret_at(TEN)
    assert at == len(TEN) - 1
    covered_ten = covered(SESSION_KEY, 2, TEN, at)
    assert covered_ten[:-1] == TEN[:-1]
    assert covered_ten[-1] != TEN[-1]
    assert covered(SESSION_KEY, 2, covered_ten, at) == TEN
    assert covered(SESSION_KEY, 2, TEN, None) == TEN
    assert len({covered(SESSION_KEY, number, TEN, at) for number in range(64)}) > 32
    assert SHOE.secret_at(b"") is None
    assert SHOE.secret_at(TEN[:-1]) is None
    assert SHOE.secret_at(b"\x01" + TEN[1:]) is None


def test_no_key_is_shown_where_a_pairing_is_printed() -> None:
    shown = repr((HostPairing(PAIR_KEY, HOST_NONCE, SHOE.secret_at), DevicePairing(bytes, SHOE.secret_at, PAIR_KEY)))
    assert PAIR_KEY.hex() not in shown
    assert repr(PAIR_KEY) not in shown


# --- the device


@pytest.mark.parametrize(
    "data",
    [
        hello(),
        new_host(STRANGERS_KEY).data_to_send(),
        with_tag_of("hello-proven", new_host(nonce=DEVICE_NONCE).data_to_send()),
        with_tag_of("hello-proven", new_host(committed=1).data_to_send()),
    ],
    ids=["no tag", "another pair", "another nonce", "another word"],
)
def test_a_paired_device_takes_no_hello_but_its_hosts(data: bytes) -> None:
    device = new_device()
    device.receive_data(data, 0.0)
    assert device.data_to_send() == said("not-proven")
    assert not device.in_session
    assert device.events() == []


def test_what_it_does_not_take_leaves_the_session_as_it_is() -> None:
    host, device = in_session()
    device.receive_data(hello(opening=OPENING + 5), 0.1)
    device.receive_data(hello(opening=OPENING + 6), 0.11)
    assert device.data_to_send() == build(Header(FrameKind.NOT_PROVEN, OPENING + 5, BOOT, 0)), "not too often"
    assert not device.host_silent
    host.send_command(UNLOCK, 0.2)
    device.receive_data(host.data_to_send(), 0.2)
    assert len(commands(device)) == 1


def test_another_major_is_answered_without_a_tag_and_changes_nothing() -> None:
    device = new_device()
    device.receive_data(hello(major=2), 0.0)
    assert isinstance(decode_frame(device.data_to_send()[1:-1]), bytes)
    assert not device.in_session


def test_a_device_that_is_not_paired_refuses_a_tag() -> None:
    device = new_device(None)
    device.receive_data(said("hello-proven"), 0.0)
    assert device.data_to_send() == b""
    assert device.stats.rejected == {RejectReason.UNEXPECTED_TAG: 1}


@pytest.mark.parametrize("key", [None, PAIR_KEY, STRANGERS_KEY])
def test_a_frame_without_the_sessions_tag_does_nothing(key: bytes | None) -> None:
    _, device = in_session()
    device.post_event(TEN, 0.1)
    device.data_to_send()
    device.receive_data(frame(FrameKind.COMMAND, 1, UNLOCK, key), 0.1)
    device.receive_data(frame(FrameKind.ACK, 1, key=key), 0.1)
    device.receive_data(frame(FrameKind.HEARTBEAT, 2, BEAT, key), SILENT_AFTER_S - 0.1)
    assert device.data_to_send() == b""
    assert commands(device) == []
    assert device.waiting_events == 1
    assert device.stats.rejected == {RejectReason.UNPROVEN: 3}
    device.handle_timeout(SILENT_AFTER_S)
    assert device.host_silent


def test_a_frame_of_an_earlier_session_is_none_of_this() -> None:
    """The device drops a frame of an earlier session, even of the same opening before a silence."""
    host, device = in_session()
    host.send_command(UNLOCK, 0.1)
    old = host.data_to_send()
    device.handle_timeout(SILENT_AFTER_S)
    device.receive_data(new_host(opening=OPENING + 1, nonce=DEVICE_NONCE).data_to_send(), 3.0)
    device.receive_data(said("hello-proven"), 3.1)
    device.data_to_send()
    device.events()
    assert device.in_session
    device.receive_data(old, 3.2)
    assert commands(device) == []
    assert device.host_silent


def test_a_copy_is_no_sign_of_life() -> None:
    host, device = in_session()
    host.send_command(UNLOCK, 0.1)
    device.receive_data(host.data_to_send(), 0.1)
    device.answer(commands(device)[0].number, 0, SHOE.encode_status(SHOE_BEFORE))
    device.data_to_send()
    copies = (frame(FrameKind.COMMAND, 1, UNLOCK), said("heartbeat-proven"), said("hello-proven"))
    answers = []
    for place, copy in enumerate(copies):
        device.receive_data(copy, 1.0 + place / 10)
        answers.append(len(device.data_to_send()) > 0)
    assert answers == [True, False, True], "a heartbeat that comes again is not answered"
    assert commands(device) == []
    device.handle_timeout(0.1 + SILENT_AFTER_S)
    assert device.host_silent


def test_an_acknowledgement_that_is_new_is_a_sign_of_life_and_its_copy_is_none() -> None:
    _, device = in_session()
    device.post_event(TEN, 0.1)
    device.receive_data(frame(FrameKind.ACK, 1), 1.0)
    device.receive_data(frame(FrameKind.ACK, 1), 1.5)
    device.handle_timeout(2.9)
    assert not device.host_silent
    device.handle_timeout(3.0)
    assert device.host_silent


def test_a_hello_alone_ends_no_silence_and_brings_no_event() -> None:
    device = new_device()
    device.post_event(TEN, 0.0)
    device.receive_data(said("hello-proven"), 0.0)
    device.data_to_send()
    assert device.in_session
    assert device.must_lock
    device.receive_data(said("heartbeat-proven"), 0.1)
    assert not device.must_lock
    assert FrameKind.EVENT in kinds_said(device.data_to_send())


def kinds_said(data: bytes) -> list[int]:
    signed = [decode_signed(piece) for piece in data.split(b"\0") if piece]
    return [one[0] for one in signed if isinstance(one, bytes)]


def test_a_hello_again_is_answered_by_the_same_nonce_and_another_session_by_another() -> None:
    device = new_device()
    device.receive_data(said("hello-proven"), 0.0)
    first = device.data_to_send()
    device.receive_data(said("hello-proven"), 0.3)
    assert device.data_to_send() == first
    device.receive_data(new_host(opening=OPENING + 1).data_to_send(), 0.4)
    assert DEVICE_NONCE not in device.data_to_send()


def test_the_same_opening_with_another_nonce_is_not_taken_while_the_session_lives() -> None:
    _, device = in_session()
    other = new_host(nonce=DEVICE_NONCE).data_to_send()
    device.receive_data(other, 0.1)
    assert device.data_to_send() == b""
    device.handle_timeout(SILENT_AFTER_S)
    device.receive_data(other, SILENT_AFTER_S)
    assert device.data_to_send() != b""


def test_a_card_that_is_sent_again_stands_on_the_line_as_the_first_time() -> None:
    _, device = in_session()
    device.post_event(TEN, 0.1)
    first = device.data_to_send()
    device.handle_timeout(0.4)
    assert device.data_to_send() == first
    assert TEN not in first


def test_a_hello_without_room_for_a_nonce_is_dropped() -> None:
    device = new_device()
    header = Header(FrameKind.HELLO, OPENING, 0, 0)
    device.receive_data(build(header, bytes((1, 1)) + bytes(8), PAIR_KEY), 0.0)
    assert device.data_to_send() == b""
    assert device.stats.rejected == {RejectReason.BAD_LENGTH: 1}


# --- the host


def test_a_host_takes_what_its_device_says_and_acknowledges() -> None:
    host, device = in_session()
    device.post_event(TEN, 0.1)
    host.receive_data(device.data_to_send(), 0.1)
    assert host.events() == [EventTaken(1, TEN)]
    host.acknowledge(1)
    talk(host, device, 0.2)
    assert device.waiting_events == 0


def other_identity(key: bytes | None, *, minor: int = 1) -> bytes:
    """The IDENTITY of a device that differs from the paired one in the key alone; None: it has no key."""
    body = rows.IdentityBody(1, minor, DeviceKind.SHOE, False, "Reader R1", "R1-000042", "2.3", 1, 1)
    nonce = DEVICE_NONCE if minor else b""
    return frame(
        FrameKind.IDENTITY, 0, rows.IDENTITY_LAYOUT.encode(body) + nonce + SHOE.encode_status(SHOE_BEFORE), key
    )


@pytest.mark.parametrize(
    "data",
    [
        other_identity(None, minor=0),
        other_identity(None),
        other_identity(PAIR_KEY),
        other_identity(session_key(STRANGERS_KEY, OPENING, BOOT, HOST_NONCE, DEVICE_NONCE)),
        other_identity(session_key(PAIR_KEY, OPENING, BOOT, DEVICE_NONCE, DEVICE_NONCE)),
        frame(FrameKind.IDENTITY, 0, bytes((1, 1, 2)), SESSION_KEY),
        said("not-proven"),
    ],
    ids=["of 1.0", "no tag", "the pair's tag", "another pair", "another session", "cut short", "not proven"],
)
def test_a_device_that_proves_nothing_is_refused(data: bytes) -> None:
    host = new_host()
    host.receive_data(data, 0.1)
    [rejected, down] = host.events()
    assert rejected == FrameRejected(RejectReason.UNPROVEN)
    assert isinstance(down, LinkDown)
    assert down.reason is LinkDownReason.UNPROVEN
    assert not host.is_identified


@pytest.mark.parametrize(
    "data",
    [
        frame(FrameKind.HEARTBEAT_REPLY, 1, bytes(9), None),
        frame(FrameKind.EVENT, 1, bytes(9), PAIR_KEY),
        frame(FrameKind.ANSWER, 1, bytes(9), STRANGERS_KEY),
        frame(FrameKind.NO_SESSION, 0, b"", SESSION_KEY),
        other_identity(STRANGERS_KEY),
    ],
)
def test_the_first_whole_frame_without_proof_ends_the_connection(data: bytes) -> None:
    host, _ = in_session()
    host.receive_data(data, 0.1)
    assert down_by(host) is LinkDownReason.UNPROVEN


def test_what_is_of_another_opening_is_dropped_whatever_tag_it_has() -> None:
    host, _ = in_session()
    host.receive_data(build(Header(FrameKind.EVENT, OPENING - 1, BOOT, 1), bytes(9), SESSION_KEY), 0.1)
    assert host.events() == [FrameRejected(RejectReason.WRONG_SESSION)]


def test_of_a_session_that_is_open_no_not_proven_is_heard() -> None:
    host, _ = in_session()
    host.receive_data(said("not-proven", "paired"), 0.1)
    assert host.events() == [FrameRejected(RejectReason.WRONG_SESSION, 2)]


def test_a_restart_is_believed_by_its_tag() -> None:
    host, _ = in_session()
    host.receive_data(said("no-session-proven"), 0.1)
    assert down_by(host) is LinkDownReason.REBOOTED


def test_copies_of_what_the_device_said_keep_no_connection_alive() -> None:
    host, device = in_session()
    device.post_event(TEN, 0.1)
    event = device.data_to_send()
    host.receive_data(event, 0.1)
    for tenth in range(2, 21):
        host.handle_timeout(tenth / 10)
        host.receive_data(event + said("shoe-identity-proven"), tenth / 10)
    host.handle_timeout(0.1 + SILENT_AFTER_S)
    assert down_by(host) is LinkDownReason.SILENT


def test_a_host_without_a_key_is_told_that_the_device_is_anothers() -> None:
    host, device = new_host(None), new_device()
    talk(host, device, 0.0)
    assert down_by(host) is LinkDownReason.PAIRED


def test_a_not_proven_of_some_length_is_none() -> None:
    host = new_host(None)
    host.receive_data(frame(FrameKind.NOT_PROVEN, 0, b"?", None), 0.1)
    assert host.events() == [FrameRejected(RejectReason.BAD_LENGTH)]


def test_without_a_pairing_a_tag_is_refused_by_the_host() -> None:
    host = new_host(None)
    host.receive_data(other_identity(SESSION_KEY), 0.1)
    assert host.events() == [FrameRejected(RejectReason.UNEXPECTED_TAG)]


def bytes_said(*, proven: bool) -> tuple[int, int, int]:
    """The number of bytes of an opening, of a COMMAND with its ANSWER, and of a card with its ACK."""
    key = PAIR_KEY if proven else None
    host, device = new_host(key), new_device(key)
    opening = len(talk(host, device, 0.0))
    host.send_command(SHOE.encode_command(Query()), 0.1)
    command = host.data_to_send()
    device.receive_data(command, 0.1)
    device.answer(commands(device)[0].number, 0, SHOE.encode_status(SHOE_BEFORE))
    answer = device.data_to_send()
    host.receive_data(answer, 0.1)
    device.post_event(TEN, 0.2)
    event = device.data_to_send()
    host.receive_data(event, 0.2)
    host.acknowledge(1)
    return opening, len(command + answer), len(event + host.data_to_send())


def test_a_proof_costs_the_line_two_nonces_for_each_connection_and_nothing_else() -> None:
    assert bytes_said(proven=False) == (197, 67, 71)
    assert bytes_said(proven=True) == (197 + 2 * 16, 67, 71)


# --- the switch


def test_a_key_is_taken_only_while_the_switch_is_on() -> None:
    device = new_device(None)
    device.receive_data(hello(), 0.0)
    device.data_to_send()
    device.receive_data(said("pair"), 0.1)
    device.allow_pairing(1.0)
    device.handle_timeout(1.0 + PAIRING_S)
    device.receive_data(said("pair"), 1.1 + PAIRING_S)
    assert device.data_to_send() == b""
    assert device.stats.rejected == {RejectReason.OUT_OF_BOUNDS: 2}


def test_while_the_switch_is_on_it_is_locked() -> None:
    _, device = in_session()
    assert not device.must_lock
    device.allow_pairing(0.1)
    assert device.must_lock
    assert device.next_timeout_s() == SILENT_AFTER_S
    device.handle_timeout(0.1 + PAIRING_S)
    assert device.next_timeout_s() is None


def test_a_session_without_proof_ends_with_the_minute_in_which_it_was_taken() -> None:
    device = new_device()
    device.allow_pairing(0.0)
    device.receive_data(hello(), PAIRING_S - 0.1)
    device.receive_data(heartbeat(), PAIRING_S - 0.1)
    assert device.in_session
    device.handle_timeout(PAIRING_S)
    assert not device.in_session
    assert device.must_lock


def test_in_a_session_without_proof_a_tag_is_refused() -> None:
    device = new_device()
    device.allow_pairing(0.0)
    device.receive_data(hello(), 0.1)
    device.receive_data(frame(FrameKind.COMMAND, 1, UNLOCK), 0.2)
    assert commands(device) == []


def test_another_key_takes_the_place_of_the_first_and_zeros_of_any() -> None:
    device = new_device()
    for key in (STRANGERS_KEY, NO_KEY):
        device.allow_pairing(0.0)
        device.receive_data(hello(opening=OPENING + key[0]), 0.0)
        device.data_to_send()
        give = build(Header(FrameKind.PAIR, OPENING + key[0], BOOT, 0), key)
        device.receive_data(give, 0.1)
        paired = build(Header(FrameKind.PAIRED, OPENING + key[0], BOOT, 0), b"", key if any(key) else None)
        assert device.data_to_send() == paired
        device.receive_data(give, 0.2)
        assert device.data_to_send() == paired, "the answer was lost"
        assert not device.in_session
    device.receive_data(hello(opening=OPENING + 9), 0.3)
    assert device.in_session


def test_no_key_is_taken_of_a_length_of_its_own_or_in_a_proven_session() -> None:
    _, device = in_session()
    device.allow_pairing(0.1)
    device.receive_data(frame(FrameKind.PAIR, 0, STRANGERS_KEY), 0.2)
    assert device.stats.rejected == {RejectReason.OUT_OF_BOUNDS: 1}
    device.receive_data(frame(FrameKind.PAIR, 0, STRANGERS_KEY[1:]), 0.2)
    assert device.stats.rejected[RejectReason.BAD_LENGTH] == 1
    assert device.data_to_send() == b""


def test_a_device_of_1_0_knows_no_such_frame() -> None:
    device = DeviceLink(READER, BOOT, 0.0)
    device.set_status(SHOE.encode_status(SHOE_BEFORE))
    device.receive_data(hello() + said("pair"), 0.1)
    assert device.stats.rejected == {RejectReason.UNKNOWN_KIND: 1}


def test_a_command_that_was_read_with_the_key_is_not_executed() -> None:
    device = new_device(None)
    device.allow_pairing(0.0)
    device.receive_data(hello(), 0.0)
    device.receive_data(frame(FrameKind.COMMAND, 1, UNLOCK, None) + said("pair"), 0.1)
    assert commands(device) == []


def test_a_paired_device_locks_at_forty_eight_as_any_other() -> None:
    _, device = in_session()
    for _ in range(EVENTS_LOCK):
        device.post_event(TEN, 0.1)
    assert device.must_lock


def test_a_host_of_the_pair_and_its_device_find_each_other() -> None:
    host, device = new_host(), new_device()
    talk(host, device, 0.0)
    [identified] = [event for event in host.events() if isinstance(event, Identified)]
    assert identified.status_payload == SHOE.encode_status(SHOE_BEFORE)
    assert (identified.identity.minor, identified.identity.serial) == (1, "R1-000042")
