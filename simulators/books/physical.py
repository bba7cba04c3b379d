"""The physical book: where the simulated cards really are, and what really befell the devices."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

TABLE_PLACES: Final[Mapping[str, str]] = {
    "outside": "outside",
    "packet": "outside",
    "tray": "outside",
    "hopper": "hopper",  # whoever snapshots does it when the hopper is empty
    "rack": "rack",
    "table": "table",
    "aside": "pending",
    "jammed": "jammed",
    "slots": "inside",
    "buffer": "inside",
    "magazine": "inside",
    "burnt": "burnt",
    "withdrawn": "withdrawn",
    "spare": "spare",
}
"""What the table's book calls each place where cards can lie."""


@dataclass(slots=True)
class PhysicalBook:
    """Card numbers by place at the end, and what happened on the way."""

    cards: Mapping[str, Sequence[int]]
    all_numbers: frozenset[int]  # of every card that was ever brought in, spares too
    drawn: int = 0
    burned: int = 0
    passed: Sequence[str] = ()  # the faces that went by the reader, one after another
    order: str = ""  # stands for which cards were drawn, one after another, and how all lie at the end
    faults_met: Counter[str] = field(default_factory=Counter)  # by kind of fault
    boots: Mapping[str, int] = field(default_factory=dict)  # device: its last boot
    unplugged: Counter[str] = field(default_factory=Counter)  # device: how often its cable was pulled
    lid_openings: int = 0
    dark_moments: list[str] = field(default_factory=list)  # a jam stood and the lamp was not lit

    @property
    def places(self) -> Counter[str]:
        """How many cards are in each place, in the table's words."""
        counts: Counter[str] = Counter()
        for place, cards in self.cards.items():
            counts[TABLE_PLACES[place]] += len(cards)
        return counts

    def misplaced(self) -> list[str]:
        """Cards that are in two places, or in none."""
        seen: dict[int, list[str]] = {}
        for place, cards in self.cards.items():
            for number in cards:
                seen.setdefault(number, []).append(place)
        twice = [f"physical: card {n} is in {len(at)} places: {', '.join(at)}" for n, at in seen.items() if len(at) > 1]
        gone = [f"physical: card {n} is in 0 places" for n in sorted(self.all_numbers - seen.keys())]
        strange = [f"physical: card {n} was never brought in" for n in sorted(seen.keys() - self.all_numbers)]
        return twice + gone + strange


class LampWatch:
    """Looks at machine and lamp again and again: while a jam stands the lamp is lit (pt.bj.51c)."""

    GRACE_S: Final = 0.5  # what the lamp may take after the hold shows, or after the device has come back

    def __init__(self) -> None:
        self.dark_moments: list[str] = []
        self._dark_since_s: float | None = None

    def look(self, *, jam_stands: bool, lamp_lit: bool, now_s: float) -> None:
        """One look; `jam_stands` where the machine says so, or the status does and the machine can hear it."""
        if not jam_stands or lamp_lit:
            self._dark_since_s = None
            return
        if self._dark_since_s is None:
            self._dark_since_s = now_s
        elif now_s - self._dark_since_s > self.GRACE_S:
            self.dark_moments.append(f"lamp: dark for {now_s - self._dark_since_s:.1f} s while a jam stood")
            self._dark_since_s = None
