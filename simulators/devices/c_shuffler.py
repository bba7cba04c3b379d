"""The simulated shuffler with the C core as its firmware: mechanism and hands are ours, everything else is its own."""

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar, Final

from firmware_protocols.tdp.shuffler import (
    SHUFFLER,
    CardIn,
    CardOut,
    CardRetried,
    Jammed,
    ShufflerEvent,
    ShufflerStatus,
)
from simulators.c.build import shuffler_program
from simulators.c.firmware import CLink, CProgram, who
from simulators.devices.firmware import Power
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import Work

BITS: Final = {Work.RECOUNT: 1, Work.UNLOAD: 2, Work.FEED: 4, Work.PRESENT: 8}
MOTIONS: Final = frozenset((Work.UNLOAD, Work.FEED, Work.PRESENT))
U32: Final = 2**32
NOT_PASSED, UNPROVEN = 0, 2
POWER_ON: Final = 1


class CShuffler(SimulatedShuffler):
    """What the Python firmware would count, permit and say is asked of the C core."""

    program: ClassVar[Callable[[], CProgram]] = lambda: CProgram(shuffler_program())

    _proof = NOT_PASSED
    _told = 0
    _asked = 0  # of the mechanism, when it was looked at last
    _has_disobeyed = False

    @cached_property
    def _core(self) -> CLink:
        made = CLink(type(self).program())
        made.tell(0.0, "first", self._boot)
        return made

    # ---- what it says

    def _status(self) -> ShufflerStatus:
        return SHUFFLER.decode_status(self._core.last.status)

    def _is_silence_news(self) -> bool:
        return (self._shown_block, self._asked) != (self._core.last.status, self._core.last.work)

    def _post(self, event: ShufflerEvent, now_s: float) -> None:
        if self._power is not Power.ON and not isinstance(event, Jammed):
            return
        self.before_talk()
        self._look_at_sensors(now_s)
        match event:
            case CardIn():
                self._core.tell(now_s, "in")
            case CardOut():
                self._core.tell(now_s, "out")
            case CardRetried():
                self._core.tell(now_s, "retried", event.place.value, event.tries)
            case Jammed():
                self._core.tell(now_s, "jammed", event.place.value, event.cards)
            case _:  # the C core tells of these by itself
                return

    def _begin(self, now_s: float) -> None:
        self._link = self._core
        self._told = self._sensed()
        self._core.data_to_send()  # of the boot before
        if self._core.last.boot >= self._boot:  # it lies
            self._core.tell(now_s, "again")
        self._core.tell(now_s, "who", who(self._identity))
        self._core.tell(now_s, "start", POWER_ON, self._told, self._proof)
        self._proof = NOT_PASSED
        self._has_disobeyed = False
        self._settle(now_s)

    # ---- what it obeys

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self._has_disobeyed is not self.disobeys:
            self._has_disobeyed = self.disobeys
            self._core.tell(now_s, "disobey", int(self.disobeys))
        super().receive_data(data, now_s)

    def _lock_down(self) -> None:
        """Done in the C core already."""

    def _forget_counts(self) -> None:
        """The memory says that a motion was under way, and no sensor can tell how it ended."""
        self._core.tell_now("cut", BITS[Work.FEED])
        self._proof = UNPROVEN

    def _lower_counts(self, by: int) -> None:
        self._core.tell_now("add", -by % U32)

    # ---- what it does

    def _update(self, now_s: float) -> None:
        self._look_at_sensors(now_s)
        was, self._work = self._work, self._next_work()
        if self._work is not was:
            if was in MOTIONS:
                self._core.tell(now_s, "end")
            if self._work in MOTIONS:
                self._core.tell(now_s, "begin", BITS[self._work])
            self._presented = False
            self._due_s = now_s + (self._pace.of(self._work) if self._work else 0.0)
        self._look_at_sensors(now_s)

    def _next_work(self) -> Work | None:
        asked, machine = self._core.last.work, self.machine
        self._asked = asked
        if asked & BITS[Work.RECOUNT]:
            return Work.RECOUNT
        if asked & BITS[Work.UNLOAD]:
            return Work.UNLOAD if machine.can_deal else None
        if asked & BITS[Work.FEED] and machine.can_feed:
            return Work.FEED
        return Work.PRESENT if asked & BITS[Work.PRESENT] and machine.can_deal else None

    def _recount(self, now_s: float) -> None:
        self._core.tell(now_s, "recounted", self.machine.inside)

    def _look_at_sensors(self, now_s: float) -> None:
        if self._power is Power.ON and (sensed := self._sensed()) != self._told:
            self._told = sensed
            self._core.tell(now_s, "sense", sensed)

    def _sensed(self) -> int:
        machine = self.machine
        seen = (machine.lid_open, bool(machine.hopper), machine.path_blocked, self._presented)
        return sum(1 << bit for bit, is_seen in enumerate(seen) if is_seen)
