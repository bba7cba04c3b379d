"""What is known of a table at the end, as plain data: what oracles get, and nothing else."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256

from controller.core.custody.game import next_owed
from controller.core.custody.state import Book
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.state import Tally
from controller.journal.export import text_of
from controller.journal.recovery import Walk
from simulators.disk import MemoryStorage
from simulators.oracles.sightings import SeenHold, Sighting
from simulators.world.installation import SIGNER


def export_bytes(storage: MemoryStorage) -> bytes:
    """The journal's export, as far as it verifies."""
    return exported(storage)[0]


def exported(storage: MemoryStorage) -> tuple[bytes, Walk]:
    """The same, and the walk that found it, which has ended."""
    walk = Walk(storage)
    return text_of(walk, storage, SIGNER), walk


def stored_digest(storage: MemoryStorage, wanted: Callable[[str], bool]) -> str:
    """SHA-256 (hex) over every stored byte of the files whose name is wanted."""
    digest = sha256()
    for file in storage.list():
        if wanted(file.name):
            digest.update(f"{file.name}\0{file.size}\0".encode() + storage.read(file.name))
    return digest.hexdigest()


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
    owed = next_owed(state)
    return Sighting(
        seq=seq,
        holds=tuple(SeenHold(h.id, h.kind.value, h.device.value if h.device else None) for h in state.house.holds),
        session=state.house.session.value,
        round=state.game.phase.value,
        owed=None if owed is None else (owed.purpose.value, owed.seat),
        owed_is_known=True,
        counts=_counts(state.custody.book),
        duties=tuple(duty.kind.value for duty in state.house.duties),
        tally=_tallied(state.house.tally),
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


def _tallied(tally: Tally) -> Mapping[str, int]:
    """Of everything that the oracles count, too."""
    return {
        "rounds": tally.rounds,
        "drawn": tally.drawn,
        "burned": tally.burned,
        "loads": tally.loads,
        "complaints": tally.complaints,
    }
