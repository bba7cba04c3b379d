"""The shuffler in any order of hands, host and time: cards conserved, and the same cards for any timing."""

from collections import Counter

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from table_of_one import Table

from firmware_protocols.tdp.shuffler import CardIn, CardOut
from simulators.devices.cards import PhysicalCard, make_cards, numbers
from simulators.devices.faults import AnyFault, Hang, Jam, LidSprings, Reboot, Retry, Spot
from simulators.devices.firmware import Power
from simulators.devices.shuffler_firmware import FAST_PACE, REAL_PACE, ShufflerPace
from tests.night import examples

# ---- the same seed gives the same cards, whatever the timing

SLOW_PACE = ShufflerPace(feed_s=0.3, present_s=1.7, unload_s=0.11, retry_s=2.0, recount_s=5.0)


class Interruptions:
    """Interruptions between two operations, such as a pulled cable, that must not change the drawn cards."""

    def __init__(self, table: Table, kinds: list[str]) -> None:
        self.table = table
        self.kinds = kinds

    def next(self) -> None:
        kind = self.kinds.pop() if self.kinds else "nothing"
        match kind:
            case "wait":
                self.table.host.run(7.3)
            case "cable out":
                self.table.host.cable_in = False
                self.table.host.run(2.9)
                self.table.host.cable_in = True
            case "host restarts":
                self.table.host.connect()
            case "device reboots":
                self.table.shuffler.reboot(self.table.now_s, off_s=0.1)
            case "device hangs":
                self.table.shuffler.hang(self.table.now_s, for_s=0.7)
            case _:
                pass

    def settle(self) -> None:
        """Waits until host and device are in a session again."""
        self.table.host.run(3.0)
        if self.table.host.down is not None:
            self.table.host.connect()
        assert self.table.host.down is None


def feed(table: Table, interruptions: Interruptions, cards: list[PhysicalCard]) -> None:
    table.shuffler.put_cards_in_hopper(cards, table.now_s)
    for _ in range(200):
        if not table.shuffler.status.hopper_loaded:
            return
        interruptions.settle()
        table.order(feed_open=True)
        table.host.run(0.37)
        interruptions.next()
    raise AssertionError("the hopper is never empty")


def draw(table: Table, interruptions: Interruptions, count: int) -> list[PhysicalCard]:
    drawn: list[PhysicalCard] = []
    for _ in range(200):
        if len(drawn) == count:
            return drawn
        interruptions.settle()
        table.order(release_until=table.shuffler.status.cards_out + count - len(drawn))
        table.host.run(0.02)
        interruptions.next()
        table.host.run(2.0)
        drawn.extend(table.pull())
    raise AssertionError("the mouth gives nothing")


def play(pace: ShufflerPace, kinds: list[str]) -> tuple[int, ...]:
    """Loads a deck, draws ten cards, puts them back, draws ten more; returns the numbers of all drawn cards."""
    table = Table(Retry(at=7, spot=Spot.FEED), Retry(at=4, spot=Spot.MOUTH), seed=11, pace=pace)
    interruptions = Interruptions(table, list(kinds))
    feed(table, interruptions, list(make_cards(1)))
    first = draw(table, interruptions, 10)
    feed(table, interruptions, first)
    return numbers(first + draw(table, interruptions, 10))


KINDS = ["nothing", "wait", "cable out", "host restarts", "device reboots", "device hangs"]
UNDISTURBED = play(FAST_PACE, [])


@given(pace=st.sampled_from([FAST_PACE, REAL_PACE, SLOW_PACE]), kinds=st.lists(st.sampled_from(KINDS), max_size=30))
@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.too_slow])
def test_the_same_seed_gives_the_same_cards_whatever_the_timing(pace: ShufflerPace, kinds: list[str]) -> None:
    assert play(pace, kinds) == UNDISTURBED


# ---- conservation

FAULTS = (
    st.builds(Jam, at=st.integers(1, 60), spot=st.sampled_from(Spot), cards=st.integers(1, 4))
    | st.builds(Retry, at=st.integers(1, 60), spot=st.sampled_from([Spot.FEED, Spot.MOUTH]))
    | st.builds(LidSprings, at=st.integers(1, 60))
    | st.builds(Reboot, at=st.integers(1, 60), off_s=st.just(0.3))
    | st.builds(Hang, at=st.integers(1, 60), for_s=st.just(0.4))
)


ALL_CARDS = make_cards(1)


class AnyOrder(RuleBasedStateMachine):
    """Hands, host, cable, power and faults in any order. Every card is in one place, and all counts are true."""

    @initialize(faults=st.lists(FAULTS, max_size=5), loaded=st.booleans())
    def begin(self, *, faults: list[AnyFault], loaded: bool) -> None:
        self.table = Table(*faults)
        self.host = self.table.host
        self.shuffler = self.table.shuffler
        self.hand = list(ALL_CARDS)
        if loaded:
            self.feed(52)

    @rule(count=st.integers(1, 52))
    def put_in_hopper(self, count: int) -> None:
        self.shuffler.put_cards_in_hopper(self.hand[:count], self.host.now_s)
        del self.hand[:count]

    @rule(count=st.integers(1, 52))
    def feed(self, count: int) -> None:
        self.put_in_hopper(count)
        self.order(feed=True, unload=False, release=0, ended=-1)
        self.host.run(2.0)

    @rule()
    def mend(self) -> None:
        self.host.run(3.0)
        if self.host.down is not None:
            self.host.connect()
        self.move_lid(lid_open=True)
        self.take_jammed()
        self.move_lid(lid_open=False)
        self.order(feed=False, unload=False, release=0, ended=0)
        assert not self.shuffler.status.jammed

    @rule(feed=st.booleans(), unload=st.booleans(), release=st.integers(-2, 9), ended=st.integers(-1, 1))
    def order(self, *, feed: bool, unload: bool, release: int, ended: int) -> None:
        status = self.shuffler.status
        self.host.wish(
            self.table.orders(
                feed_open=feed,
                unload=unload,
                release_until=(status.cards_out + release) % 2**32,
                jams_ended=(status.jams + ended) % 2**16,
            )
        )

    @rule(for_s=st.sampled_from([0.01, 0.2, 1.0]))
    def wait(self, for_s: float) -> None:
        self.host.run(for_s)

    @rule(kind=st.sampled_from(["cable", "host", "power"]), for_s=st.sampled_from([0.01, 0.3, 2.5]))
    def disturb(self, kind: str, for_s: float) -> None:
        self.host.cable_in = kind != "cable"
        if kind == "power":
            self.shuffler.reboot(self.host.now_s, off_s=0.2)
        self.host.run(for_s)
        self.host.cable_in = True
        if kind == "host" or self.host.down is not None:
            self.host.connect()

    @rule(count=st.integers(1, 5))
    def draw(self, count: int) -> None:
        self.order(feed=False, unload=False, release=count, ended=-1)
        self.pull(count)

    @rule(times=st.integers(1, 5))
    def pull(self, times: int) -> None:
        for _ in range(times):
            self.host.run(0.05)
            before = self.shuffler.status
            cards = self.table.pull()
            self.hand.extend(cards)
            assert not cards or before.mouth_open
            assert not (before.jammed or before.lid_open or before.host_silent) or not cards

    @rule(lid_open=st.booleans())
    def move_lid(self, *, lid_open: bool) -> None:
        (self.shuffler.open_lid if lid_open else self.shuffler.close_lid)(self.host.now_s)

    @rule()
    def take_what_lies_about(self) -> None:
        now_s = self.host.now_s
        for cards in (self.shuffler.take_from_tray(now_s), self.shuffler.take_from_hopper(now_s)):
            self.hand.extend(cards)

    @rule()
    def take_jammed(self) -> None:
        self.hand.extend(self.shuffler.take_jammed(self.host.now_s))

    @rule(count=st.integers(1, 9))
    def put_inside(self, count: int) -> None:
        left = self.shuffler.put_inside_by_lid(self.hand[:count], self.host.now_s)
        self.hand[:count] = left

    @rule()
    def take_inside(self) -> None:
        self.hand.extend(self.shuffler.take_all_inside(self.host.now_s))

    @invariant()
    def every_card_is_in_one_place(self) -> None:
        places = self.shuffler.machine.cards_by_place().values()
        everywhere = Counter(card for cards in places for card in cards) + Counter(self.hand)
        assert everywhere == Counter(ALL_CARDS)

    @invariant()
    def it_is_locked_whenever_it_must_be(self) -> None:
        status = self.shuffler.status
        # A firmware that hangs has not yet noticed an opened lid.
        is_awake = self.shuffler.power is Power.ON
        if is_awake and (status.jammed or status.lid_open or status.host_silent):
            assert not any((status.mouth_open, status.feed_open, status.unloading))
        assert status.lamp_lit or not status.jammed
        assert status.jammed or not status.path_blocked

    @invariant()
    def what_was_told_is_never_more_than_what_was_counted(self) -> None:
        status = self.shuffler.status
        assert len(self.host.of_kind(CardIn)) <= status.cards_in
        assert len(self.host.of_kind(CardOut)) <= status.cards_out == len(self.table.passed)


AnyOrder.TestCase.settings = settings(max_examples=examples(40), stateful_step_count=40)
TestAnyOrder = pytest.mark.slow(AnyOrder.TestCase)
