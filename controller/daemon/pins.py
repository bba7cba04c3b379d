"""Checks PINs in a thread beside the loop, one at a time: a hash takes 0.1 s and 64 MiB."""

import asyncio
import os
from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.core.words import Role
from controller.daemon.background import WITHIN_S, BackgroundJobs
from controller.runtime.gate import PinCheck
from controller.staff import StaffBook, StaffRefused, load_staff
from controller.staff.book import StaffMember

OnNamed = Callable[["StaffMember | StaffRefused | None"], None]
Outcome = Callable[[PinCheck, "Role | StaffRefused | None"], None]


class PinChecker:
    """Checks PINs and searches the staff for badges. Reads the staff file anew for each PIN and badge."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, staff: Path, on_checked: Outcome, within_s: float = WITHIN_S
    ) -> None:
        self.aside = BackgroundJobs(loop, within_s)
        self._staff = staff
        self._on_checked = on_checked
        self._is_naming = False
        self._slow = StaffRefused("slow", path=str(staff))
        self._last: tuple[os.stat_result, StaffBook] | None = None  # the last read file, and its book

    def start(self, check: PinCheck) -> None:
        """Begins to check a PIN. The loop later calls `on_checked` with the person's role, or with None for a wrong
        PIN, or with StaffRefused if the staff file is refused or the check takes too long.
        """
        self.aside.run(
            partial(self._verify, check.person, check.pin),
            lambda outcome: self._on_checked(check, outcome),
            lambda: self._on_checked(check, self._slow),
        )

    def name_badge(self, badge: str, on_named: OnNamed) -> None:
        """Begins to look up a badge's owner. The loop later calls `on_named` with the owner, or with None for an
        unknown badge, or with StaffRefused if the staff file cannot be used.

        Ignores a badge that is shown during a look-up.
        """
        if self._is_naming:
            return
        self._is_naming = True

        def named(owner: StaffMember | StaffRefused | None) -> None:
            self._is_naming = False
            on_named(owner)

        self.aside.run(partial(self._owner, badge), named, lambda: named(self._slow))

    def book(self) -> StaffBook | None:
        """Returns the casino's current people. Returns None if the staff file is unreadable. Runs in a thread. Reads
        the file only after a change of the file.
        """
        try:
            found = self._staff.stat()
            if self._last is None or _is_other(found, self._last[0]):
                self._last = found, load_staff(self._staff)
        except (OSError, StaffRefused):
            self._last = None
        return None if self._last is None else self._last[1]

    def close(self) -> None:
        """Drops the results of all checks, and waits briefly for a running one to end."""
        self.aside.close()

    def _owner(self, badge: str) -> StaffMember | StaffRefused | None:
        try:
            return load_staff(self._staff).owner_of(badge)
        except StaffRefused as refused:
            return refused

    def _verify(self, person: int, pin: str) -> Role | StaffRefused | None:
        try:
            return load_staff(self._staff).verify(person, pin)
        except StaffRefused as refused:
            return refused


def _is_other(found: os.stat_result, known: os.stat_result) -> bool:
    """True if the path now names another file, or if the file or its rights have changed."""
    return (found.st_ino, found.st_ctime_ns, found.st_size) != (known.st_ino, known.st_ctime_ns, known.st_size)
