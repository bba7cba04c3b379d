"""The host's end of a link, frame by frame, against a device played by hand."""

import tracemalloc
from random import Random

import link_peer as peer
import pytest
from link_peer import BOOT, OPENING, STATUS

from firmware_protocols.errors import LinkBusy, RejectReason
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import (
    UNSENT_MAX,
    CommandAnswered,
    EventsMissed,
    EventTaken,
    FrameKind,
    FrameRejected,
    Identified,
    LinkDown,
    LinkDownReason,
    LinkEvent,
    StatusHeard,
)
from firmware_protocols.tdp.link_rows import HEARTBEAT_LAYOUT
from tests.night import IS_NIGHT


def new_host(*, committed: tuple[int, int] = (0, 0)) -> HostLink:
    return HostLink(opening=OPENING, committed_boot=committed[0], committed_number=committed[1], now_s=0.0)


def identified_host(*, committed: tuple[int, int] = (0, 0), oldest: int = 1, upcoming: int = 1) -> HostLink:
    """A host that has just heard IDENTITY, at 0 s."""
    host = new_host(committed=committed)
    host.receive_data(peer.identity(oldest=oldest, upcoming=upcoming), 0.0)
    assert isinstance(host.events()[0], Identified)
    host.data_to_send()
    return host


def said(host: HostLink) -> list[tuple[FrameKind, int]]:
    return peer.kinds(host.data_to_send(), from_device=False)


def run(host: HostLink, until_s: float) -> list[tuple[float, FrameKind, int]]:
    """The host's frames up to `until_s` without an answer: each one's time, kind and number."""
    spoken = []
    while (due_s := host.next_timeout_s()) is not None and due_s <= until_s:
        host.handle_timeout(due_s)
        spoken += [(round(due_s, 3), *frame) for frame in said(host)]
    return spoken


def only_down(events: list[LinkEvent]) -> LinkDown:
    [down] = events
    assert isinstance(down, LinkDown)
    return down


# ---- identifying ----


def test_hello_is_said_again_until_somebody_answers_and_no_longer_than_5_s() -> None:
    host = new_host()
    assert said(host) == [(FrameKind.HELLO, 0)]
    spoken = run(host, 60.0)
    assert spoken[:2] == [(0.25, FrameKind.HELLO, 0), (0.5, FrameKind.HELLO, 0)]
    assert len(spoken) == 19
    assert only_down(host.events()) == LinkDown(LinkDownReason.SILENT, "last good frame never")
    assert host.is_down


def test_the_device_says_who_it_is() -> None:
    host = new_host()
    host.receive_data(peer.identity(oldest=3, upcoming=5), 0.1)
    identified, missed = host.events()
    assert isinstance(identified, Identified)
    assert identified.status_payload == STATUS
    assert (identified.identity.boot, identified.identity.serial) == (BOOT, "SIM-7")
    assert (identified.identity.oldest_event, identified.identity.next_event) == (3, 5)
    assert missed == EventsMissed(1, 2)
    assert said(host) == [(FrameKind.HELLO, 0), (FrameKind.HEARTBEAT, 1)]


def test_another_major_is_refused_and_both_versions_are_named_whatever_follows_them() -> None:
    host = new_host()
    host.receive_data(peer.frame(FrameKind.IDENTITY, 0, bytes((2, 3)) + b"?" * 40), 0.1)
    assert only_down(host.events()) == LinkDown(LinkDownReason.VERSION, "host 1.0, device 2.3")


def test_a_device_that_knows_fewer_events_than_we_hold_of_its_boot_is_refused() -> None:
    host = new_host(committed=(BOOT, 5))
    host.receive_data(peer.identity(oldest=5, upcoming=5), 0.1)
    assert only_down(host.events()).reason is LinkDownReason.BOOT_NUMBER_REUSED
    host = new_host(committed=(BOOT + 1, 5))
    host.receive_data(peer.identity(oldest=5, upcoming=5), 0.1)
    assert host.is_identified


def test_an_identity_that_is_not_printable_is_rejected() -> None:
    host = new_host()
    host.receive_data(peer.identity(serial="SIM\x1b7"), 0.1)
    assert host.events() == [FrameRejected(RejectReason.OUT_OF_BOUNDS)]
    assert not host.is_identified


def test_what_overtakes_identity_is_not_believed() -> None:
    host = new_host()
    host.receive_data(peer.event(1) + peer.answer(0) + peer.reply(1) + peer.frame(FrameKind.NO_SESSION), 0.1)
    assert host.events() == []
    assert host.stats.out_of_order == 4


# ---- alive ----


def test_heartbeats_every_half_second_and_silence_after_two() -> None:
    host = identified_host()
    assert run(host, 1.9) == [(t / 2, FrameKind.HEARTBEAT, t + 1) for t in (1, 2, 3)]
    host.handle_timeout(1.999)
    assert not host.is_down
    host.handle_timeout(2.0)
    assert only_down(host.events()) == LinkDown(LinkDownReason.SILENT, "last good frame 2.0 s ago")
    assert host.next_timeout_s() is None


@pytest.mark.parametrize(
    "sign", [peer.reply(1), peer.event(1), peer.answer(1), peer.identity()], ids=["reply", "event", "answer", "id"]
)
def test_any_frame_of_the_session_is_a_sign_of_life(sign: bytes) -> None:
    host = identified_host()
    host.receive_data(sign, 1.5)
    run(host, 3.4)
    assert not host.is_down
    run(host, 3.6)
    assert host.is_down


@pytest.mark.parametrize(
    "other",
    [
        peer.reply(1, opening=OPENING - 1),
        peer.reply(1, boot=BOOT - 1),
        peer.event(1, opening=OPENING - 1),
        peer.event(1, boot=BOOT - 1),
        peer.answer(1, opening=OPENING - 1),
        peer.answer(1, boot=BOOT - 1),
        peer.identity(opening=OPENING - 1),
        peer.frame(FrameKind.NO_SESSION, opening=OPENING - 1, boot=BOOT + 1),
    ],
    ids=lambda frame: frame.hex()[:30],
)
def test_nothing_of_another_session_is_believed(other: bytes) -> None:
    host = identified_host()
    host.send_command(b"do", 0.0)
    host.receive_data(other, 1.5)
    assert host.events() == [FrameRejected(RejectReason.WRONG_SESSION)]
    assert host.command_outstanding
    run(host, 2.0)
    assert host.is_down, "it was no sign of life either"


def test_a_reply_measures_the_round_trip_and_tells_the_status() -> None:
    host = identified_host()
    host.receive_data(peer.reply(1, newest=4), 0.08)
    assert host.events() == [StatusHeard(STATUS, 4)]
    assert host.stats.rtt_s == pytest.approx(0.08)
    run(host, 0.5)
    host.receive_data(peer.reply(2), 0.5)
    assert host.stats.rtt_s == pytest.approx(0.07)
    host.events()
    host.receive_data(peer.reply(1) + peer.reply(2) + peer.reply(9), 0.6)
    assert host.events() == [], "old, told already, never asked"


def test_a_late_reply_measures_nothing() -> None:
    host = identified_host()
    run(host, 0.5)
    host.receive_data(peer.reply(1), 0.9)
    assert host.events() == [StatusHeard(STATUS)]
    assert host.stats.rtt_s is None, "it answers the first heartbeat, and the second has gone"


# ---- restarts of the device ----


@pytest.mark.parametrize(
    "told", [peer.frame(FrameKind.NO_SESSION, boot=8), peer.identity(boot=8)], ids=["no-session", "identity"]
)
def test_a_reboot_ends_the_link_and_leaves_the_command_unknown(told: bytes) -> None:
    host = identified_host()
    number = host.send_command(b"do", 0.1)
    host.receive_data(told, 0.2)
    assert only_down(host.events()) == LinkDown(LinkDownReason.REBOOTED, "boot 7, now 8", number)


def test_a_dead_link_takes_back_what_it_had_not_said_yet() -> None:
    host = identified_host()
    host.send_command(b"do", 0.1)
    host.receive_data(peer.frame(FrameKind.NO_SESSION, boot=8), 0.2)
    assert host.data_to_send() == b""


def test_a_session_taken_over_ends_the_link() -> None:
    host = identified_host()
    host.receive_data(peer.frame(FrameKind.NO_SESSION), 0.2)
    assert only_down(host.events()).reason is LinkDownReason.SESSION_LOST


def test_a_session_that_is_denied_with_more_in_it_goes_on() -> None:
    host = identified_host()
    host.receive_data(peer.frame(FrameKind.NO_SESSION, 0, b"\1"), 0.2)
    assert host.events() == [FrameRejected(RejectReason.BAD_LENGTH)]


def test_a_link_that_is_down_stays_down() -> None:
    host = identified_host()
    host.receive_data(peer.frame(FrameKind.NO_SESSION, boot=8) + peer.event(1) + peer.identity(), 0.2)
    only_down(host.events())
    host.receive_data(peer.identity() + peer.event(1), 0.3)
    host.acknowledge(1)
    host.handle_timeout(100.0)
    assert host.events() == []
    assert host.data_to_send() == b""
    assert host.next_timeout_s() is None
    with pytest.raises(LinkBusy):
        host.send_command(b"do", 0.3)


# ---- commands ----


def test_one_command_at_a_time_and_none_before_identity() -> None:
    with pytest.raises(LinkBusy):
        new_host().send_command(b"do", 0.0)
    host = identified_host()
    assert host.send_command(b"do", 0.0) == 1
    with pytest.raises(LinkBusy):
        host.send_command(b"do", 0.0)
    host.receive_data(peer.answer(1, 3), 0.04)
    assert host.events() == [CommandAnswered(1, 3, STATUS, 0)]
    assert host.stats.rtt_s == pytest.approx(0.04)
    assert host.send_command(b"do", 0.1) == 2
    host.receive_data(peer.answer(1), 0.2)
    assert host.events() == [], "the late copy answers nothing"
    assert host.command_outstanding


def test_a_command_is_said_ten_times_and_then_its_outcome_is_unknown() -> None:
    host = identified_host()
    host.send_command(b"do", 0.0)
    times = [0.0] if said(host) == [(FrameKind.COMMAND, 1)] else []
    while (due_s := host.next_timeout_s()) is not None:
        host.handle_timeout(due_s)
        frames = said(host)
        times += [due_s] * ((FrameKind.COMMAND, 1) in frames)
        if (FrameKind.HEARTBEAT, 1 + int(due_s / 0.5)) in frames:
            host.receive_data(peer.reply(1 + int(due_s / 0.5)), due_s)
    assert times == pytest.approx([0.0, 0.1, 0.3, 0.7, 1.1, 1.5, 1.9, 2.3, 2.7, 3.1])
    down = host.events()[-1]
    assert down == LinkDown(LinkDownReason.COMMAND_UNANSWERED, "command 1, 10 tries", 1)
    assert host.stats.retransmissions == 9


def test_the_round_trip_of_a_repeated_command_proves_nothing() -> None:
    host = identified_host()
    host.send_command(b"do", 0.0)
    host.handle_timeout(0.1)
    host.receive_data(peer.answer(1), 0.11)
    assert host.stats.rtt_s is None


# ---- events ----


def test_events_are_taken_in_order_once() -> None:
    host = identified_host()
    host.receive_data(peer.event(2) + peer.event(1) + peer.event(1) + peer.event(3) + peer.event(2), 0.1)
    assert host.events() == [EventTaken(1, b"event 1"), EventTaken(2, b"event 2")]
    assert (host.stats.out_of_order, host.stats.duplicates) == (2, 1)
    assert said(host) == [], "nothing is durable"


def test_an_acknowledgement_says_what_is_durable_and_no_more() -> None:
    host = identified_host()
    host.receive_data(peer.event(1) + peer.event(2) + peer.event(3), 0.1)
    host.acknowledge(1)
    host.acknowledge(2)
    assert said(host) == [(FrameKind.ACK, 2)]
    host.acknowledge(1)
    assert said(host) == []
    with pytest.raises(ValueError, match="event 4 was not taken yet"):
        host.acknowledge(4)
    host.receive_data(peer.event(3), 0.2)
    assert said(host) == [], "taken, not committed: silence"
    host.receive_data(peer.event(1) + peer.event(2), 0.3)
    assert said(host) == [(FrameKind.ACK, 2)], "once for both"


def test_what_an_earlier_connection_committed_is_not_taken_again() -> None:
    host = identified_host(committed=(BOOT, 2), upcoming=4)
    host.receive_data(peer.event(2) + peer.event(3), 0.1)
    assert host.events() == [EventTaken(3, b"event 3")]
    assert said(host) == [(FrameKind.ACK, 2)]
    rebooted = identified_host(committed=(BOOT - 1, 2), upcoming=4)
    rebooted.receive_data(peer.event(1), 0.1)
    assert rebooted.events() == [EventTaken(1, b"event 1")]


def test_heartbeats_say_when_events_are_not_durable_yet() -> None:
    host = identified_host()

    def flag(now_s: float) -> bool:
        host.handle_timeout(now_s)
        [(_, payload)] = peer.read(host.data_to_send(), from_device=False)
        return HEARTBEAT_LAYOUT.decode(payload).not_yet_durable

    assert flag(0.5) is False
    host.receive_data(peer.event(1), 0.6)
    assert flag(1.0) is True
    host.acknowledge(1)
    assert said(host) == [(FrameKind.ACK, 1)]
    assert flag(1.5) is False


def test_lost_events_are_told_once_and_the_rest_is_taken() -> None:
    host = identified_host()
    host.receive_data(peer.event(1) + peer.event(9, oldest=5) + peer.event(5, oldest=5), 0.1)
    assert host.events() == [EventTaken(1, b"event 1"), EventsMissed(2, 4), EventTaken(5, b"event 5")]
    host.receive_data(peer.event(6, oldest=5), 0.2)
    assert host.events() == [EventTaken(6, b"event 6")]
    host.receive_data(peer.event(3, oldest=5), 0.2)
    assert host.events() == [FrameRejected(RejectReason.OUT_OF_BOUNDS)]


def test_no_more_than_64_events_wait_for_their_commit() -> None:
    host = identified_host()
    host.receive_data(b"".join(peer.event(number) for number in range(1, 100)), 0.1)
    assert len(host.events()) == 64
    host.acknowledge(64)
    host.receive_data(peer.event(65), 0.2)
    assert host.events() == [EventTaken(65, b"event 65")]


# ---- noise ----


def test_rejected_bytes_are_counted_by_reason_and_told_once_before_all_else() -> None:
    host = identified_host()
    noise = b"\x07abc\0" * 3 + peer.heartbeat() + peer.frame(FrameKind.EVENT, 1, b"??") + b"\x55" * 300
    host.receive_data(noise + peer.frame(FrameKind.NO_SESSION, boot=8), 0.1)
    host.receive_data(noise, 0.1)
    told = [
        FrameRejected(RejectReason.BAD_COBS, 3),
        FrameRejected(RejectReason.WRONG_DIRECTION),
        FrameRejected(RejectReason.BAD_LENGTH),
        FrameRejected(RejectReason.OVERSIZE),
    ]
    *rejected, down = host.events()
    assert rejected == told
    assert isinstance(down, LinkDown)
    assert host.stats.rejected[RejectReason.BAD_COBS] == 3
    assert host.stats.bytes_dropped >= 312


NOISE_BYTES = 10_000_000 if IS_NIGHT else 2_500_000


@pytest.mark.slow
def test_megabytes_of_noise_leave_the_link_as_it_was() -> None:
    rng = Random(6)  # noqa: S311 (noise, the same in each run)
    noise = rng.randbytes(1 << 16) + bytes((1, 0)) * (1 << 11)
    host = identified_host()
    tracemalloc.start()
    for turn in range(NOISE_BYTES // len(noise)):
        host.receive_data(noise, 0.01)
        host.receive_data(peer.reply(turn + 1), 0.01)
        host.handle_timeout(0.01)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
    assert not host.is_down
    assert len(host.events()) < 20


def test_a_port_that_takes_nothing_costs_no_memory() -> None:
    host = identified_host()
    for second in range(1000):
        host.receive_data(peer.reply(2 * second + 1), second)
        host.handle_timeout(float(second))
        host.handle_timeout(second + 0.5)
    assert len(host.data_to_send()) <= UNSENT_MAX
    assert host.stats.frames_not_sent > 1000
