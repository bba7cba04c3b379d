"""The journal's book: what the table's entries alone say of cards, jams, duties and devices."""

from collections import Counter
from dataclasses import dataclass, field


@dataclass(slots=True)
class JamRecord:
    """One jam as the entries tell it: the numbers of the entries at which each step was taken, 0 while it was not."""

    number: int
    raised: int
    attended: int = 0
    cleared: int = 0
    released: int = 0
    confirmed: int = 0

    @property
    def went_by_the_procedure(self) -> bool:
        """Attended, cleared, let go by the machine and confirmed, in that order."""
        steps = (self.raised, self.attended, self.cleared, self.released, self.confirmed)
        return all(steps) and list(steps) == sorted(steps)


@dataclass(slots=True)
class JournalBook:
    """What the entries say. `snapshots` has the places as they were after the entries that were asked for."""

    decks: int = 0
    places: Counter[str] = field(default_factory=Counter)
    snapshots: dict[int, Counter[str]] = field(default_factory=dict)
    withdrawn: int = 0  # over all sessions
    is_closed: bool = True
    sessions: int = 0
    irregular_closings: int = 0
    rounds: int = 0
    loaded: int = 0
    drawn: int = 0
    burned: int = 0
    burns_due: int = 0  # by the table's rules, at the most
    unloaded: int = 0
    left_in_rack: int = 0  # joined the deck check from the rack
    jams: list[JamRecord] = field(default_factory=list)
    duties_opened: list[str] = field(default_factory=list)
    duties_reported: int = 0
    events: Counter[str] = field(default_factory=Counter)  # entries by kind, refused acts left out
    refused: Counter[str] = field(default_factory=Counter)
    unread: int = 0
    read: dict[int, str] = field(default_factory=dict)  # passage: the face that the reader told
    read_unnumbered: list[str] = field(default_factory=list)  # of a reader that numbers no passage, in order
    boots: dict[str, set[int]] = field(default_factory=dict)
    lost: Counter[tuple[str, str]] = field(default_factory=Counter)  # device and reason

    @property
    def cards(self) -> int:
        """Cards of the deck set."""
        return 52 * self.decks
