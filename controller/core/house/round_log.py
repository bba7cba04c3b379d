"""The log of a round: the state before its first entry, and the later events. By the log an entry can be corrected.

The log begins with the first act that can be corrected: one with `undone=BY_ENTRY` in its row. The log is kept until
the next round begins, with the first bet or any step out of idling. A full log (MOST_LOGGED) is dropped, and its
entries can no longer be corrected.
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
    """The base class of the acts on a round's log. These acts are not entries of the log."""


class OfAnEntry(OfTheLog, frozen=True):
    """The base class of the acts that name an entry by its number. The numbers begin again with each log."""


class Logged(Struct, frozen=True, gc=False):
    """One event of the round. `number`: the act's number in the log, from 1; 0 for a fact. `name`: the name of the
    event's row. `event`: its values as JSON. `is_corrected`: a correction has changed or added the entry, so the
    journal does not have it with these values. `is_back`: the entry has no effect: it was withdrawn, or is the first of
    two requests. `is_passed`: the entry was withdrawn or became another act after later hands had played, so its hand
    plays after those hands. `asks`: the numbers of the entries with `is_passed` whose hands are asked again after this
    event.
    """

    number: int
    name: str
    event: str
    at_ms: TableMs
    is_correctable: bool = False
    is_corrected: bool = False
    is_back: bool = False
    is_passed: bool = False
    asks: tuple[int, ...] = ()
    last: tuple[int, int] = (0, 0)  # the numbers of the last hold and the last duty after this event


class Difference(Struct, frozen=True, gc=False):
    """The change of a player's result by a correction: positive is paid to the player, negative comes back from the
    player.
    """

    seat: int
    player: int
    amount: str  # in currency units, with its sign
    hand: int = 1  # the number of the seat's hand


class RoundLog(Struct, frozen=True, gc=False):
    """The log of a round. `base`: the state before the first event, as JSON. `differences`: the changed amounts that
    people have not settled. `is_over`: True if the round has ended, and no later round has begun.
    """

    base: str = ""
    events: tuple[Logged, ...] = ()
    differences: tuple[Difference, ...] = ()
    entries: int = 0  # the number of acts so far
    corrected: int = 0  # entries that were corrected in this round
    is_over: bool = False

    def correctable(self) -> tuple[Logged, ...]:
        """The entries that a correction may change or take back, in the order of their events."""
        return tuple(one for one in self.events if one.is_correctable)

    def acts(self) -> tuple[Logged, ...]:
        """All acts in their order, including those that no correction may change."""
        return tuple(one for one in self.events if one.number)

    def of(self, number: int) -> Logged | None:
        return next((one for one in self.events if one.number == number), None) if number else None


NO_LOG: Final = RoundLog()


def text_of(value: Struct) -> str:
    """The JSON text of a state or an event, in the form that the log keeps."""
    return msgspec.json.encode(value).decode()


def read_as(text: str, kind: type[T]) -> T:
    """The value that `text_of` has written as `text`."""
    return msgspec.json.decode(text, type=kind)


def has_value(log: RoundLog, name: str) -> bool:
    """True if a correctable entry of the log has a field of this name."""
    return any(name in msgspec.json.decode(one.event, type=dict[str, msgspec.Raw]) for one in log.correctable())


def made_of(kind: type[T], values: dict[str, object]) -> T | None:
    """The event of this type with these values by field name. None if the values do not fit its fields."""
    try:
        return msgspec.json.decode(msgspec.json.encode(values), type=kind)
    except msgspec.ValidationError:
        return None


def logged(
    log: RoundLog,
    name: str,
    event: Act | Fact,
    at_ms: TableMs,
    last: tuple[int, int],
    *,
    is_entry: bool,
    is_back: bool,
) -> RoundLog:
    """The log with `event` added. Each act gets the next entry number, except an act on the log itself. `name`: the
    name of the event's row. `is_entry`: True if a correction may change the event. `is_back`: True if the event has no
    effect (`Logged`). `last`: the numbers of the last hold and the last duty after the event.
    """
    is_counted = isinstance(event, Act) and not isinstance(event, OfTheLog)
    entries = log.entries + 1 if is_counted else log.entries
    number, text = entries if is_counted else 0, text_of(event)
    one = Logged(number, name, text, at_ms, is_entry and not is_back, is_back=is_back, last=last)
    return replace(log, events=(*log.events, one), entries=entries)
