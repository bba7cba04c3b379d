"""Runs an update: reads the file, decides, asks two people to sign, decides again once the table has stopped, installs,
restarts.

The table's controller runs until two people have signed, so a USB stick alone stops nothing.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

from controller.config import Config
from controller.core.words import Role, SessionPhase
from controller.journal.errors import StorageFailed
from controller.journal.root import Release, clear_updated, keep_updated, newest_said
from controller.journal.storage import DirectoryReader
from controller.record.closed_table import TableInUse
from controller.runtime.boot import inspect_journal
from controller.staff import StaffRefused, load_staff
from controller.update.bundle import BundleRefused
from controller.update.decision import Card, Offer, Refusal, may_be_installed, may_be_offered, may_go_back

SIGNS: Final = (Role.TECHNICIAN, Role.CHIEF_SUPERVISOR)
TRIES: Final = 3
"""The tries of one person, who may mistype.

Each wrong PIN is an entry in the journal of a running table, and leads to a wait.
"""


class Checked(Struct, frozen=True):
    """The result of a PIN check. `role`: the person's role; None if the PIN was refused. `why`: the table's reason for
    the refusal, or "".
    """

    role: Role | None
    why: str = ""


Check: TypeAlias = Callable[[int, str], Checked]
"""Checks the PIN of the person with this number, and returns the result."""


def by_book(config: Config) -> Check:
    """Returns a function that checks PINs by the staff file alone, while no controller runs. The function records
    nothing.
    """

    def check(number: int, pin: str) -> Checked:
        try:
            return Checked(load_staff(config.staff).verify(number, pin))
        except StaffRefused:
            return Checked(None)

    return check


class Computer(Protocol):
    """The computer to update, with two root file systems on its memory card. Tests replace this class."""

    def card(self, *, seen: Release | None, is_closed: bool) -> Card: ...

    def read(self, file: Path) -> Offer:
        """Returns the signed description of an update file. Raises BundleRefused."""

    def install(self, file: Path) -> None:
        """Writes the root file system in the update file `file` over the root file system that is not in use. The next
        start tries the new one. Raises BundleRefused.
        """

    def go_back(self) -> None:
        """Makes the next start use the previous root file system. Raises SlotRefused, OSError."""

    def stopped(self, config: Config) -> AbstractContextManager[None]:
        """A context in which the table's controller is stopped and cannot start. At the end of the context the
        controller starts again. Raises TableInUse, StorageFailed.
        """

    def restart(self) -> None: ...


class People(Protocol):
    """The two people who sign an update. The program asks them at the table's screen or at a terminal."""

    def agree(self, card: Card, offer: Offer) -> bool: ...

    def signs(self, role: Role) -> tuple[int, str]:
        """Asks the person of this role for a number and a PIN, and returns both."""

    def again(self, why: str) -> bool:
        """Asks the person to try again. Returns False if the person ends the update instead. `why`: the table's reason
        for the refusal of the PIN; "" without a reason.
        """

    def waits(self, key: str) -> None: ...


@dataclass(frozen=True, slots=True)
class End:
    """The end of an update. `refusal`: the reason of a refusal, or None. `detail`: the last line of `rauc`'s output, or
    "".

    Without a refusal, the computer restarts, or the people did not agree.
    """

    refusal: Refusal | None = None
    detail: str = ""


def update(file: Path, config: Config, computer: Computer, people: People, check: Check) -> End:
    """Installs an update file and restarts the computer, if the decision permits the update and two people sign.

    Reads the file again before the installation: another one may lie in its place since the people have agreed. Returns
    how the update ended. Raises OSError if the memory card itself cannot be read.
    """
    try:
        offer = computer.read(file)
        card = _card(config, computer)
        if refusal := may_be_offered(offer, card):
            return End(refusal)
        if not people.agree(card, offer):
            return End()
        signed = _signed(check, people)
        if refusal := may_be_installed(offer, card, frozenset(signed)):
            return End(refusal)
        people.waits("writes")
        with computer.stopped(config):
            if computer.read(file) != offer:
                return End(Refusal.OTHER_FILE)
            if refusal := may_be_installed(offer, _card(config, computer), frozenset(signed)):
                return End(refusal)
            _install(file, config, computer, signed, str(offer.release))
    except BundleRefused as refused:
        return End(refused.refusal, refused.detail)
    except TableInUse:
        return End(Refusal.TABLE_OPEN)
    except StorageFailed as failed:
        return End(Refusal.JOURNAL, failed.name)
    people.waits("restarts")
    computer.restart()
    return End()


def go_back(computer: Computer, people: People, check: Check) -> End:
    """Returns the computer to the previous root file system by a restart, if two people sign. A session may be open.

    Raises SlotRefused, OSError.
    """
    if refusal := may_go_back(frozenset(_signed(check, people))):
        return End(refusal)
    computer.go_back()
    people.waits("restarts")
    computer.restart()
    return End()


def _signed(check: Check, people: People) -> dict[Role, int]:
    """Asks the people for their PINs. Returns, by role, the numbers of the people whose PIN is right.

    Stops after the first person without a right PIN.
    """
    signed = dict[Role, int]()
    for role in SIGNS:
        number = _signer(role, check, people)
        if number is None:
            return signed
        signed[role] = number
    return signed


def _signer(role: Role, check: Check, people: People) -> int | None:
    for tries in range(1, TRIES + 1):
        number, pin = people.signs(role)
        checked = check(number, pin)
        if checked.role is role:
            return number
        if tries == TRIES or not people.again(checked.why):
            return None
    return None


def _card(config: Config, computer: Computer) -> Card:
    """Returns the facts about the memory card that a decision needs. The newest release and the state of the session
    come from the journal.
    """
    if not config.journal.is_dir():
        return computer.card(seen=None, is_closed=True)
    with DirectoryReader(config.journal) as storage:
        folded = inspect_journal(storage).folded
    is_closed = folded.state is None or folded.state.house.session is SessionPhase.CLOSED
    return computer.card(seen=newest_said(folded.started.findings) if folded.started else None, is_closed=is_closed)


def _install(file: Path, config: Config, computer: Computer, signed: dict[Role, int], release: str) -> None:
    """Stores the numbers of the two people for the next start, then installs the file. Removes the numbers again if the
    installation fails.
    """
    keep_updated(config.journal, release, signed[Role.TECHNICIAN], signed[Role.CHIEF_SUPERVISOR])
    is_written = False
    try:
        computer.install(file)
        is_written = True
    finally:
        if not is_written:
            clear_updated(config.journal)
