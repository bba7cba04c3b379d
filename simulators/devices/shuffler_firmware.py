"""The simulated shuffler's firmware: takes orders, makes timed motions and reports events. Hands are in shuffler.py."""

from collections.abc import Callable
from enum import Enum, auto
from random import Random
from typing import Final, assert_never

from msgspec import Struct

from firmware_protocols.tdp.common import Query, StartCause
from firmware_protocols.tdp.shuffler import (
    INSIDE_UNKNOWN,
    SHUFFLER,
    CardIn,
    CardOut,
    CardRetried,
    JamEnded,
    Jammed,
    LidClosed,
    LidOpened,
    PathCleared,
    Recounted,
    ShufflerApply,
    ShufflerCommand,
    ShufflerEvent,
    ShufflerResult,
    ShufflerStarted,
    ShufflerStatus,
)
from firmware_protocols.tdp.shuffler import Place as WirePlace
from simulators.devices.cards import PhysicalCard
from simulators.devices.faults import NO_FAULTS, FaultPlan, LidSprings, Spot
from simulators.devices.firmware import TdpFirmware
from simulators.devices.shuffler_memory import ShufflerMemory, ShufflerOrders, moves_cards
from simulators.devices.shuffler_model import Freed, Motion, Passed, ShufflerMechanism, Stuck

WIRE_PLACES: Final = {
    Spot.FEED: WirePlace.FEED,
    Spot.CAROUSEL: WirePlace.CAROUSEL,
    Spot.MOUTH: WirePlace.MOUTH,
}


class Work(Enum):
    """The kinds of work of the carousel, which does one at a time.

    FEED comes before PRESENT. This makes the cards independent of timing: no card leaves between two cards of the same
    packet, even if the host opens the mouth before the feed.
    """

    RECOUNT = auto()
    UNLOAD = auto()
    FEED = auto()
    PRESENT = auto()


class ShufflerPace(Struct, frozen=True):
    """The durations of a shuffler's work in seconds: to feed, present or unload one card, to try once to free a card,
    and to recount all cards.

    The pace never influences which cards come.
    """

    feed_s: float
    present_s: float
    unload_s: float
    retry_s: float
    recount_s: float

    def of(self, work: Work) -> float:
        """Returns the seconds for one motion of this kind of work."""
        match work:
            case Work.FEED:
                return self.feed_s
            case Work.UNLOAD:
                return self.unload_s
            case Work.RECOUNT:
                return self.recount_s
            case Work.PRESENT:
                return self.present_s
            case _:
                assert_never(work)


# A packet of 156 cards takes 13 s at the pace of a real machine and 3 s at the fast one.
REAL_PACE: Final = ShufflerPace(feed_s=1 / 12, present_s=0.15, unload_s=1 / 12, retry_s=0.4, recount_s=3.0)
FAST_PACE: Final = ShufflerPace(feed_s=0.02, present_s=0.01, unload_s=0.02, retry_s=0.05, recount_s=0.2)


class ShufflerFirmware(TdpFirmware[ShufflerStatus, ShufflerCommand, ShufflerEvent]):
    """The firmware of a simulated shuffler and the mechanism that it moves (`machine`), without hands."""

    def __init__(
        self,
        *,
        rng: Random,
        now_s: float,
        serial: str = "SIM-SHUFFLER",
        boot: int = 1,
        faults: FaultPlan = NO_FAULTS,
        pace: ShufflerPace = REAL_PACE,
        on_card_passed: Callable[[PhysicalCard, float], None] | None = None,
    ) -> None:
        """`on_card_passed` is called with each card that leaves the machine into a hand or the tray, so that a reader
        at the mouth sees the card.
        """
        super().__init__(SHUFFLER, now_s=now_s, serial=serial, boot=boot, faults=faults)
        self.machine = ShufflerMechanism(rng, self._faults)  # the parts that hands and eyes can reach
        self._pace = pace
        self._on_card_passed = on_card_passed
        self._memory = ShufflerMemory()
        self._orders = ShufflerOrders()
        self._work: Work | None = None
        self._due_s = 0.0
        self._presented = False  # a card stands in the open mouth
        self._seen_lid_open = False
        self._seen_blocked = False
        self._begin(now_s)

    # ---- what it says

    def _status(self) -> ShufflerStatus:
        memory, orders, machine = self._memory, self._orders, self.machine
        return ShufflerStatus(
            cards_in=memory.cards_in,
            cards_out=memory.cards_out,
            inside=INSIDE_UNKNOWN if memory.inside is None else max(0, memory.inside),
            release_until=orders.release_until,
            jams=memory.jams,
            recounts=memory.recounts,
            feed_open=orders.feed_open,
            mouth_open=self._presented and memory.owed(orders.release_until) > 0,
            unloading=orders.unload,
            jammed=memory.jammed,
            lid_open=machine.lid_open,
            lamp_lit=memory.lamp or memory.jammed,
            host_silent=self._link.must_lock,
            counts_unknown=memory.counts_unknown,
            hopper_loaded=bool(machine.hopper),
            path_blocked=machine.path_blocked,
        )

    def _started(self, cause: StartCause) -> ShufflerEvent:
        return ShufflerStarted(cause)

    # ---- what it obeys

    def _obey(self, command: ShufflerCommand, now_s: float) -> ShufflerResult:
        match command:
            case ShufflerApply() if self.disobeys:
                return ShufflerResult.OK
            case ShufflerApply():
                return self._apply(command, now_s)
            case Query():
                return ShufflerResult.OK
            case _:
                assert_never(command)

    def _apply(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult:
        self._memory.lamp = wanted.lamp
        refusal = self._end_jam(wanted, now_s) or self._refusal_to_move(wanted)
        if refusal:
            self._orders.take_what_locks(wanted, self._memory)
            return refusal
        self._orders.take(wanted, self._memory)
        return ShufflerResult.OK

    def _end_jam(self, wanted: ShufflerApply, now_s: float) -> ShufflerResult | None:
        if not self._memory.is_ended(wanted.jams_ended):
            return None
        if self.machine.path_blocked:
            return ShufflerResult.REFUSED_PATH_BLOCKED
        if self.machine.lid_open:
            return ShufflerResult.REFUSED_LID_OPEN
        self._memory.jammed = False
        self._post(JamEnded(), now_s)
        return None

    def _refusal_to_move(self, wanted: ShufflerApply) -> ShufflerResult | None:
        if not moves_cards(wanted, self._memory):
            return None
        if self._memory.jammed:
            return ShufflerResult.REFUSED_JAMMED
        if self.machine.lid_open:
            return ShufflerResult.REFUSED_LID_OPEN
        if self._link.must_lock:
            return ShufflerResult.REFUSED_HOST_SILENT
        if self._memory.counts_unknown and self._memory.owed(wanted.release_until) > 0:
            return ShufflerResult.REFUSED_COUNTS_UNKNOWN
        return None

    def _lock_down(self) -> None:
        self._orders.lock(self._memory)

    def _power_lost(self) -> None:
        self._orders = ShufflerOrders(release_until=self._memory.cards_out)
        self._work = None
        self._presented = False

    def _forget_counts(self) -> None:
        self._memory.forget_counts()
        self._lock_down()

    def _lower_counts(self, by: int) -> None:
        self._memory.lower_counts(by)
        self._lock_down()

    def tell_retries(self, count: int, now_s: float) -> None:
        """Falsely reports `count` times that the device has freed a stuck card by itself, like a fluttering sensor."""
        for _ in range(count):
            self._post(CardRetried(WirePlace.FEED, 1), now_s)
        self._settle(now_s)

    def _begin(self, now_s: float) -> None:
        self._seen_lid_open = self.machine.lid_open
        self._seen_blocked = self.machine.path_blocked
        super()._begin(now_s)

    # ---- what it does, each thing in its time

    def next_motion_s(self) -> float | None:
        return self._due_s if self._work and not self._presented else None

    def _update(self, now_s: float) -> None:
        self._look_at_sensors(now_s)
        work = self._next_work()
        if work is not self._work:
            self._work = work
            self._presented = False
            self._due_s = now_s + (self._pace.of(work) if work else 0.0)

    def _next_work(self) -> Work | None:
        """Returns the next work that the host's orders demand; None if they demand none. A device that has locked
        itself has no orders.
        """
        orders, machine = self._orders, self.machine
        if orders.recount_request is not None:
            return Work.RECOUNT
        if orders.unload:
            return Work.UNLOAD if machine.can_deal else None
        if orders.feed_open and machine.can_feed:
            return Work.FEED
        is_owed = self._memory.owed(orders.release_until) > 0
        return Work.PRESENT if is_owed and machine.can_deal else None

    def _move(self, now_s: float) -> None:
        if self._work is None or self._presented or now_s < self._due_s:
            return
        match self._work:
            case Work.FEED:
                self._finish(Work.FEED, self.machine.feed(), now_s)
            case Work.UNLOAD:
                self._finish(Work.UNLOAD, self.machine.expel(), now_s)
            case Work.RECOUNT:
                self._recount(now_s)
            case Work.PRESENT:
                self._presented = True
            case _:
                assert_never(self._work)

    def _finish(self, work: Work, motion: Motion | None, now_s: float) -> None:
        """Reports the result of a motion, and applies the planned faults that are due after it."""
        self._work = None
        self._presented = False
        match motion:
            case Passed():
                self._count(work, motion, now_s)
                self._meet_faults_after_operation(now_s)
            case Freed():
                self._post(CardRetried(WIRE_PLACES[motion.spot], motion.tries), now_s)
                self._work = work
                self._due_s = now_s + motion.tries * self._pace.retry_s
            case Stuck():
                self._jam(motion, now_s)
            case None:
                pass
            case _:
                assert_never(motion)

    def _count(self, work: Work, motion: Passed, now_s: float) -> None:
        for _ in range(motion.counted):
            if work is Work.FEED:
                self._memory.count_in()
                self._post(CardIn(), now_s)
            else:
                self._memory.count_out()
                self._post(CardOut(), now_s)
        if work is not Work.FEED and self._on_card_passed is not None:
            for card in motion.cards:
                self._on_card_passed(card, now_s)
        if motion.stuck:
            self._jam(motion.stuck, now_s)

    def _jam(self, stuck: Stuck, now_s: float) -> None:
        """Stops all work after a jam and reports it; the lamp stays lit until people end the jam."""
        self._memory.jam()
        self._seen_blocked = True
        self._lock_down()
        self._post(Jammed(WIRE_PLACES[stuck.spot], stuck.cards), now_s)

    def _recount(self, now_s: float) -> None:
        request, self._orders.recount_request = self._orders.recount_request, None
        if request is not None:
            self._memory.recounted(request, self.machine.inside)
            self._post(Recounted(request, self.machine.inside), now_s)

    def _look_at_sensors(self, now_s: float) -> None:
        """Reports each change since the last call: the lid was opened or closed, or the path was cleared."""
        if self.machine.lid_open and not self._seen_lid_open:
            self._lock_down()
            self._post(LidOpened(), now_s)
        elif self._seen_lid_open and not self.machine.lid_open:
            self._post(LidClosed(), now_s)
        if self._seen_blocked and not self.machine.path_blocked:
            self._post(PathCleared(), now_s)
        self._seen_lid_open = self.machine.lid_open
        self._seen_blocked = self.machine.path_blocked

    def _meet_faults_after_operation(self, now_s: float) -> None:
        if self._faults.take(LidSprings, self.machine.operations):
            self.machine.lid_open = True
            self._look_at_sensors(now_s)
        self._meet_power_faults(self.machine.operations, now_s)
