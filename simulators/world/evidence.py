"""What is known of a table of cards as plain data: what oracles get, and nothing else."""

from dataclasses import dataclass, field

from controller.core.games.blackjack.state import BlackjackState
from simulators.oracles.sightings import PLACES, SeenHold, Sighting
from simulators.world.playable import Witness


@dataclass(slots=True)
class CardWitness(Witness):
    """Sees the durable states at which nothing waited. They themselves are let go: an evening of them is a burden."""

    seen: dict[int, Sighting] = field(default_factory=dict)  # by the last entry

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
        counts={place: getattr(state.custody.book, place) for place in PLACES},
    )
