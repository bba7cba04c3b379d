"""A whole table that runs, whatever is played there: what its game adds stands in world.py and simulators/wheel."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from controller.core.words import SessionPhase
from controller.journal.writer_logic import Batch
from controller.runtime.answers import Answer
from controller.runtime.gate import BadValues
from controller.runtime.ledger import Ledger
from simulators.world.clock import VirtualClock
from simulators.world.fault_injector import FaultInjector
from simulators.world.host import Host
from simulators.world.installation import Person
from simulators.world.outputs import Outputs
from simulators.world.plan import START_S, WorldPlan
from simulators.world.result import End
from simulators.world.scene import Scene


class People(ABC):
    """Everybody at one table, as far as somebody tells of them."""

    def __init__(self) -> None:
        self.on_deed: Callable[[Person, Any], None] = lambda _person, _deed: None
        self.on_answer: Callable[[Person, Any, Answer | BadValues | None], None] = lambda _person, _ask, _answer: None

    @property
    @abstractmethod
    def see_the_end(self) -> bool:
        """True where they see that everything is played, closed and reported, and nothing held."""


@dataclass(slots=True)
class Witness:
    """The journal as it was when nothing waited to become durable."""

    entries: int = 0
    rounds: int = 0  # that were played


@dataclass(slots=True, kw_only=True)
class Playable(ABC):
    """A table that runs."""

    plan: WorldPlan
    clock: VirtualClock
    outputs: Outputs
    host: Host
    crew: People
    injector: FaultInjector
    witness: Witness
    heads: dict[int, str] = field(default_factory=dict)  # of the journal, by the entries that were durable
    over_s: float | None = None  # when everything was played, closed and reported

    def __post_init__(self) -> None:
        self.host.on_durable, self.host.on_synced = self.durable, self.synced

    def begin(self) -> None:
        """The devices are on; the controller starts a moment later."""
        self.pump()
        self.clock.after(1.0, self.host.start)

    def durable(self, seq: int) -> None:
        """The journal has come so far, and everybody knows it."""
        if self.host.run is not None:
            self.look(seq, self.host.run.runtime.ledger)
        self.injector.durable(seq)
        run = self.host.run
        is_closed = run is not None and run.runtime.ledger.durable.house.session is SessionPhase.CLOSED
        if is_closed and self.crew.see_the_end:
            self.over_s = self.clock.now_s

    def synced(self, batch: Batch, head: bytes) -> None:
        """The medium has this batch, and nobody knows it yet."""
        self.heads[batch.last_seq] = head.hex()
        self.injector.synced(batch.last_seq)

    @property
    def virtual_s(self) -> float:
        return self.clock.now_s - START_S

    @property
    def entries(self) -> int:
        return self.witness.entries

    # ---- what differs from game to game

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The objects of the faults."""

    @property
    @abstractmethod
    def most_entries(self) -> int:
        """A journal that has grown by several times more than any session needs: people go round in circles."""

    @property
    @abstractmethod
    def is_unlocked(self) -> bool:
        """True where a card may leave a device."""

    @abstractmethod
    def pump(self) -> None:
        """Lets the devices say what they have to say."""

    @abstractmethod
    def look(self, seq: int, ledger: Ledger) -> None:
        """Something became durable: it is kept for the oracles."""

    @abstractmethod
    def digest(self, end: End, found: Sequence[str]) -> str:
        """SHA-256 (hex) of what left the table, of where everything lies, of the faults met, and of the end."""
