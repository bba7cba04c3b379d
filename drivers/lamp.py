"""Jam lamp and buzzer, each on a relay of its own. Sans-IO."""

from typing import Final

from drivers.parts import POWER, RELEASE

AGAIN_S: Final = 1.0

ALARM_S: Final = 2.0
"""How long the buzzer sounds; regulators want an alarm of at least 1.5 s."""


class Lamp:
    """Its relay without power lights it, with power darkens it: a dead controller or a cut wire shows as a lit lamp.

    (satisfies `Part`)
    """

    def __init__(self) -> None:
        self._is_lit = True  # until somebody knows that it need not be
        self._unsent = b""
        self._again_s: float | None = None

    @property
    def state(self) -> str:
        return "lit" if self._is_lit else "dark"

    def light(self, *, lit: bool) -> None:
        """Set the lamp's state from now on."""
        if lit != self._is_lit:
            self._is_lit = lit
            self._unsent = self._wanted()

    def opened(self, now_s: float) -> None:
        self._unsent = self._wanted()
        self._again_s = now_s + AGAIN_S

    def receive_data(self, data: bytes, now_s: float) -> None:
        """A lamp says nothing."""

    def data_to_send(self) -> bytes:
        taken, self._unsent = self._unsent, b""
        return taken

    def next_timeout_s(self) -> float | None:
        return self._again_s

    def handle_timeout(self, now_s: float) -> None:
        """Says it again: a relay that lets go by itself when nobody does is the better one."""
        if self._again_s is not None and now_s >= self._again_s:
            self._again_s = now_s + AGAIN_S
            self._unsent = self._wanted()

    def _wanted(self) -> bytes:
        return RELEASE if self._is_lit else POWER


class Buzzer:
    """Sounds for ALARM_S from each alarm on; one that has begun is never cut short (satisfies `Part`)."""

    def __init__(self) -> None:
        self._until_s: float | None = None
        self._unsent = b""

    @property
    def state(self) -> str:
        return "silent" if self._until_s is None else "sounding"

    def alarm(self, now_s: float) -> None:
        """Something has happened that people must hear of; while it sounds it goes on for longer."""
        if self._until_s is None:
            self._unsent = POWER
        self._until_s = now_s + ALARM_S

    def opened(self, now_s: float) -> None:
        """An alarm that nobody may have heard begins anew."""
        if self._until_s is not None:
            self._until_s = now_s + ALARM_S
        self._unsent = RELEASE if self._until_s is None else POWER

    def receive_data(self, data: bytes, now_s: float) -> None:
        """A buzzer says nothing."""

    def data_to_send(self) -> bytes:
        taken, self._unsent = self._unsent, b""
        return taken

    def next_timeout_s(self) -> float | None:
        return self._until_s

    def handle_timeout(self, now_s: float) -> None:
        if self._until_s is not None and now_s >= self._until_s:
            self._until_s = None
            self._unsent = RELEASE
