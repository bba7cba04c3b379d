"""The simulated shuffler with the C core as its firmware."""

from typing import Final

from firmware_protocols.tdp.shuffler import (
    CardIn,
    CardOut,
    CardRetried,
    Jammed,
    ShufflerCommand,
    ShufflerEvent,
    ShufflerStatus,
)
from simulators.devices.c_firmware import CFirmware
from simulators.devices.firmware import Power
from simulators.devices.shuffler import SimulatedShuffler
from simulators.devices.shuffler_firmware import Work

BITS: Final = {Work.RECOUNT: 1, Work.UNLOAD: 2, Work.FEED: 4, Work.PRESENT: 8}
MOTIONS: Final = frozenset((Work.UNLOAD, Work.FEED, Work.PRESENT))
NOT_PASSED, UNPROVEN = 0, 2


class CShuffler(CFirmware[ShufflerStatus, ShufflerCommand, ShufflerEvent], SimulatedShuffler):
    """The shuffler with the C core as firmware, which decides on each motion; the mechanism and its timing are
    simulated in Python.
    """

    _proof = NOT_PASSED
    _told = 0

    def _post(self, event: ShufflerEvent, now_s: float) -> None:
        """Passes an event of the mechanism on to the C core. A jam is passed on even if the firmware hangs or has no
        power.
        """
        if isinstance(event, Jammed) and self._power is not Power.ON:
            self._tell(event, now_s)
        super()._post(event, now_s)

    def _tell(self, event: ShufflerEvent, now_s: float) -> None:
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
            case _:  # the C core reports these by itself
                return

    def _start_words(self) -> tuple[int, ...]:
        self._told, proof = self._sensed(), self._proof
        self._proof = NOT_PASSED
        return self._told, proof

    def _forget_counts(self) -> None:
        """Makes the C core lose its counts at the next boot: it then finds an interrupted motion, and no proof of the
        motion's end.
        """
        self._core.tell_now("cut", BITS[Work.FEED])
        self._proof = UNPROVEN

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
        wants, machine = self._core.last.wants, self.machine
        if wants & BITS[Work.RECOUNT]:
            return Work.RECOUNT
        if wants & BITS[Work.UNLOAD]:
            return Work.UNLOAD if machine.can_deal else None
        if wants & BITS[Work.FEED] and machine.can_feed:
            return Work.FEED
        return Work.PRESENT if wants & BITS[Work.PRESENT] and machine.can_deal else None

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
