"""The figures that an observer goes by: those of the profile and of the table's equipment, as plain numbers."""

from collections.abc import Mapping
from dataclasses import dataclass

from simulators.oracles.export_reader import Entry, is_whole


@dataclass(frozen=True, slots=True)
class Figures:
    """One table's figures; times in milliseconds of table time."""

    decks: int  # pt.bj.3a
    seats: int  # pt.bj.2
    min_packets: int = 2  # pt.bj.54b
    loads_per_session: int = 1  # pt.bj.54c
    burn_cards: int = 1  # pt.bj.10
    presence_timeout_ms: int = 180_000  # pt.bj.54d [R]
    join_ms: int = 2_000  # DESIGN 4
    difference_ms: int = 2_000  # DESIGN 4
    reserve_cards_per_hand: int = 6  # pt.bj.60a [R]
    has_reader: bool = True
    grace_ms: int = 1_000  # what a controller may take to act on a timer or on its people
    stop_ms: int = 5_000  # what a machine may take to stop once it was told (it locks itself after 2 s of silence)

    @property
    def cards(self) -> int:
        """Cards of the deck set."""
        return 52 * self.decks


_BOUND = ("min_packets", "loads_per_session", "burn_cards", "presence_timeout_ms", "join_ms", "difference_ms")


def figures_bound_by(entry: Entry) -> Figures:
    """The figures that a `controller-started` entry says it runs with. KeyError where it is none."""
    setup = entry.part("setup")
    numbers = _numbers(setup, ("decks", "seats"))
    parameters = setup["parameters"]
    if isinstance(parameters, dict):
        numbers |= _numbers(parameters, (*_BOUND, "reserve_cards_per_hand"))
    return Figures(**numbers, has_reader=setup["has_reader"] is True)


def _numbers(part: Mapping[str, object], names: tuple[str, ...]) -> dict[str, int]:
    return {name: value for name in names if is_whole(value := part[name])}
