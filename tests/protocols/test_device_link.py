"""The device's end of a link, frame by frame, against a host played by hand."""

import tracemalloc
from random import Random

import link_peer as peer
import pytest
from link_peer import BOOT, OPENING, STATUS

from firmware_protocols.errors import RejectReason
from firmware_protocols.tdp.device_link import DeviceLink
from firmware_protocols.tdp.link import UNSENT_MAX, CommandReceived, DeviceIdentity, FrameKind, SessionOpened, split
from firmware_protocols.tdp.link_rows import ANSWER_LAYOUT, EVENT_LAYOUT, IDENTITY_LAYOUT, REPLY_LAYOUT
from firmware_protocols.tdp.schema import DeviceKind
from tests.night import IS_NIGHT

IDENTITY = DeviceIdentity(DeviceKind.SHOE, True, "Sabot shoe", "SIM-7", "1.0.0")


def new_device() -> DeviceLink:
    device = DeviceLink(IDENTITY, BOOT, 0.0)
    device.set_status(STATUS)
    return device


def device_in_session() -> DeviceLink:
    """A device that has answered HELLO, at 0 s."""
    device = new_device()
    device.receive_data(peer.hello(), 0.0)
    assert said(device) == [(FrameKind.IDENTITY, 0)]
    device.events()
    return device


def said(device: DeviceLink) -> list[tuple[FrameKind, int]]:
    return peer.kinds(device.data_to_send(), from_device=True)


def command(number: int, *, opening: int = OPENING, boot: int = BOOT) -> bytes:
    return peer.frame(FrameKind.COMMAND, number, b"do", opening=opening, boot=boot)


def ack(number: int, *, opening: int = OPENING, boot: int = BOOT) -> bytes:
    return peer.frame(FrameKind.ACK, number, opening=opening, boot=boot)


def alive(device: DeviceLink, now_s: float, *, not_yet_durable: bool = False) -> None:
    """Lets the host's heartbeat arrive at the device, and drops the reply."""
    device.receive_data(peer.heartbeat(not_yet_durable=not_yet_durable), now_s)
    frames = said(device)
    assert (FrameKind.HEARTBEAT_REPLY, 1) in frames


# ---- sessions ----


def test_before_hello_there_is_no_session_and_silence() -> None:
    device = new_device()
    assert (device.in_session, device.host_silent) == (False, True)
    assert device.next_timeout_s() is None
    device.post_event(b"started", 0.0)
    device.receive_data(command(1) + ack(1) + peer.heartbeat(), 0.1)
    assert said(device) == [(FrameKind.NO_SESSION, 0)]
    assert device.events() == []
    assert device.waiting_events == 1


def test_a_command_read_together_with_the_next_sessions_hello_is_not_executed() -> None:
    """A command that is read together with the next session's HELLO is not executed, since no answer could follow."""
    device = device_in_session()
    device.receive_data(command(1) + peer.hello(opening=OPENING + 1), 0.1)
    assert device.events() == [SessionOpened(OPENING + 1, 1, 0)]


def test_hello_opens_a_session_and_brings_what_waits() -> None:
    device = new_device()
    device.post_event(b"started", 0.0)
    device.receive_data(peer.hello(), 1.0)
    assert device.events() == [SessionOpened(OPENING, 1, 0)]
    (header, payload), (event_header, _) = peer.read(device.data_to_send(), from_device=True)
    body, status = split(payload, IDENTITY_LAYOUT.size)
    identity = IDENTITY_LAYOUT.decode(body)
    assert (header.host_opening, header.device_boot) == (OPENING, BOOT)
    assert (identity.serial, identity.oldest_event, identity.next_event) == ("SIM-7", 1, 2)
    assert status == STATUS
    assert (event_header.kind, event_header.number) == (FrameKind.EVENT, 1)
    assert (device.in_session, device.host_silent) == (True, False)


def test_the_same_hello_again_changes_nothing() -> None:
    device = device_in_session()
    device.receive_data(command(1), 0.1)
    device.answer(1, 0, STATUS)
    device.post_event(b"event", 0.1)
    said(device)
    device.events()
    device.receive_data(peer.hello() + command(1), 0.15)
    assert said(device) == [(FrameKind.IDENTITY, 0), (FrameKind.ANSWER, 1)]
    assert device.events() == [], "not executed again"


def test_a_late_hello_of_a_dead_connection_does_not_bring_its_commands_back() -> None:
    device = device_in_session()
    device.receive_data(command(1), 0.1)
    device.answer(1, 0, STATUS)
    device.receive_data(peer.hello(opening=OPENING + 1), 0.2)
    device.events()
    said(device)
    device.receive_data(peer.hello() + command(1), 0.3)
    assert device.events() == []
    assert device.stats.rejected[RejectReason.WRONG_SESSION] == 2
    device.receive_data(command(1, opening=OPENING + 1), 0.3)
    assert device.events() == [CommandReceived(1, b"do")], "the newer session goes on"


def test_a_host_that_counts_from_its_own_beginning_is_let_in_after_silence() -> None:
    device = device_in_session()
    device.receive_data(peer.hello(opening=5), 1.9)
    assert said(device) == []
    device.handle_timeout(2.0)
    device.receive_data(peer.hello(opening=5), 2.1)
    assert device.events() == [SessionOpened(5, 1, 0)]


def test_openings_are_compared_across_their_wrap() -> None:
    device = new_device()
    device.receive_data(peer.hello(opening=2**32 - 1), 0.0)
    device.receive_data(peer.hello(opening=3), 0.1)
    assert [event for event in device.events() if isinstance(event, SessionOpened)][-1].opening == 3


def test_another_major_is_told_ours_and_opens_nothing() -> None:
    device = new_device()
    device.receive_data(peer.frame(FrameKind.HELLO, 0, bytes((2, 0)) + b"new fields", boot=0), 0.0)
    [(header, payload)] = peer.read(device.data_to_send(), from_device=True)
    assert (header.kind, payload[:2]) == (FrameKind.IDENTITY, bytes((1, 0)))
    assert device.events() == []
    assert not device.in_session


def test_a_session_unknown_is_said_at_most_every_tenth_of_a_second() -> None:
    device = device_in_session()
    device.receive_data(command(1, boot=BOOT - 1) * 5, 0.1)
    assert said(device) == [(FrameKind.NO_SESSION, 0)]
    device.receive_data(command(1, boot=BOOT - 1), 0.19)
    assert said(device) == []
    device.receive_data(command(1, opening=OPENING - 1), 0.2)
    [(header, payload)] = peer.read(device.data_to_send(), from_device=True)
    assert (header.host_opening, header.device_boot, payload) == (OPENING - 1, BOOT, b"")
    assert device.events() == []


@pytest.mark.parametrize(("boot", "number"), [(BOOT, 0), (0, 1)])
def test_a_hello_that_names_a_boot_or_a_number_is_none(boot: int, number: int) -> None:
    """A HELLO with a boot or a number is no HELLO: the host knows no boot yet, and counts nothing (PROTOCOL.md 3)."""
    device = new_device()
    [(header, payload)] = peer.read(peer.hello(), from_device=False)
    device.receive_data(peer.frame(FrameKind.HELLO, number, payload, opening=header.host_opening, boot=boot), 0.0)
    assert said(device) == []
    assert not device.in_session
    assert device.stats.rejected[RejectReason.OUT_OF_BOUNDS] == 1


def test_an_opening_half_the_range_away_is_newer_neither_way() -> None:
    device = device_in_session()
    device.receive_data(peer.hello(opening=(OPENING + 2**31) % 2**32), 0.1)
    assert device.stats.rejected[RejectReason.WRONG_SESSION] == 1
    device.receive_data(peer.hello(opening=(OPENING + 2**31 - 1) % 2**32), 0.1)
    assert [type(event) for event in device.events()] == [SessionOpened]


@pytest.mark.parametrize("boot", [0, -1, 2**32])
def test_a_boot_number_has_32_bits_and_is_not_0(boot: int) -> None:
    with pytest.raises(ValueError, match="boot number"):
        DeviceLink(IDENTITY, boot, 0.0)


# ---- dead man ----


def test_two_seconds_without_the_host_are_silence_until_it_speaks() -> None:
    device = device_in_session()
    alive(device, 0.5)
    assert device.next_timeout_s() == pytest.approx(2.5)
    device.handle_timeout(2.49)
    assert not device.host_silent
    device.handle_timeout(2.5)
    assert device.host_silent
    assert device.in_session
    device.post_event(b"event", 3.0)
    assert said(device) == [], "nobody listens"
    assert device.next_timeout_s() is None
    device.receive_data(peer.heartbeat(4), 5.0)
    assert not device.host_silent
    assert said(device) == [(FrameKind.EVENT, 1), (FrameKind.HEARTBEAT_REPLY, 4)]


def test_events_sent_into_silence_come_at_once_when_it_ends() -> None:
    device = device_in_session()
    device.post_event(b"event", 0.1)
    said(device)
    device.handle_timeout(2.0)
    said(device)
    device.receive_data(peer.heartbeat(), 3.0)
    assert (FrameKind.EVENT, 1) in said(device)


@pytest.mark.parametrize(
    "other",
    [command(1, boot=BOOT - 1), ack(0, opening=OPENING - 1), peer.reply(1), b"noise\0"],
    ids=["other boot", "other opening", "our own kind", "noise"],
)
def test_what_is_not_of_the_session_is_no_sign_of_life(other: bytes) -> None:
    device = device_in_session()
    device.receive_data(other, 1.9)
    device.handle_timeout(2.0)
    assert device.host_silent


@pytest.mark.parametrize(
    "frame",
    [peer.hello(), command(9), ack(9), peer.frame(FrameKind.HEARTBEAT, 1, b"too long")],
    ids=["its own hello", "wrong number", "of no event", "wrong payload"],
)
def test_what_names_the_session_is_a_sign_of_life_whatever_stands_in_it(frame: bytes) -> None:
    device = device_in_session()
    device.receive_data(frame, 1.9)
    device.handle_timeout(2.0)
    assert not device.host_silent


def test_the_reply_to_a_heartbeat_carries_the_status_that_it_led_to() -> None:
    """A device that locked itself is unlocked again in the reply to the heartbeat that ended the silence."""
    device = device_in_session()
    device.handle_timeout(2.0)
    device.set_status(b"silent")
    device.receive_data(peer.heartbeat(4), 2.5)
    device.set_status(b"heard")
    [(header, payload)] = peer.read(device.data_to_send(), from_device=True)
    assert (header.number, split(payload, REPLY_LAYOUT.size)[1]) == (4, b"heard")


# ---- commands ----


def test_a_command_is_executed_once_and_answered_as_often_as_it_comes() -> None:
    device = device_in_session()
    device.receive_data(command(1), 0.1)
    assert device.events() == [CommandReceived(1, b"do")]
    device.receive_data(command(1), 0.15)
    assert said(device) == [], "not answered yet"
    device.answer(1, 4, STATUS)
    device.receive_data(command(1), 0.2)
    frames = peer.read(device.data_to_send(), from_device=True)
    assert [(header.kind, header.number) for header, _ in frames] == [(FrameKind.ANSWER, 1)] * 3
    assert {ANSWER_LAYOUT.decode(split(payload, ANSWER_LAYOUT.size)[0]).result for _, payload in frames} == {4}
    assert device.events() == []


def test_only_the_next_number_is_executed() -> None:
    device = device_in_session()
    device.receive_data(command(2) + command(0) + command(3), 0.1)
    assert device.events() == []
    device.receive_data(command(1), 0.1)
    device.answer(1, 0, STATUS)
    device.receive_data(command(2), 0.2)
    device.answer(2, 0, STATUS)
    said(device)
    device.events()
    device.receive_data(command(1), 0.3)
    assert device.events() == []
    assert said(device) == [], "an old number is answered no more"


def test_an_answer_needs_its_command() -> None:
    device = device_in_session()
    with pytest.raises(ValueError, match="command 1 waits for no answer"):
        device.answer(1, 0, STATUS)
    device.receive_data(command(1), 0.1)
    device.answer(1, 0, STATUS)
    with pytest.raises(ValueError, match="command 1 waits for no answer"):
        device.answer(1, 0, STATUS)


# ---- events ----


def post(device: DeviceLink, count: int, now_s: float) -> None:
    for _ in range(count):
        device.post_event(b"event", now_s)


def test_eight_events_go_ahead_and_an_acknowledgement_lets_more_go() -> None:
    device = device_in_session()
    post(device, 12, 0.1)
    assert said(device) == [(FrameKind.EVENT, number) for number in range(1, 9)]
    device.receive_data(ack(3), 0.15)
    assert said(device) == [(FrameKind.EVENT, number) for number in (9, 10, 11)]
    assert device.waiting_events == 9
    device.receive_data(ack(2), 0.16)
    assert device.waiting_events == 9


def test_all_that_is_unacknowledged_is_said_again_more_and_more_slowly() -> None:
    device = device_in_session()
    post(device, 10, 0.0)
    said(device)
    times = []
    for tick in range(1, 60):
        if tick % 5 == 0:
            alive(device, tick / 10)
        device.handle_timeout(tick / 10)
        if frames := said(device):
            assert frames == [(FrameKind.EVENT, number) for number in range(1, 9)]
            times.append(tick / 10)
    assert times == pytest.approx([0.2, 0.6, 1.4, 2.4, 3.4, 4.4, 5.4], abs=0.11)
    device.receive_data(ack(1), 6.0)
    said(device)
    device.handle_timeout(6.19)
    assert said(device) == []
    device.handle_timeout(6.2)
    assert len(said(device)) == 8, "progress makes it quick again"


def test_a_host_slow_to_commit_is_not_pressed_and_not_forgotten() -> None:
    """The device repeats an event a second after it sent it, however often a slow host says "not yet durable"."""
    device = device_in_session()
    post(device, 1, 0.0)
    said(device)
    for now_s in (0.1, 0.6, 0.9):
        device.handle_timeout(now_s)
        alive(device, now_s, not_yet_durable=True)
    device.handle_timeout(0.99)
    assert said(device) == []
    device.handle_timeout(1.0)
    assert said(device) == [(FrameKind.EVENT, 1)]


def test_an_event_says_the_oldest_that_is_still_held() -> None:
    device = device_in_session()
    post(device, 3, 0.0)
    device.receive_data(ack(2), 0.05)
    device.data_to_send()
    device.handle_timeout(0.25)
    [(_, payload)] = peer.read(device.data_to_send(), from_device=True)
    head, event = split(payload, EVENT_LAYOUT.size)
    assert EVENT_LAYOUT.decode(head).oldest_event == 3
    assert event == b"event"


def test_an_acknowledgement_of_what_was_never_made_is_rejected() -> None:
    device = device_in_session()
    post(device, 2, 0.0)
    device.receive_data(ack(3), 0.1)
    assert device.waiting_events == 2
    assert device.stats.rejected[RejectReason.OUT_OF_BOUNDS] == 1


def test_an_acknowledgement_with_more_in_it_is_none() -> None:
    device = device_in_session()
    post(device, 2, 0.0)
    device.receive_data(peer.frame(FrameKind.ACK, 2, b"\1"), 0.1)
    assert device.waiting_events == 2
    assert device.stats.rejected[RejectReason.BAD_LENGTH] == 1


@pytest.mark.parametrize(("opening", "boot"), [(OPENING - 1, BOOT), (OPENING, BOOT - 1), (OPENING, BOOT + 1)])
def test_an_acknowledgement_of_another_session_is_not_believed(opening: int, boot: int) -> None:
    device = device_in_session()
    post(device, 2, 0.0)
    device.receive_data(ack(2, opening=opening, boot=boot), 0.1)
    assert device.waiting_events == 2


@pytest.mark.parametrize(
    ("boot", "number", "left"), [(BOOT, 2, 1), (BOOT - 1, 2, 3), (0, 0, 3), (BOOT, 3, 0), (BOOT, 4, 3)]
)
def test_hello_acknowledges_what_it_says_of_this_boot_alone(boot: int, number: int, left: int) -> None:
    device = new_device()
    post(device, 3, 0.0)
    device.receive_data(peer.hello(committed_boot=boot, committed_number=number), 0.1)
    assert device.waiting_events == left


def test_48_waiting_events_are_too_many_and_of_65_the_oldest_goes() -> None:
    device = device_in_session()
    post(device, 47, 0.0)
    assert not device.must_lock
    post(device, 1, 0.0)
    assert device.must_lock
    post(device, 17, 0.0)
    assert device.waiting_events == 64
    assert device.stats.events_discarded == 1
    device.receive_data(ack(20), 0.1)
    assert not device.must_lock


def test_replies_and_answers_say_how_far_the_events_go() -> None:
    device = device_in_session()
    post(device, 2, 0.0)
    device.data_to_send()
    device.receive_data(peer.heartbeat(6), 0.1)
    [(header, payload)] = peer.read(device.data_to_send(), from_device=True)
    body, status = split(payload, REPLY_LAYOUT.size)
    assert (header.number, REPLY_LAYOUT.decode(body).newest_event, status) == (6, 2, STATUS)


# ---- noise ----


NOISE_BYTES = 10_000_000 if IS_NIGHT else 2_500_000


@pytest.mark.slow
def test_megabytes_of_noise_leave_the_link_as_it_was() -> None:
    rng = Random(7)  # noqa: S311 (noise, the same in each run)
    noise = rng.randbytes(1 << 16) + peer.hello(opening=1) * 500
    device = device_in_session()
    tracemalloc.start()
    for _ in range(NOISE_BYTES // len(noise)):
        device.receive_data(noise, 0.01)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    alive(device, 0.5)


def test_a_line_that_takes_nothing_costs_no_memory() -> None:
    device = device_in_session()
    device.receive_data(peer.heartbeat() * 1000, 0.1)
    assert len(device.data_to_send()) <= UNSENT_MAX
    assert device.stats.frames_not_sent > 800


def test_the_answer_to_hello_carries_the_status_that_hello_led_to() -> None:
    """A model withdraws its permissions at a new session; IDENTITY reports that before any event."""
    device = new_device()
    device.post_event(b"started", 0.0)
    device.receive_data(peer.hello(), 0.0)
    assert isinstance(device.events()[0], SessionOpened)
    device.set_status(b"withdrawn")
    sent = device.data_to_send()
    assert sent.index(b"withdrawn") < sent.index(b"started")
    assert STATUS not in sent
