"""The simulated shuffler with the deeds that hands can do at it in any state of its firmware."""

from collections.abc import Iterable, Mapping

from firmware_protocols.tdp.conform.bench import Deed
from simulators.devices.cards import CARDS_LOADED, PhysicalCard, make_cards
from simulators.devices.faults import Spot
from simulators.devices.firmware import Hands, Power
from simulators.devices.shuffler_firmware import ShufflerFirmware, Work
from simulators.devices.shuffler_model import Passed, Stuck


class SimulatedShuffler(ShufflerFirmware):
    """A continuous shuffler of 38 slots. Deeds never raise: hands that can reach no card get none."""

    def put_cards_in_hopper(self, cards: Iterable[PhysicalCard], now_s: float) -> None:
        """Lays `cards` in the hopper, behind the cards already there."""
        self.machine.put_in_hopper(cards)
        self._settle(now_s)

    def take_from_hopper(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Takes all cards that still lie in the hopper, and returns them."""
        taken = self.machine.take_from_hopper()
        self._settle(now_s)
        return taken

    def pull_cards(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Draws at the mouth, and returns one card, or two in a double feed. Returns none if the mouth offers no card,
        or if the card jams.
        """
        if not self._presented or self._power is not Power.ON:
            return ()
        motion = self.machine.deal()
        self._finish(Work.PRESENT, motion, now_s)
        self._settle(now_s)
        return motion.cards if isinstance(motion, Passed) else ()

    def push_in(self, cards: Iterable[PhysicalCard], now_s: float) -> tuple[PhysicalCard, ...]:
        """Pushes the cards in the hopper and then `cards` in at the feed, even if the feed is closed. Returns the cards
        that did not go in.
        """
        self.machine.put_in_hopper(cards)
        while self.can_be_pushed and self.machine.can_feed:
            self._finish(Work.FEED, self.machine.feed(), now_s)
        return self.take_from_hopper(now_s)

    @property
    def can_be_pushed(self) -> bool:
        """True if cards can be pushed in at the feed: the firmware is idle, no card sticks, and the lid is closed."""
        is_free = self._power is Power.ON and self._work is None
        return is_free and self.machine.stuck is None and not self.machine.lid_open

    @property
    def lamp_is_lit(self) -> bool:
        """True if a person sees the jam lamp lit."""
        return self._status().lamp_lit

    def open_lid(self, now_s: float) -> None:
        """Opens the lid, which stops every motion."""
        self.machine.lid_open = True
        self._settle(now_s)

    def close_lid(self, now_s: float) -> None:
        """Closes the lid."""
        self.machine.lid_open = False
        self._settle(now_s)

    def deeds(self) -> Mapping[Deed, Hands]:
        return {
            **super().deeds(),
            Deed.LOAD: self._load_hopper,
            Deed.DRAW: self.pull_cards,
            Deed.LID_OPEN: self.open_lid,
            Deed.LID_CLOSE: self.close_lid,
            Deed.JAM: self._jam_at_mouth,
            Deed.CLEAR: self.take_jammed,
            Deed.EVENT: self._move_lid_twice,
        }

    def _load_hopper(self, now_s: float) -> None:
        self.put_cards_in_hopper((*self.take_from_tray(now_s), *make_cards(1)[:CARDS_LOADED]), now_s)

    def _jam_at_mouth(self, now_s: float) -> None:
        """Jams a card in the mouth, in any state of the machine. Does nothing if the machine is empty."""
        if self.machine.inside:
            self.jam_now(Stuck(Spot.MOUTH, 1), now_s)

    def _move_lid_twice(self, now_s: float) -> None:
        self.open_lid(now_s)
        self.close_lid(now_s)

    def jam_now(self, stuck: Stuck, now_s: float) -> None:
        """Jams `stuck.cards` cards at `stuck.spot`. The device stops its work and reports the jam."""
        self.machine.stick(stuck)
        self._finish(Work.PRESENT, stuck, now_s)
        self._settle(now_s)

    def take_jammed(self, now_s: float, at_most: int | None = None) -> tuple[PhysicalCard, ...]:
        """Takes at most `at_most` stuck cards out by hand, or all of them, and returns them.

        Cards stuck in the carousel can be reached only with the lid open.
        """
        taken = self.machine.take_jammed(at_most)
        self._settle(now_s)
        return taken

    def put_inside_by_lid(self, cards: Iterable[PhysicalCard], now_s: float) -> tuple[PhysicalCard, ...]:
        """Puts cards into the slots by hand, past every counter. Returns the cards that did not go in, because the lid
        is closed or the slots are full.
        """
        left = self.machine.put_inside(cards)
        self._settle(now_s)
        return left

    def take_all_inside(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Takes every card out of slots and buffer by hand, past every counter, and returns the cards. Returns no card
        if the lid is closed.
        """
        taken = self.machine.take_inside()
        self._settle(now_s)
        return taken

    def take_from_tray(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Takes all unloaded cards out of the tray, and returns them."""
        taken = self.machine.take_from_tray()
        self._settle(now_s)
        return taken
