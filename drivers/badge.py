"""A badge reader that types like a keyboard: turns the kernel's key events into badge numbers. Sans-IO.

Any keyboard can type a number, so a badge names a person and proves nothing. An input is dropped and counted if it is
slower than a reader's, has a key that no badge has, or is shorter or longer than a badge's number.
"""

from collections import Counter
from struct import Struct
from typing import Final

EVENT: Final = Struct("@llHHi")  # struct input_event: seconds, microseconds, type, code, value
KEY_EVENT: Final = 1
RELEASED: Final = 0
PRESSED: Final = 1

SHORTEST: Final = 4
LONGEST: Final = 20
BETWEEN_KEYS_S: Final = 0.1  # a reader types a key in a few milliseconds; no hand types four keys in a row so fast
WHOLE_S: Final = 1.0
REMEMBERED: Final = 16  # the most numbers that wait to be taken

_ENTER: Final = frozenset({28, 96})
_SHIFTS: Final = frozenset({42, 54, 58})
_KEYS: Final = (
    dict(zip(range(2, 12), "1234567890", strict=True))
    | dict(zip((82, 79, 80, 81, 75, 76, 77, 71, 72, 73), "0123456789", strict=True))  # the number pad
    | dict(zip((30, 48, 46, 32, 18, 33), "ABCDEF", strict=True))
)


class BadgeReader:
    """Turns the key events of a reader into badge numbers of digits and A to F, in upper case (satisfies `Part`).

    `rejected`: the number of dropped inputs, by reason.
    """

    def __init__(self) -> None:
        self.rejected: Counter[str] = Counter()
        self._rest = b""
        self._typed = ""
        self._began_s = 0.0
        self._last_s = 0.0
        self._spoilt_by = ""  # the reason why the present input is no badge
        self._down: set[int] = set()  # keys that were pressed and not released
        self._shown: list[str] = []

    @property
    def state(self) -> str:
        return "waiting"

    def shown(self) -> list[str]:
        """Returns the numbers of the badges that were read since the last call, at most the newest REMEMBERED."""
        taken, self._shown = self._shown, []
        return taken

    def opened(self, _now_s: float) -> None:
        self._rest, self._typed, self._spoilt_by = b"", "", ""
        self._down.clear()

    def receive_data(self, data: bytes, now_s: float) -> None:
        """Receives key events. Each counts as pressed at `now_s`: the kernel's own times follow the wall clock, which
        may jump.
        """
        whole = self._rest + data
        end = len(whole) - len(whole) % EVENT.size
        self._rest = whole[end:]
        for _seconds, _micros, kind, code, value in EVENT.iter_unpack(whole[:end]):
            if kind == KEY_EVENT and value == RELEASED:
                self._down.discard(code)
            elif kind == KEY_EVENT and value == PRESSED and code not in _SHIFTS:
                self._key(code, now_s)
                self._down.add(code)

    def data_to_send(self) -> bytes:
        return b""

    def next_timeout_s(self) -> float | None:
        return self._last_s + WHOLE_S if self._typed or self._spoilt_by else None

    def handle_timeout(self, now_s: float) -> None:
        """Drops and counts an incomplete number if no key has come for WHOLE_S."""
        if (self._typed or self._spoilt_by) and now_s >= self._last_s + WHOLE_S:
            self._reject(self._spoilt_by or "unfinished")

    def _key(self, code: int, now_s: float) -> None:
        """Adds a pressed key to the number. After a key that is no part of a badge's number, drops all input up to
        Enter.
        """
        if self._typed and (now_s - self._last_s > BETWEEN_KEYS_S or now_s - self._began_s > WHOLE_S):
            self._spoilt_by = self._spoilt_by or "too-slow"
        if code in _ENTER:
            self._finish()
            return
        if not self._typed:
            self._began_s = now_s
        self._last_s = now_s
        letter = _KEYS.get(code)
        if code in self._down:  # the kernel reports no press twice, so a damaged release was read as a press
            self._spoilt_by = self._spoilt_by or "pressed-twice"
        if letter is None or len(self._typed) == LONGEST:
            self._spoilt_by = self._spoilt_by or "no-number"
        else:
            self._typed += letter

    def _finish(self) -> None:
        if self._typed and len(self._typed) < SHORTEST:
            self._spoilt_by = self._spoilt_by or "too-short"
        if self._spoilt_by:
            self._reject(self._spoilt_by)
        elif self._typed:
            self._shown = [*self._shown, self._typed][-REMEMBERED:]
            self._typed = ""
        self._down.clear()

    def _reject(self, reason: str) -> None:
        self.rejected[reason] += 1
        self._typed = self._spoilt_by = ""
        self._down.clear()  # a lost release spoils one badge, but not the next
