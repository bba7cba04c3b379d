"""The base classes of a running table in any game; world.py and simulators/wheel implement them for their game."""

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
    """The people at one table of any game. `on_deed`, `on_answer`: called with each deed and each answer."""

    def __init__(self) -> None:
        self.on_deed: Callable[[Person, Any], None] = lambda _person, _deed: None
        self.on_answer: Callable[[Person, Any, Answer | BadValues | None], None] = lambda _person, _ask, _answer: None

    @property
    @abstractmethod
    def see_the_end(self) -> bool:
        """True if the people see a closed table without holds, and with all duties reported."""


class Witness(Struct):
    """The number of journal entries and of rounds at the last moment without an entry that waited for the disk."""

    entries: int = 0
    rounds: int = 0  # the number of rounds played


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
    heads: dict[int, str] = field(default_factory=dict)  # the journal's heads, by durable entry
    over_s: float | None = None  # the time at which the world was closed and reported

    def __post_init__(self) -> None:
        self.host.on_durable, self.host.on_synced = self.durable, self.synced

    def begin(self) -> None:
        """Switches the devices on; the controller starts one second later."""
        self.pump()
        self.clock.after(1.0, self.host.start)

    def durable(self, seq: int) -> None:
        """Passes the durable entry `seq` to oracles and faults. Ends the world if the table is closed and its duties
        are reported.
        """
        if self.host.run is not None:
            self.look(seq, self.host.run.runtime.ledger)
        self.injector.durable(seq)
        run = self.host.run
        is_closed = run is not None and run.runtime.ledger.durable.house.session is SessionPhase.CLOSED
        if is_closed and self.crew.see_the_end:
            self.over_s = self.clock.now_s

    def synced(self, batch: Batch, head: bytes) -> None:
        """Called when `batch` is on the medium, before the controller knows so. Stores `head`, the chain value of the
        last entry of `batch`, and begins the faults that are due at that entry.
        """
        self.heads[batch.last_seq] = head.hex()
        self.injector.synced(batch.last_seq)

    @property
    def virtual_s(self) -> float:
        return self.clock.now_s - START_S

    @property
    def entries(self) -> int:
        return self.witness.entries

    # ---- parts that differ from game to game

    @property
    @abstractmethod
    def scene(self) -> Scene:
        """The parts of the table that faults affect."""

    @property
    @abstractmethod
    def most_entries(self) -> int:
        """The number of journal entries beyond which the world counts as stuck."""

    @property
    @abstractmethod
    def is_unlocked(self) -> bool:
        """True if at least one device is not locked. A card may then move."""

    @abstractmethod
    def pump(self) -> None:
        """Sends the output of all devices."""

    @abstractmethod
    def look(self, seq: int, ledger: Ledger) -> None:
        """Stores the durable state after entry `seq` for the oracles."""

    @abstractmethod
    def digest(self, end: End, found: Sequence[str]) -> str:
        """Returns the SHA-256 (hex) of the outputs, the places of all objects, the faults met, the findings and the
        end.
        """
