"""Replacements for an update's surroundings: a computer that notes each step, and people with the rig's PINs."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from controller.config import Config
from controller.core.words import Role
from controller.journal.root import Release
from controller.update.bundle import BundleRefused
from controller.update.decision import Card, Offer, Refusal
from tests.daemon.rig import CHIEF, PINS, TECHNICIAN

OLD, NOW, NEW = (Release(20261100000000 + day, 1_764_000_000) for day in (1, 2, 3))
MACHINE = "sabot-table-amd64"


@dataclass
class FakeComputer:
    """A card with release NOW and a stick with NEW. `reads`, `installs`: the engine's refusals at these steps."""

    offer: Offer = field(default_factory=lambda: Offer(MACHINE, NEW, "what changes."))
    reads: Refusal | None = None
    installs: Refusal | None = None
    is_on_trial: bool = False
    did: list[str] = field(default_factory=list)

    def card(self, *, seen: Release | None, is_closed: bool) -> Card:
        return Card(MACHINE, NOW, seen, is_closed=is_closed, is_on_trial=self.is_on_trial)

    def read(self, _file: Path) -> Offer:
        self.did.append("read")
        if self.reads is not None:
            raise BundleRefused(self.reads, "the engine's words")
        return self.offer

    def install(self, _file: Path) -> None:
        self.did.append("install")
        if self.installs is not None:
            raise BundleRefused(self.installs, "the engine's words")

    def go_back(self) -> None:
        self.did.append("back")

    @contextmanager
    def stopped(self, _config: Config) -> Iterator[None]:
        self.did.append("stop")
        yield
        self.did.append("start")

    def restart(self) -> None:
        self.did.append("restart")


@dataclass
class FakePeople:
    """Two people who agree and sign with the PINs in `typed`. `mistypes`: the number of wrong PINs at first."""

    agrees: bool = True
    mistypes: int = 0
    typed: dict[Role, tuple[int, str]] = field(
        default_factory=lambda: {
            Role.TECHNICIAN: (TECHNICIAN, PINS[TECHNICIAN]),
            Role.CHIEF_SUPERVISOR: (CHIEF, PINS[CHIEF]),
        }
    )

    def agree(self, _card: Card, _offer: Offer) -> bool:
        return self.agrees

    def signs(self, role: Role) -> tuple[int, str]:
        number, pin = self.typed[role]
        self.mistypes, is_wrong = max(0, self.mistypes - 1), self.mistypes > 0
        return number, "000000" if is_wrong else pin

    def again(self, _why: str) -> bool:
        return True

    def waits(self, key: str) -> None:
        pass
