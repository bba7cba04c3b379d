"""A paired host and device with an attacker on the cable, who records, replays, swaps, relays, reorders and forges.

The attack changes nothing of this: the host accepts only events of the device, the device executes only commands of the
host, each once, and after the attack all reports arrive.
"""

from random import Random

import pytest
from faulty_world import PERFECT, Fate, FaultyWorld, seeded_fate
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from test_bad_lines import FATES

from firmware_protocols.framing import TAG_BYTES, decode_signed, encode_frame
from firmware_protocols.tdp.link import EVENTS_KEPT, HEADER, SILENT_AFTER_S, FrameKind
from firmware_protocols.tdp.link_rows import EVENT_LAYOUT, EventBody
from firmware_protocols.tdp.proof import tag_of
from tests.night import examples

KEY, OTHER = bytes(range(32)), bytes(range(50, 82))


def with_another_tag(data: bytes, by: int) -> bytes:
    """The write's frames with a number changed in their headers and their old tags."""
    changed = b""
    for piece in data.split(b"\0"):
        signed = decode_signed(piece) if piece else b""
        if isinstance(signed, bytes) and signed:
            number = (int.from_bytes(signed[9:13], "little") + by) % 2**32
            body = signed[:9] + number.to_bytes(4, "little") + signed[13:-TAG_BYTES]
            changed += b"\0" + encode_frame(body, signed[-TAG_BYTES:])
    return changed


def attack(rng: Random, world: FaultyWorld, twin: FaultyWorld) -> None:
    """Makes one random attack, by a person who has recorded this cable's frames and another table's."""
    if rng.random() < 0.3:
        made_up(rng, world)
        return
    heard = twin.heard if rng.random() < 0.25 else world.heard
    if not heard:
        return
    recent = heard[-40:] if rng.random() < 0.7 else heard
    data = b"".join(rng.choice(recent) for _ in range(rng.randint(1, 4)))
    if rng.random() < 0.15:
        data = with_another_tag(data, rng.choice([1, -1, 2]))
    world.inject(data, to_device=rng.random() < 0.5, after_s=rng.choice([0.0, 0.001, 0.4, 2.5, 30.0]))


def made_up(rng: Random, world: FaultyWorld) -> None:
    """A forged frame with the right next header, which an attacker reads in clear, and the attacker's content."""
    tag = rng.choice([bytes(TAG_BYTES), rng.randbytes(TAG_BYTES), tag_of(OTHER, b"?")])
    opening, boot = (world.starts << 12) + world.connections, world.boot
    to_device = rng.random() < 0.5
    if to_device:
        kind, number, payload = FrameKind.COMMAND, world.host._commands + 1, rng.randbytes(4)
    else:
        kind, number = FrameKind.EVENT, world.host.inbox.taken + 1
        payload = EVENT_LAYOUT.encode(EventBody(number)) + rng.randbytes(8)
    frame = encode_frame(HEADER.pack(kind, opening, boot, number) + payload, tag)
    world.inject(b"\0" + frame, to_device=to_device)


@pytest.mark.parametrize("badness", [0.0, 0.2])
@pytest.mark.parametrize("seed", range(25))
def test_nothing_is_taken_that_was_not_said(seed: int, badness: float) -> None:
    rng = Random(seed)  # noqa: S311 (the same attacks in each run)
    world = FaultyWorld(lambda: seeded_fate(rng, badness), lambda: rng.choice([0.0, 0.01, 0.3]), KEY)
    twin = FaultyWorld(lambda: PERFECT, lambda: 0.0, OTHER)
    for _ in range(120):
        match rng.randrange(20):
            case 0:
                world.reboot_device()
            case 1:
                world.crash_host()
            case turn if turn < 8:
                for one in (world, twin):
                    one.post_event()
            case turn if turn < 13:
                world.send_command()
                twin.send_command()
            case _:
                attack(rng, world, twin)
        twin.run_until(world.now_s)
        world.run_until(world.now_s + rng.choice([0.0, 0.01, 0.2, 1.0, 3.0]))
    world.heal(60.0)
    world.check_all_events_came()
    assert world.book.answered, "the run showed nothing"


class AttackedLine(RuleBasedStateMachine):
    """Hypothesis chooses the attacks; the world's own record shows any forbidden event or command."""

    @initialize()
    def begin(self) -> None:
        self.fates: list[Fate] = []
        self.world = FaultyWorld(lambda: self.fates.pop() if self.fates else PERFECT, lambda: 0.05, KEY)
        self.twin = FaultyWorld(lambda: PERFECT, lambda: 0.0, OTHER)

    @rule(fates=st.lists(FATES, max_size=4))
    def the_line_turns_bad(self, fates: list[Fate]) -> None:
        self.fates = fates

    @rule(seconds=st.sampled_from([0.0, 0.03, 0.25, 0.6, 2.1, 5.1]))
    def time_passes(self, seconds: float) -> None:
        self.world.run_until(self.world.now_s + seconds)
        self.twin.run_until(self.world.now_s)

    @rule(count=st.integers(1, 6))
    def the_devices_tell(self, count: int) -> None:
        for _ in range(count):
            self.world.post_event()
            self.twin.post_event()

    @rule()
    def the_host_commands(self) -> None:
        self.world.send_command()

    @rule()
    def the_device_reboots(self) -> None:
        self.world.reboot_device()

    @rule()
    def the_host_crashes(self) -> None:
        self.world.crash_host()

    @rule(
        back=st.lists(st.integers(1, 60), min_size=1, max_size=4),
        to_device=st.booleans(),
        after_s=st.sampled_from([0.0, 0.4, 2.5, 20.0]),
        of_twin=st.booleans(),
        changed=st.sampled_from([0, 0, 1, -1]),
    )
    def he_plays_again_what_he_heard(
        self, back: list[int], to_device: bool, after_s: float, of_twin: bool, changed: int
    ) -> None:
        heard = (self.twin if of_twin else self.world).heard
        data = b"".join(heard[-min(place, len(heard))] for place in back)
        data = with_another_tag(data, changed) if changed else data
        self.world.inject(data, to_device=to_device, after_s=after_s)

    @invariant()
    def what_waits_is_bounded(self) -> None:
        assert self.world.device.waiting_events <= EVENTS_KEPT

    def teardown(self) -> None:
        if hasattr(self, "world"):
            self.world.heal(60.0)
            self.world.check_all_events_came()


TestAttackedLine = pytest.mark.slow(AttackedLine.TestCase)
TestAttackedLine.settings = settings(
    max_examples=examples(60), stateful_step_count=30, suppress_health_check=[HealthCheck.too_slow]
)


def test_a_recorder_is_no_living_host() -> None:
    """A recording of all of the host's frames keeps no session alive: the device locks itself after its two seconds."""
    world = FaultyWorld(lambda: PERFECT, lambda: 0.0, KEY)
    world.run_until(world.now_s + 0.5)
    for _ in range(5):
        world.send_command()
        world.run_until(world.now_s + 0.7)
    to_device = [data for data in world.heard if decoded_kind(data) < FrameKind.IDENTITY]
    cut_at_s = world.now_s
    while world.now_s < cut_at_s + 3 * SILENT_AFTER_S:
        for data in to_device:
            world.device.receive_data(data, world.now_s)
        world.now_s += 0.1
        world.device.handle_timeout(world.now_s)
        is_late = world.now_s > cut_at_s + SILENT_AFTER_S
        assert world.device.must_lock or not is_late
    assert world.book.executed.total() == world.book.sent == 5


@pytest.mark.parametrize("between", ["nothing", "another session", "a start"])
def test_a_whole_session_played_again_executes_nothing(between: str) -> None:
    """A whole session, repeated from its HELLO on after the cable was cut, makes the device execute nothing."""
    world = FaultyWorld(lambda: PERFECT, lambda: 0.0, KEY)
    world.run_until(world.now_s + 0.5)
    for _ in range(4):
        world.send_command()
        world.run_until(world.now_s + 0.7)
    to_device = [data for data in world.heard if decoded_kind(data) < FrameKind.IDENTITY]
    if between == "another session":
        world.crash_host()
        world.run_until(world.now_s + 1.0)
    elif between == "a start":
        world.reboot_device()
    world.now_s += 2 * SILENT_AFTER_S
    world.device.handle_timeout(world.now_s)
    for data in to_device:
        world.now_s += 0.1
        world.device.receive_data(data, world.now_s)
        world._device_reacts()
        world.device.data_to_send()
        world.device.handle_timeout(world.now_s)
        assert world.device.must_lock
    assert world.book.executed.total() == world.book.sent == 4


def decoded_kind(data: bytes) -> int:
    signed = decode_signed(next(piece for piece in data.split(b"\0") if piece))
    assert isinstance(signed, bytes)
    return signed[0]


def test_the_other_tables_device_on_this_cable_is_refused() -> None:
    """With their cables exchanged, each of two tables' hosts refuses the other's device by its tags."""
    world, twin = (FaultyWorld(lambda: PERFECT, lambda: 0.0, key) for key in (KEY, OTHER))
    world.device, twin.device = twin.device, world.device
    connections = world.connections
    for one in (world, twin):
        one.run_until(one.now_s + 3.0)
    assert world.connections > connections
    assert not world.host.is_identified
    assert not twin.host.is_identified
    assert not world.device.in_session


DRIP_S = 1.9
MOST_KEPT_BACK = 8


def test_a_cable_that_grows_longer_is_noticed() -> None:
    """Host and device notice an attacker who delivers each of the host's frames unchanged but later and later."""
    world = FaultyWorld(lambda: PERFECT, lambda: 0.0, KEY)
    world.run_until(world.now_s + 1.0)
    host, device, begun_s = world.host, world.device, world.now_s
    kept_back: list[bytes] = []
    down_s, due_s = None, begun_s + DRIP_S
    while not (device.must_lock and down_s) and world.now_s < begun_s + 60.0:
        world.now_s += 0.05
        host.handle_timeout(world.now_s)
        kept_back += [b"\0" + one + b"\0" for one in host.data_to_send().split(b"\0") if one]
        if host.is_down and down_s is None:
            down_s = world.now_s
            assert len(kept_back) <= MOST_KEPT_BACK
        if world.now_s >= due_s and kept_back:
            device.receive_data(kept_back.pop(0), world.now_s)
            due_s = world.now_s + DRIP_S
            device.post_event(b"\1" + bytes(8), world.now_s)
        device.handle_timeout(world.now_s)
        host.receive_data(device.data_to_send(), world.now_s)
    assert down_s is not None
    assert down_s - begun_s <= 2 * SILENT_AFTER_S
    assert world.now_s - down_s <= MOST_KEPT_BACK * SILENT_AFTER_S
