"""Simulated small parts of a table: lamp, buzzer and key switch on lines of the computer, and a badge reader that
types.
"""

from struct import Struct
from typing import Final

from simulators.devices.base import Quiet

POWER: Final = b"1"
LETS_GO_AFTER_S: Final = 3.0  # a dead controller's relay has no power; on a pty only silence tells of that
KEY_SAID_EVERY_S: Final = 1.0
KEY_HELD_S: Final = 0.6

_EVENT: Final = Struct("@llHHi")
_CODES: Final = {
    **dict(zip("1234567890", range(2, 12), strict=True)),
    **dict(zip("ABCDEF", (30, 48, 46, 32, 18, 33), strict=True)),
}
_ENTER: Final = 28


class SimulatedRelay(Quiet):
    """A relay on an output line of the computer."""

    def __init__(self) -> None:
        super().__init__()
        self._powered_until_s = 0.0
        self.switched: list[tuple[float, bool]] = []  # the times at which power came or went

    def is_powered(self, now_s: float) -> bool:
        return now_s < self._powered_until_s

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Sets the relay by the last byte of `data`: `1` powers it for LETS_GO_AFTER_S seconds, any other byte releases
        it. Empty `data` changes nothing.
        """
        if not data:
            return
        was, powered = self.is_powered(now_s), data.endswith(POWER)
        self._powered_until_s = now_s + LETS_GO_AFTER_S if powered else now_s
        if was != powered:
            self.switched.append((now_s, powered))


class SimulatedLamp(SimulatedRelay):
    """A lamp that is lit while its relay has no power."""

    def is_lit(self, now_s: float) -> bool:
        return not self.is_powered(now_s)


class SimulatedKey(Quiet):
    """A key switch whose contacts bounce."""

    def __init__(self, now_s: float) -> None:
        super().__init__()
        self._is_on = False
        self._off_at_s: float | None = None
        self._said_s = now_s

    def turn(self, now_s: float, *, on: bool) -> None:
        self._is_on, self._said_s = on, now_s
        self._out += b"10101" if on else b"01010"

    def turn_and_take_back(self, now_s: float) -> None:
        """Turns the key on, and makes it turn off KEY_HELD_S seconds later."""
        self.turn(now_s, on=True)
        self._off_at_s = now_s + KEY_HELD_S

    def next_time_s(self) -> float | None:
        again_s = self._said_s + KEY_SAID_EVERY_S
        return again_s if self._off_at_s is None else min(again_s, self._off_at_s)

    def on_time(self, now_s: float) -> None:
        """Turns the key back if that is due. Otherwise sends the key's level again, every KEY_SAID_EVERY_S seconds, for
        a host that has only just opened the line.
        """
        if self._off_at_s is not None and now_s >= self._off_at_s:
            self._off_at_s = None
            self.turn(now_s, on=False)
        elif now_s >= self._said_s + KEY_SAID_EVERY_S:
            self._said_s = now_s
            self._out += POWER if self._is_on else b"0"


class SimulatedBadgeReader(Quiet):
    """A badge reader that types a badge's number and Enter as a keyboard does, in the kernel's event format."""

    def show(self, number: str) -> None:
        """Holds a badge to the reader."""
        for code in [*(_CODES[letter] for letter in number), _ENTER]:
            for value in (1, 0):
                self._out += _EVENT.pack(0, 0, 1, code, value) + _EVENT.pack(0, 0, 0, 0, 0)
