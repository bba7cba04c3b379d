"""A running table of any game; world.py and simulators/wheel add their game."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import Struct

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
    """The people at one table of any game; observers are told of each deed and each answer."""

    def __init__(self) -> None:
        self.on_deed: Callable[[Person, Any], None] = lambda _person, _deed: None
        self.on_answer: Callable[[Person, Any, Answer | BadValues | None], None] = lambda _person, _ask, _answer: None

    @property
    @abstractmethod
    def see_the_end(self) -> bool:
        """True where the people see that all is played, closed and reported, and nothing held."""


class Witness(Struct):
    """The size of the journal when nothing waited to become durable."""

    entries: int = 0
    rounds: int = 0  # that were played


@dataclass(slots=True, kw_only=True)
class Playable(ABC):
    """A running table of any game."""

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
        """Switches the devices on; the controller starts one second later."""
        self.pump()
        self.clock.after(1.0, self.host.start)

    def durable(self, seq: int) -> None:
        """The journal is durable up to `seq`: tells oracles and faults, and notes when the world is over."""
        if self.host.run is not None:
            self.look(seq, self.host.run.runtime.ledger)
        self.injector.durable(seq)
        run = self.host.run
        is_closed = run is not None and run.runtime.ledger.durable.house.session is SessionPhase.CLOSED
        if is_closed and self.crew.see_the_end:
            self.over_s = self.clock.now_s

    def synced(self, batch: Batch, head: bytes) -> None:
        """The medium has this batch, and the controller does not know it yet."""
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
        """The parts of the table that faults affect."""

    @property
    @abstractmethod
    def most_entries(self) -> int:
        """The number of journal entries beyond which people are taken to go round in circles."""

    @property
    @abstractmethod
    def is_unlocked(self) -> bool:
        """True where a card may leave a device."""

    @abstractmethod
    def pump(self) -> None:
        """Sends what the devices have to say."""

    @abstractmethod
    def look(self, seq: int, ledger: Ledger) -> None:
        """Keeps for the oracles what became durable with the entry `seq`."""

    @abstractmethod
    def digest(self, end: End, found: Sequence[str]) -> str:
        """SHA-256 (hex) of the outputs, of the places of all things, of the faults met, and of the end."""
