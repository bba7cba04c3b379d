"""PINs are hashed beside the loop, one at a time: a hash takes 0.1 s and 64 MiB, and the loop waits for nothing."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from controller.core.words import Role
from controller.daemon.aside import WITHIN_S, Aside
from controller.runtime.gate import PinCheck
from controller.staff import StaffBook, StaffRefused, load_staff
from controller.staff.book import StaffMember

OnNamed = Callable[["StaffMember | StaffRefused | None"], None]
OnRead = Callable[["StaffBook | StaffRefused"], None]
Outcome = Callable[[PinCheck, "Role | StaffRefused | None"], None]


class PinChecker:
    """Checks PINs against the staff file as it stands when the check begins: people come and go meanwhile."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, staff: Path, on_checked: Outcome, within_s: float = WITHIN_S
    ) -> None:
        self.aside = Aside(loop, within_s)
        self._staff = staff
        self._on_checked = on_checked
        self._is_naming = False
        self._slow = StaffRefused("slow", path=str(staff))

    def start(self, check: PinCheck) -> None:
        """Begins a check; `on_checked` is called in the loop."""
        self.aside.run(
            partial(self._verify, check.person, check.pin),
            lambda outcome: self._on_checked(check, outcome),
            lambda: self._on_checked(check, self._slow),
        )

    def name_badge(self, badge: str, on_named: OnNamed) -> None:
        """Looks up whom a badge names; `on_named` is called in the loop. While one is looked up, another is dropped."""
        if self._is_naming:
            return
        self._is_naming = True

        def named(owner: StaffMember | StaffRefused | None) -> None:
            self._is_naming = False
            on_named(owner)

        self.aside.run(partial(self._owner, badge), named, lambda: named(self._slow))

    def read(self, on_read: OnRead) -> None:
        """Reads who the casino's people are now; `on_read` is called in the loop."""
        self.aside.run(self._book, on_read, lambda: on_read(self._slow))

    def close(self) -> None:
        """Waits for a hash that is about to end, not for a file that does not answer."""
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

    def _book(self) -> StaffBook | StaffRefused:
        try:
            return load_staff(self._staff)
        except StaffRefused as refused:
            return refused
