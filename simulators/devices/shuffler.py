"""The simulated shuffler whole: what hands can do to it, whatever state its firmware is in."""

from collections.abc import Iterable, Mapping, Sequence

from simulators.devices.cards import PhysicalCard, Place
from simulators.devices.faults import Spot
from simulators.devices.firmware import Power
from simulators.devices.shuffler_firmware import ShufflerFirmware, Work
from simulators.devices.shuffler_model import Passed


class SimulatedShuffler(ShufflerFirmware):
    """A continuous shuffler of 38 slots. A hand that reaches nothing gets nothing: no misuse is an error."""

    def put_cards_in_hopper(self, cards: Iterable[PhysicalCard], now_s: float) -> None:
        """Lay cards in the hopper, behind those that lie there."""
        self._machine.put_in_hopper(cards)
        self._settle(now_s)

    def take_from_hopper(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Take back whatever has not been fed."""
        taken = self._machine.take_from_hopper()
        self._settle(now_s)
        return taken

    def pull_cards(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Draw at the mouth: one card, two in a double feed, none when the mouth gives none."""
        if not self._presented or self._power is not Power.ON:
            return ()
        motion = self._machine.deal()
        self._finish(Work.PRESENT, motion, now_s)
        self._settle(now_s)
        return motion.cards if isinstance(motion, Passed) else ()

    def push_in(self, cards: Iterable[PhysicalCard], now_s: float) -> tuple[PhysicalCard, ...]:
        """Push cards in at the feed whether or not it is open; returns those that did not go in."""
        self._machine.put_in_hopper(cards)
        while self.can_be_pushed and self._machine.can_feed:
            self._finish(Work.FEED, self._machine.feed(), now_s)
        return self.take_from_hopper(now_s)

    @property
    def can_be_pushed(self) -> bool:
        """Whether cards that are pushed in at the feed go in: it runs, and is at nothing else."""
        is_free = self._power is Power.ON and self._work is None
        return is_free and self._machine.stuck is None and not self._machine.lid_open

    @property
    def inside(self) -> int:
        """Cards that a person who looks through the open lid finds."""
        return self._machine.inside

    @property
    def lamp_is_lit(self) -> bool:
        """Whether a person sees its jam lamp lit."""
        return self._status().lamp_lit

    def open_lid(self, now_s: float) -> None:
        """Open the lid: everything stops."""
        self._machine.lid_open = True
        self._settle(now_s)

    def close_lid(self, now_s: float) -> None:
        """Close the lid."""
        self._machine.lid_open = False
        self._settle(now_s)

    def take_jammed(self, now_s: float, at_most: int | None = None) -> tuple[PhysicalCard, ...]:
        """Take stuck cards out; a jam in the carousel is reached with the lid open alone."""
        taken = self._machine.take_jammed(at_most)
        self._settle(now_s)
        return taken

    def put_inside_by_lid(self, cards: Iterable[PhysicalCard], now_s: float) -> tuple[PhysicalCard, ...]:
        """Put cards past every counter into the slots; returns those left in the hand (lid closed, full)."""
        left = self._machine.put_inside(cards)
        self._settle(now_s)
        return left

    def take_all_inside(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Take every card out of slots and buffer past every counter; none with the lid closed."""
        taken = self._machine.take_inside()
        self._settle(now_s)
        return taken

    def take_from_tray(self, now_s: float) -> tuple[PhysicalCard, ...]:
        """Take what was unloaded."""
        taken = self._machine.take_from_tray()
        self._settle(now_s)
        return taken

    @property
    def stuck_at(self) -> Spot | None:
        """Where a person who looks finds cards that are stuck; None when none are."""
        return self._machine.stuck.spot if self._machine.stuck else None

    @property
    def in_hopper(self) -> int:
        """Cards that a person sees in the hopper."""
        return self._machine.in_hopper

    @property
    def stuck_cards(self) -> int:
        """Cards that a person who looks finds stuck."""
        return self._machine.stuck_cards

    @property
    def tray(self) -> Sequence[PhysicalCard]:
        """The cards that lie open in the tray."""
        return self._machine.tray

    @property
    def operations(self) -> int:
        """Cards that the mechanism has ever moved in or out; no reboot changes it."""
        return self._machine.operations

    def cards_by_place(self) -> Mapping[Place, tuple[PhysicalCard, ...]]:
        """Every card in the machine and where it is, for the book of physical cards alone."""
        return self._machine.cards_by_place()
