"""What is fixed for a table while a session runs: jurisdiction and equipment. Bound into the journal's first entry."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Parameters:
    """The profile's figures; each names its clause in profile.py."""

    min_packets: int
    loads_per_session: int
    burn_cards: int
    presence_timeout_ms: int
    join_ms: int
    difference_ms: int
    devices_due_ms: int
    reserve_cards_per_hand: int


@dataclass(frozen=True, slots=True)
class Setup:
    """Table, profile and equipment of one configuration."""

    table: str
    profile: str
    decks: int
    seats: int
    has_reader: bool
    has_display: bool
    simulated: bool
    parameters: Parameters

    @property
    def cards(self) -> int:
        """Cards of the whole deck set (pt.bj.3a-b)."""
        return 52 * self.decks
