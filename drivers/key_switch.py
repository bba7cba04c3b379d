"""A key switch on an input line, debounced. The switch shows that a person turned the key, not who. Sans-IO."""

from typing import Final

STABLE_S: Final = 0.05
"""The time for which a level must last to count.

Contacts bounce for some milliseconds; a turn takes a tenth of a second.
"""


class KeySwitch:
    """A key switch that is on or off (satisfies `Part`). A new level of the line counts once it has lasted STABLE_S."""

    def __init__(self) -> None:
        self.is_on = False
        self._level = False
        self._settles_s: float | None = None
        self._turns: list[bool] = []

    @property
    def state(self) -> str:
        return "on" if self.is_on else "off"

    def turns(self) -> list[bool]:
        """Returns the turns of the key since the last call, in order: True for a turn to on, False for off."""
        taken, self._turns = self._turns, []
        return taken

    def opened(self, now_s: float) -> None:
        """Notes that the port has opened. The key counts as off until the line's level is read."""
        self._level, self._settles_s = False, now_s
        self._turn(on=False)

    def receive_data(self, data: bytes, now_s: float) -> None:
        for byte in data:
            if byte in b"01":
                level = byte == ord("1")
                if level != self._level:
                    self._level, self._settles_s = level, now_s + STABLE_S

    def data_to_send(self) -> bytes:
        return b""

    def next_timeout_s(self) -> float | None:
        return self._settles_s

    def handle_timeout(self, now_s: float) -> None:
        if self._settles_s is not None and now_s >= self._settles_s:
            self._settles_s = None
            self._turn(on=self._level)

    def _turn(self, *, on: bool) -> None:
        if on != self.is_on:
            self.is_on = on
            self._turns.append(on)
