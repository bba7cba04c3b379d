"""What is known of a table of cards as plain data: what oracles get, and nothing else."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from controller.core.custody.state import Book
from controller.core.games.blackjack.state import BlackjackState
from simulators.oracles.sightings import SeenHold, Sighting


@dataclass(slots=True)
class Witness:
    """Sees the durable states at which nothing waited. They themselves are let go: an evening of them is a burden."""

    seen: dict[int, Sighting] = field(default_factory=dict)  # by the last entry
    entries: int = 0  # of the journal, as far as it was durable when nothing waited
    rounds: int = 0  # that were played, as the last of these states says

    def look(self, seq: int, durable: BlackjackState, waiting: int) -> None:
        """Something became durable."""
        if not waiting:
            self.seen[seq] = _sighting(seq, durable)
            self.entries, self.rounds = seq, durable.house.tally.rounds


def _sighting(seq: int, state: BlackjackState) -> Sighting:
    return Sighting(
        seq=seq,
        holds=tuple(
            SeenHold(h.id, h.kind.value, h.device.value if h.device else None, h.phase.value, h.cause)
            for h in state.house.holds
        ),
        session=state.house.session.value,
        round=state.game.phase.value,
        counts=_counts(state.custody.book),
    )


def _counts(book: Book) -> Mapping[str, int]:
    """Of every place that the oracles know."""
    return {
        "outside": book.outside,
        "inside": book.inside,
        "rack": book.rack,
        "table": book.table,
        "burnt": book.burnt,
        "pending": book.pending,
        "jammed": book.jammed,
        "in_hand": book.in_hand,
    }
