"""PINs are hashed in a thread, one at a time: a hash takes 0.1 s and 64 MiB, and the loop waits for nothing."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from controller.core.words import Role
from controller.runtime.gate import PinCheck
from controller.staff import StaffRefused, load_staff
from controller.staff.book import StaffMember

OnNamed = Callable[["StaffMember | StaffRefused | None"], None]
Outcome = Callable[[PinCheck, "Role | StaffRefused | None"], None]


class PinChecker:
    """Checks PINs against the staff file as it stands when the check begins: people come and go meanwhile."""

    def __init__(self, loop: asyncio.AbstractEventLoop, staff: Path, on_checked: Outcome) -> None:
        self._loop = loop
        self._staff = staff
        self._on_checked = on_checked
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pin")

    def start(self, check: PinCheck) -> None:
        """Begins a check; `on_checked` is called in the loop."""
        future = self._loop.run_in_executor(self._thread, self._verify, check.person, check.pin)
        future.add_done_callback(lambda done: self._on_checked(check, done.result()))

    def name_badge(self, badge: str, on_named: OnNamed) -> None:
        """Looks up whom a badge names; `on_named` is called in the loop. The file is read in the thread, too."""
        future = self._loop.run_in_executor(self._thread, self._owner, badge)
        future.add_done_callback(lambda done: on_named(done.result()))

    def close(self) -> None:
        """Waits for the hash that is under way, at most its 0.1 s or so."""
        self._thread.shutdown(cancel_futures=True)

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
