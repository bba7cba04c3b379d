"""How long a PIN waits after wrong ones: pure, in table time, the same after a restart.

Three waits, and the longest one counts. A person's stands at the terminal where the wrong PINs were typed: every one in
a row doubles it, a right one ends it, and at another terminal nobody waits for it. A terminal's begins with its tenth
wrong PIN within an hour, whoever's number was tried; it is short, so that whoever types nonsense there keeps nobody
away for long. The third bounds guessing from many terminals: those of one user of the computer, and all screens of the
network are one user's, wait for what was typed wrong at the others within the last minute, one without a wrong PIN of
its own for twice as many. The screen at the table takes no part in it, so that nothing typed elsewhere keeps anybody
waiting there. The journal has each try, so that folding its entries gives the same waits again; table time stands
still while the controller is down, and so do the waits.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from controller.protocol.lines import TABLE_SCREEN

FIRST_WAIT_MS: Final = 1_000
LONGEST_WAIT_MS: Final = 300_000
TERMINAL_WAIT_MS: Final = 15_000

MANY: Final = 10
"""Wrong PINs within FORGOTTEN_MS after which a terminal waits, and at the table the room manager is told."""

MANY_ELSEWHERE: Final = 6
"""Wrong PINs within A_MINUTE_MS at a user's other terminals after which one with wrong PINs of its own waits."""

A_MINUTE_MS: Final = 60_000
FORGOTTEN_MS: Final = 3_600_000
"""A try that is so old counts for nothing."""

TerminalName: TypeAlias = str
"""Where a PIN was typed: the user of the computer, and what the user calls the screen. "": not known."""


@dataclass(frozen=True, slots=True)
class Tries:
    """Wrong PINs in a row, and when the last of them was."""

    wrong: int
    last_ms: int


@dataclass(frozen=True, slots=True)
class Lockout:
    """The wrong tries of the last hour: by terminal and number that was given, and of each terminal, the last ten."""

    tries: Mapping[tuple[TerminalName, int], Tries] = field(default_factory=dict)
    of_terminal: Mapping[TerminalName, tuple[int, ...]] = field(default_factory=dict)

    def after(self, person: int, at_ms: int, *, right: bool, terminal: TerminalName = "") -> "Lockout":
        """The lockout after one checked PIN. A try that had to wait is not checked and does not come here.

        A right one ends the person's waits at every terminal: an act's entry does not say where it was asked for.
        """
        if right and not any(number == person for _, number in self.tries):
            return self
        since_ms = at_ms - FORGOTTEN_MS
        tries = {key: tries for key, tries in self.tries.items() if tries.last_ms > since_ms}
        of_terminal = {name: times for name, times in self.of_terminal.items() if times[-1] > since_ms}
        if right:
            return Lockout({key: one for key, one in tries.items() if key[1] != person}, of_terminal)
        before = tries.get((terminal, person), Tries(0, at_ms))
        tries[terminal, person] = Tries(before.wrong + 1, at_ms)
        of_terminal[terminal] = (*of_terminal.get(terminal, ()), at_ms)[-MANY:]
        return Lockout(tries, of_terminal)

    def wait_ms(self, person: int, at_ms: int, terminal: TerminalName = "") -> int:
        """How long until this person's next PIN at this terminal is checked; 0: now."""
        return max(
            self._wait_of_person(terminal, person, at_ms),
            self._wait_of_terminal(terminal, at_ms),
            0 if _is_at_table(terminal) else self._wait_of_user(terminal, at_ms),
        )

    def wrong_within_the_hour(self, at_ms: int) -> int:
        """How many wrong PINs there were, of all terminals; each counts its last ten."""
        times = (time for times in self.of_terminal.values() for time in times)
        return sum(time > at_ms - FORGOTTEN_MS for time in times)

    def _wait_of_person(self, terminal: TerminalName, person: int, at_ms: int) -> int:
        tries = self.tries.get((terminal, person))
        if tries is None or at_ms - tries.last_ms >= FORGOTTEN_MS:
            return 0
        return max(0, tries.last_ms + wait_after_ms(tries.wrong) - at_ms)

    def _wait_of_terminal(self, terminal: TerminalName, at_ms: int) -> int:
        times = self.of_terminal.get(terminal, ())
        if len(times) < MANY or times[0] <= at_ms - FORGOTTEN_MS:
            return 0
        return max(0, times[-1] + TERMINAL_WAIT_MS - at_ms)

    def _wait_of_user(self, terminal: TerminalName, at_ms: int) -> int:
        has_own = any(time > at_ms - FORGOTTEN_MS for time in self.of_terminal.get(terminal, ()))
        most = MANY_ELSEWHERE if has_own else 2 * MANY_ELSEWHERE
        elsewhere = [times for name, times in self.of_terminal.items() if _are_together(name, terminal)]
        recent = sorted(time for times in elsewhere for time in times if time > at_ms - A_MINUTE_MS)
        return recent[-most] + A_MINUTE_MS - at_ms if len(recent) >= most else 0


def _are_together(terminal: TerminalName, other: TerminalName) -> bool:
    """True where both are of one user and neither is at the table."""
    is_of_one = terminal.partition("/")[0] == other.partition("/")[0]
    return is_of_one and terminal != other and not _is_at_table(terminal)


def is_tablet(terminal: TerminalName) -> bool:
    """True where it has a name, and is another than the table's screen."""
    return terminal.partition("/")[2] not in {"", TABLE_SCREEN}


def _is_at_table(terminal: TerminalName) -> bool:
    return terminal.partition("/")[2] == TABLE_SCREEN


def wait_after_ms(wrong: int) -> int:
    """The wait after this many wrong PINs in a row: 1 s, doubling, at most 5 min."""
    if wrong < 1:
        return 0
    doublings = min(wrong - 1, LONGEST_WAIT_MS.bit_length())
    return min(FIRST_WAIT_MS << doublings, LONGEST_WAIT_MS)
