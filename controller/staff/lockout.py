"""Computes how long a person must wait after wrong PINs before another PIN is checked. Pure, in table time, and the
same after a restart.

There are three waits; the longest counts.

- A person's wait at a terminal doubles with every wrong PIN in a row there. A right PIN ends the person's waits at
  every terminal.
- A terminal's wait begins with the tenth wrong PIN within an hour, whatever the numbers. It is short, so that a person
  who types nonsense does not block the terminal for long.
- A user's wait bounds guessing from many terminals. It holds for all terminals of one user of the computer (all screens
  of the network belong to one user) and counts the wrong PINs of the last minute at the user's other terminals. A
  terminal without a wrong PIN of its own waits only after twice as many. The table's own screen takes no part, so PINs
  typed elsewhere never make people there wait.

The journal has each try, so replaying its entries gives the same waits again. Table time, and with it each wait, stands
still while the controller is down.
"""

from collections.abc import Mapping
from typing import Final, TypeAlias

from msgspec import Struct, field

from controller.protocol.lines import TABLE_SCREEN

FIRST_WAIT_MS: Final = 1_000
LONGEST_WAIT_MS: Final = 300_000
TERMINAL_WAIT_MS: Final = 15_000

MANY: Final = 10
"""The number of wrong PINs within FORGOTTEN_MS after which a terminal waits; so many at all terminals raise a duty of
the room manager.
"""

MANY_ELSEWHERE: Final = 6
"""The number of wrong PINs within A_MINUTE_MS, at other terminals of the same user, after which a terminal that has
wrong PINs of its own waits.
"""

A_MINUTE_MS: Final = 60_000
FORGOTTEN_MS: Final = 3_600_000
"""The age in milliseconds from which a wrong PIN no longer counts."""

TerminalName: TypeAlias = str
"""The terminal of a PIN: the user of the computer, `/`, and the user's name for the screen. "": unknown."""


class Tries(Struct, frozen=True, gc=False):
    """The number of wrong PINs in a row, and the time of the last wrong PIN."""

    wrong: int
    last_ms: int


class Lockout(Struct, frozen=True, gc=False):
    """The wrong PINs of the last hour. `tries`: the wrong PINs in a row, by terminal and by the number that was typed
    for the person. `of_terminal`: the times of the last ten wrong PINs, by terminal.
    """

    tries: Mapping[tuple[TerminalName, int], Tries] = field(default_factory=dict)
    of_terminal: Mapping[TerminalName, tuple[int, ...]] = field(default_factory=dict)

    def after(self, person: int, at_ms: int, *, right: bool, terminal: TerminalName = "") -> "Lockout":
        """Returns the lockout after a PIN was checked at `at_ms`. Do not pass a PIN that was typed during a wait: such
        a PIN is not checked.

        A right PIN ends the person's waits at every terminal, since an act's entry does not name its terminal.
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
        """Returns the milliseconds until this person's next PIN at this terminal is checked; 0 if no wait is left."""
        return max(
            self._wait_of_person(terminal, person, at_ms),
            self._wait_of_terminal(terminal, at_ms),
            0 if _is_at_table(terminal) else self._wait_of_user(terminal, at_ms),
        )

    def wrong_within_the_hour(self, at_ms: int) -> int:
        """Returns the number of wrong PINs in the last hour at all terminals, at most ten for each terminal."""
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
    """True if `terminal` and `other` are different terminals of one user of the computer. False if `terminal` is the
    table's own screen.
    """
    is_of_one = terminal.partition("/")[0] == other.partition("/")[0]
    return is_of_one and terminal != other and not _is_at_table(terminal)


def is_tablet(terminal: TerminalName) -> bool:
    """True if the terminal's name ends with the name of a screen other than the table's own, as a tablet's does."""
    return terminal.partition("/")[2] not in {"", TABLE_SCREEN}


def _is_at_table(terminal: TerminalName) -> bool:
    return terminal.partition("/")[2] == TABLE_SCREEN


def wait_after_ms(wrong: int) -> int:
    """Returns the wait in milliseconds after this many wrong PINs in a row: 1 s, doubling, at most 5 min."""
    if wrong < 1:
        return 0
    doublings = min(wrong - 1, LONGEST_WAIT_MS.bit_length())
    return min(FIRST_WAIT_MS << doublings, LONGEST_WAIT_MS)
