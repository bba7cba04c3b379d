"""The environment of the controller in virtual time: its disk and wall clock, its people and its configuration."""

from collections.abc import Callable, Mapping
from random import Random
from typing import Final

from msgspec import Struct, field

from controller.core.setup import Setup
from controller.core.words import Device, Role
from controller.journal.signing import KEY_SIZE, Signer
from controller.runtime.clock import WallTime
from simulators.disk import MemoryStorage
from simulators.world.clock import VirtualClock

MINUTE_S: Final = 60.0

PIN_S: Final = 0.12
"""Time that the hashing of a PIN takes."""


SIGNER: Final = Signer(bytes(KEY_SIZE))
"""The signing key, the same in every world."""


class Person(Struct, frozen=True):
    """A member of the controller's staff."""

    number: int
    role: Role
    pin: str


DEALER: Final = Person(11, Role.DEALER, "2468")
SECOND_DEALER: Final = Person(12, Role.DEALER, "3579")
"""The dealer who relieves DEALER in a world with two dealers."""

PEOPLE: Final = (
    DEALER,
    Person(21, Role.CHIEF_SUPERVISOR, "1357"),
    Person(31, Role.ROOM_MANAGER, "8642"),
    Person(41, Role.TECHNICIAN, "7531"),
)


class Disk(Struct):
    """A simulated disk, or another medium. `takes_s` returns a random duration for each sync."""

    rng: Random
    storage: MemoryStorage = field(default_factory=MemoryStorage)
    slow_s: float = 0.0  # added to each sync while it is slow
    on_wait: Callable[[], None] = field(default=lambda: None)  # called when the controller has to wait for the medium
    on_replaced: Callable[[], None] = field(default=lambda: None)  # called when its storage is another object

    def takes_s(self, least_s: float = 0.001, at_most_more_s: float = 0.003) -> float:
        if self.slow_s:
            self.on_wait()
        return least_s + at_most_more_s * self.rng.random() + self.slow_s

    def after_kill(self) -> None:
        self._replace(self.storage.after_kill())

    def after_power_cut(self, keep: Callable[[int], int]) -> None:
        kept = {name: keep(size) for name, size in self.storage.unsynced().items()}
        self._replace(self.storage.after_power_cut(kept))

    def is_replaced(self) -> None:
        """Replaces the medium by an empty one, as a technician does."""
        self._replace(MemoryStorage())

    def _replace(self, storage: MemoryStorage) -> None:
        self.storage = storage
        self.on_replaced()


class WallClock(Struct):
    """The computer's time of day, which serves only to label entries. Faults make it jump."""

    clock: VirtualClock
    offset_s: float = 1_700_000_000.0
    is_synced: bool = True

    def read(self) -> WallTime:
        return WallTime(int((self.clock.now_s + self.offset_s) * 1000), self.is_synced)


class Installation(Struct, frozen=True):
    """A table's configuration: its setup, the serial numbers of its devices (None for any), and its people."""

    setup: Setup
    serials: Mapping[Device, str | None]
    people: tuple[Person, ...]
    paired: bool = False  # paired with every device
