"""Tests each status of a shuffler: only a command and a jam may change the jam lamp."""

from collections.abc import Iterator
from typing import Final

from firmware_protocols.tdp.conform.told import Finding
from firmware_protocols.tdp.shuffler import LidOpened, ShufflerStatus

SHOWS_WITHIN_S: Final = 0.5  # 0.4 s, and the lateness of the line


class LampWatch:
    """The state that the jam lamp must have after the last command and any later jam. Unknown until an answer."""

    def __init__(self) -> None:
        self._is_lit: bool | None = None
        self._since_s = 0.0
        self._is_jammed = False
        self._was_open = False  # the lid, since the command
        self._sessions = self._starts = 0  # since the command
        self._unshown: str | None = None  # the duty that is broken where it was never seen as told

    def command_said(self) -> None:
        """Notes that a command was sent. The lamp's state is unknown until the command is answered."""
        self._is_lit = None

    def command_done(self, status: object, now_s: float, *, lamp: bool, is_refused: bool) -> None:
        """Notes the state of the lamp that the answered command asked for. Does nothing for a device that is no
        shuffler.

        `status`: the status in the answer to the command. The result must not be BAD_COMMAND.
        """
        if isinstance(status, ShufflerStatus):
            self._is_jammed = status.jammed
            self._is_lit, self._since_s = lamp or status.jammed, now_s
            self._sessions = self._starts = 0
            self._was_open = False
            is_shown = status.lamp_lit is self._is_lit
            self._unshown = None if is_shown else "9.22" if is_refused else "10.8"

    def session_opened(self, *, is_start: bool, is_spoilt: bool) -> None:
        """Notes a new session. After a start (`is_start`) with spoilt memory (`is_spoilt`) the lamp is unknown."""
        self._sessions += 1
        self._starts += is_start
        if is_start and is_spoilt:
            self._is_lit = None

    def event_came(self, event: object) -> None:
        """Notes if `event` reports an open lid. The lid may be closed again in the next status."""
        self._was_open |= isinstance(event, LidOpened)

    def lid_moved(self) -> None:
        """Notes that hands have moved the lid."""
        self._was_open = True

    def of_status(self, status: object, now_s: float, *, is_withdrawn: bool) -> Iterator[Finding]:
        """Yields a finding if the lamp is still wrong 0.5 s after the command. The lamp's right state then becomes
        unknown.

        `is_withdrawn`: True if a silence or 48 waiting events withdraw all permissions.
        """
        if not isinstance(status, ShufflerStatus) or self._is_lit is None:
            return
        was_jammed, self._is_jammed = self._is_jammed, status.jammed
        if status.jammed:
            self._is_lit = True
        elif was_jammed:  # it was ended without a command: another duty says so
            self._is_lit = None
            return
        is_lit = status.lamp_lit
        self._was_open |= status.lid_open
        self._unshown = None if is_lit is self._is_lit else self._unshown
        if now_s - self._since_s < SHOWS_WITHIN_S or is_lit is self._is_lit:
            return
        duty = self._unshown or self._duty(is_lit=is_lit, is_withdrawn=is_withdrawn)
        yield duty, False, f"lamp_lit {is_lit}, and told otherwise: {status}"
        self._is_lit = None

    def _duty(self, *, is_lit: bool, is_withdrawn: bool) -> str:
        if self._starts:
            return "9.19"
        if is_withdrawn or self._sessions or (self._was_open and not is_lit):
            return "9.24" if is_lit else "9.18"
        return "10.8"
