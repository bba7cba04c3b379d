"""The log of a round: the state before its first entry, and the later events, so that an entry can be corrected.

The log begins with an act that a correction may undo (`undone` of its row). It stays after the round, until the next
round begins: with the first bet, or any step out of idling. It is bounded: an event beyond the bound begins a new log,
and the earlier entries cannot be corrected any more.
"""

from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from controller.core.engine.act import Act, Fact
from controller.core.engine.replacing import replace
from controller.core.words import TableMs

T = TypeVar("T")

MOST_LOGGED: Final = 1_500
"""The most events of one log; a long round of seven players has some 150."""


class OfTheLog(Act, frozen=True):
    """An act on the log itself, which is not an entry of the log."""


class Logged(Struct, frozen=True, gc=False):
    """One event of the round. `number`: of an act, from 1; 0: a fact. `name`: of its row; `event`: its values as JSON.

    `is_corrected`: the journal has the act with its first values. `is_back`: the entry has no effect: it was taken
    back, or is the first half of an act for two, whose second half stands as the first person's act. `is_passed`: it
    was taken back after later hands had played, and its hand plays after them.
    """

    number: int
    name: str
    event: str
    at_ms: TableMs
    is_correctable: bool = False
    is_corrected: bool = False
    is_back: bool = False
    is_passed: bool = False
    last: tuple[int, int] = (0, 0)  # the numbers of the last hold and the last duty after this event


class Difference(Struct, frozen=True, gc=False):
    """An amount that a correction has changed: positive is paid to the player, negative comes back from him."""

    seat: int
    player: int
    amount: str  # in currency units, with its sign
    hand: int = 1  # the number of the seat's hand


class RoundLog(Struct, frozen=True, gc=False):
    """`base`: the state before the first event, as JSON. `differences`: the unsettled ones.

    `is_over`: the round has ended, and no other has begun.
    """

    base: str = ""
    events: tuple[Logged, ...] = ()
    differences: tuple[Difference, ...] = ()
    entries: int = 0  # the number of acts so far
    corrected: int = 0  # entries that were corrected in this round
    is_over: bool = False

    def correctable(self) -> tuple[Logged, ...]:
        """The entries that a correction may change, in their order."""
        return tuple(one for one in self.events if one.is_correctable)

    def acts(self) -> tuple[Logged, ...]:
        """All acts, also those that no correction may change, in their order."""
        return tuple(one for one in self.events if one.number)

    def of(self, number: int) -> Logged | None:
        return next((one for one in self.events if one.number == number), None) if number else None


NO_LOG: Final = RoundLog()


def text_of(value: Struct) -> str:
    """The JSON text of a state or an event, as the log keeps it."""
    return msgspec.json.encode(value).decode()


def read_as(text: str, kind: type[T]) -> T:
    """The value of a text that `text_of` has written."""
    return msgspec.json.decode(text, type=kind)


def has_value(log: RoundLog, name: str) -> bool:
    """True where a correctable entry has a value of this name."""
    return any(name in msgspec.json.decode(one.event, type=dict[str, msgspec.Raw]) for one in log.correctable())


def made_of(kind: type[T], values: dict[str, object]) -> T | None:
    """The event with these values; None for values that do not fit its fields."""
    try:
        return msgspec.json.decode(msgspec.json.encode(values), type=kind)
    except msgspec.ValidationError:
        return None


def logged(log: RoundLog, name: str, event: Act | Fact, at_ms: TableMs, *, is_entry: bool, is_back: bool) -> RoundLog:
    """The log with one more event. Acts are numbered as entries; acts on the log itself are not."""
    is_counted = isinstance(event, Act) and not isinstance(event, OfTheLog)
    entries = log.entries + 1 if is_counted else log.entries
    one = Logged(entries if is_counted else 0, name, text_of(event), at_ms, is_entry and not is_back, is_back=is_back)
    return replace(log, events=(*log.events, one), entries=entries)


def behind(log: RoundLog, last: tuple[int, int]) -> RoundLog:
    """The log, whose last event now has the numbers of the last hold and of the last duty."""
    return replace(log, events=(*log.events[:-1], replace(log.events[-1], last=last))) if log.events else log
