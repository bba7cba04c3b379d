"""The physical book of a simulated table: the real places of its cards, and the faults that really affected devices."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from simulators.oracles.cards import Listing, counts_in


class PhysicalBook(Struct):
    """The real place of every card at one moment, and the counts of earlier happenings in the demo."""

    listing: Listing
    drawn: int = 0
    burned: int = 0
    order: str = ""  # a hash of the cards drawn, in order, and of all places at the end
    faults_met: Counter[str] = field(default_factory=Counter)  # by kind of fault
    boots: Mapping[str, int] = field(default_factory=dict)  # device: its last boot
    unplugged: Counter[str] = field(default_factory=Counter)  # by device: the number of pulled cables

    @property
    def places(self) -> Counter[str]:
        """The number of cards in each place, under the place's name in the controller's status."""
        return counts_in(self.listing)


class LampWatch:
    """Looks at a lamp at intervals, and checks that it is lit during a jam (pt.bj.51c)."""

    GRACE_S: Final = 0.5  # for the lamp to light after the hold appears, or after the device has come back

    def __init__(self) -> None:
        self.dark_moments: list[str] = []
        self._dark_since_s: float | None = None
        self._is_noted = False  # the present darkness is among the dark moments

    def look(self, *, jam_stands: bool, lamp_lit: bool, now_s: float) -> None:
        """Receives the state of the lamp at `now_s`. Records one violation for each jam during which the lamp has been
        dark for more than GRACE_S seconds. `jam_stands`: True during a jam that this lamp must show.
        """
        if not jam_stands or lamp_lit:
            self._dark_since_s, self._is_noted = None, False
            return
        if self._dark_since_s is None:
            self._dark_since_s = now_s
        elif now_s - self._dark_since_s > self.GRACE_S and not self._is_noted:
            self.dark_moments.append(f"lamp: dark for {now_s - self._dark_since_s:.1f} s while a jam stood")
            self._is_noted = True
