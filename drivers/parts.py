"""Supervises one part of the table: a lamp, buzzer, key switch or badge reader. A part does not identify itself.

A part is a small sans-IO object. Behind its `Port` is a line of the computer, or a keyboard-like reader:

    to an output line     "1" powers its relay, "0" leaves it without power
    from an input line    "1" and "0", the level whenever it changes
    from a badge reader   the kernel's input events, unchanged

The supervisor reopens a port that was lost. No report of a part permits anything.
"""

from typing import Protocol

from drivers.backoff import Backoff
from drivers.errors import PortError, PortRefused
from drivers.supervisor import SupervisorState
from drivers.trouble import Trouble, trouble_with_port

POWER: bytes = b"1"
RELEASE: bytes = b"0"


class Part(Protocol):
    """One part of the table. The part receives bytes and times. The object lasts as long as the process, even if its
    port reopens.
    """

    @property
    def state(self) -> str:
        """Returns the part's state as one word of the catalogue."""

    def opened(self, now_s: float) -> None:
        """Notes that the port has opened. A part on an output line sends its level again, since the port has lost the
        level. Other parts forget their earlier input.
        """

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives the bytes that the port has read."""

    def data_to_send(self) -> bytes:
        """Returns the bytes to write now, each byte once."""

    def next_timeout_s(self) -> float | None:
        """Returns the time at which `handle_timeout` is due; None for never."""

    def handle_timeout(self, now_s: float) -> None:
        """Does the work that is due at `now_s`, if any."""


class PartSupervisor:
    """Keeps one part's port open (satisfies `Supervised`)."""

    def __init__(self, name: str, part: Part, backoff: Backoff | None = None) -> None:
        self.name = name
        self.part = part
        self._backoff = backoff or Backoff()
        self._state = SupervisorState.OPENING
        self._port_is_held = False
        self._failures = 0
        self._retry_at_s = 0.0
        self._openings = 0
        self._trouble: Trouble | None = None

    @property
    def connected(self) -> bool:
        return self._state is SupervisorState.LINKED

    @property
    def trouble(self) -> Trouble | None:
        """The reason why the port is not open. None for an open port, and before the first attempt has failed."""
        return self._trouble

    @property
    def reconnects(self) -> int:
        return max(0, self._openings - 1)

    @property
    def wants_open(self) -> bool:
        return self._state is SupervisorState.OPENING

    @property
    def wants_close(self) -> bool:
        return self._port_is_held and self._state is not SupervisorState.LINKED

    def next_timeout_s(self) -> float | None:
        if self._state is SupervisorState.LINKED:
            return self.part.next_timeout_s()
        return self._retry_at_s if self._state is SupervisorState.WAITING and not self._port_is_held else None

    def data_to_send(self) -> bytes:
        return self.part.data_to_send() if self._state is SupervisorState.LINKED else b""

    def port_opened(self, now_s: float) -> None:
        self._port_is_held = True
        self._state = SupervisorState.LINKED
        self._openings += 1
        self._failures, self._trouble = 0, None
        self.part.opened(now_s)

    def port_failed(self, error: PortError, now_s: float) -> None:
        self._wait(error, now_s)

    def port_lost(self, error: PortError, now_s: float) -> None:
        if self._state is SupervisorState.LINKED:
            self._wait(error, now_s)

    def port_closed(self) -> None:
        self._port_is_held = False

    def receive_data(self, data: bytes, now_s: float) -> None:
        if self._state is SupervisorState.LINKED:
            self.part.receive_data(data, now_s)

    def handle_timeout(self, now_s: float) -> None:
        if self._state is SupervisorState.LINKED:
            self.part.handle_timeout(now_s)
        elif self._state is SupervisorState.WAITING and not self._port_is_held and now_s >= self._retry_at_s:
            self._state = SupervisorState.OPENING

    def _wait(self, error: PortError, now_s: float) -> None:
        self._trouble = trouble_with_port(error)
        self._failures += 1
        refused = isinstance(error, PortRefused)
        self._retry_at_s = now_s + (
            self._backoff.longest_s(0.0) if refused else self._backoff.delay_s(self._failures, 0.0)
        )
        self._state = SupervisorState.WAITING
