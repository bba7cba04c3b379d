"""Gives an update access to the computer: its root file systems, `rauc`, and the table's systemd units."""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from controller.config import Config
from controller.journal.root import Release, read_release
from controller.record.closed_table import closed_table
from controller.update.blocks import Blocks
from controller.update.bundle import SETTINGS, install, machine_of, read_bundle
from controller.update.decision import Card, Offer
from controller.update.slots import Slot, Slots
from controller.update.trial import is_on_trial

OWN: Final = Path("/usr/lib/sabot-image/release")
"""The file in which a root names its release."""

COMMAND_LINE: Final = Path("/proc/cmdline")
TABLE: Final = "sabot.service"


@dataclass(frozen=True, slots=True)
class RealComputer:
    """The computer on which this program runs (implements `Computer`): either one with two root file systems on a
    memory card, or an ordinary Debian (`is_card` is False).
    """

    blocks: Blocks = field(default_factory=Blocks)
    settings: Path = SETTINGS
    own: Path = OWN
    command_line: Path = COMMAND_LINE

    @property
    def is_card(self) -> bool:
        """True if this computer runs a root file system from a memory card. False on an ordinary Debian, where people
        update the package instead.
        """
        return self.own.exists()

    def release(self) -> Release | None:
        return read_release(self.own.read_text("ascii", "replace").strip())

    def card(self, *, seen: Release | None, is_closed: bool) -> Card:
        trial = is_on_trial(self.command_line.read_text("utf-8", "replace"))
        return Card(machine_of(self.settings), self.release(), seen, is_closed=is_closed, is_on_trial=trial)

    def read(self, file: Path) -> Offer:
        return read_bundle(file, self.settings)

    def install(self, file: Path) -> None:
        install(file)

    def go_back(self) -> None:
        self.blocks.change(Slots.gone_back)

    @contextmanager
    def stopped(self, config: Config) -> Iterator[None]:
        systemctl("stop", TABLE)
        try:
            with closed_table(config):
                yield
        finally:
            systemctl("--no-block", "start", TABLE)

    def restart(self) -> None:
        systemctl("--no-block", "reboot")

    # ---- the trial

    def running(self) -> Slot | None:
        """Returns the running root file system of the two, as the boot loader names it; None if the boot loader names
        none.
        """
        words = self.command_line.read_text("utf-8", "replace").split()
        named = next((word.removeprefix("rauc.slot=") for word in words if word.startswith("rauc.slot=")), "")
        return Slot(named) if named in set(Slot) else None


def systemctl(*words: str) -> None:
    """Calls systemctl and ignores a failure. systemd logs the failure, and the journal's lock shows if the table has
    stopped.
    """
    subprocess.run(("/usr/bin/systemctl", *words), check=False)  # noqa: S603 - fixed words
