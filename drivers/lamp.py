"""The jam lamp and the buzzer, each on a relay of its own. Sans-IO."""

from typing import Final

from drivers.parts import POWER, RELEASE

AGAIN_S: Final = 1.0

ALARM_S: Final = 2.0
"""The time for which the buzzer sounds; regulators want an alarm of at least 1.5 s."""


class _Relay:
    """The base class of parts on a relay. A relay receives its level and sends no data."""

    _unsent = b""

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Does nothing: a relay sends no data."""

    def data_to_send(self) -> bytes:
        taken, self._unsent = self._unsent, b""
        return taken


class Lamp(_Relay):
    """The jam lamp (satisfies `Part`). The lamp lights when its relay has no power, so also if the controller dies or a
    wire is cut.
    """

    def __init__(self) -> None:
        self._is_lit = True  # until the controller allows darkness
        self._again_s: float | None = None

    @property
    def state(self) -> str:
        return "lit" if self._is_lit else "dark"

    def light(self, *, lit: bool) -> None:
        """Sets the lamp lit or dark from now on."""
        if lit != self._is_lit:
            self._is_lit = lit
            self._unsent = self._wanted()

    def opened(self, now_s: float) -> None:
        self._unsent = self._wanted()
        self._again_s = now_s + AGAIN_S

    def next_timeout_s(self) -> float | None:
        return self._again_s

    def handle_timeout(self, now_s: float) -> None:
        """Sends the lamp's level again if this is due: some relays fall back after a while without a level."""
        if self._again_s is not None and now_s >= self._again_s:
            self._again_s = now_s + AGAIN_S
            self._unsent = self._wanted()

    def _wanted(self) -> bytes:
        return RELEASE if self._is_lit else POWER


class Buzzer(_Relay):
    """A buzzer (satisfies `Part`), which sounds for ALARM_S after the last alarm. Nothing ends the sound earlier."""

    def __init__(self) -> None:
        self._until_s: float | None = None

    @property
    def state(self) -> str:
        return "silent" if self._until_s is None else "sounding"

    def alarm(self, now_s: float) -> None:
        """Starts the buzzer, or prolongs its sound, for ALARM_S from now."""
        if self._until_s is None:
            self._unsent = POWER
        self._until_s = now_s + ALARM_S

    def opened(self, now_s: float) -> None:
        """Sends the level of the buzzer's relay. Begins an interrupted alarm again: people may not have heard it."""
        if self._until_s is not None:
            self._until_s = now_s + ALARM_S
        self._unsent = RELEASE if self._until_s is None else POWER

    def next_timeout_s(self) -> float | None:
        return self._until_s

    def handle_timeout(self, now_s: float) -> None:
        if self._until_s is not None and now_s >= self._until_s:
            self._until_s = None
            self._unsent = RELEASE
