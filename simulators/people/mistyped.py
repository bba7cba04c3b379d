"""A mistyped entry: the values that were typed, the values that were meant, and the corrections that people try."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from controller.core.house.round_log import RoundLog
from controller.core.words import Role

_OF_ONE_HAND: Final = frozenset(("draw-card", "stand", "double-down", "split-pair", "claim-five-cards"))
"""Acts that name one of a seat's hands; without a number they mean the first hand."""


class Entered(Struct, frozen=True):
    """An act with its values, as a person types it."""

    act: str
    values: Mapping[str, str]


class Mistyped(Struct):
    """A mistyped act. `meant`: None if no act was meant. `number`: the number of its entry in the round's list."""

    entered: Entered
    meant: Entered | None
    number: int = 0
    is_entered: bool = False  # the table has accepted it
    is_noticed: bool = False
    said_by: Role = Role.DEALER  # the person who has noticed

    def stands_in(self, log: RoundLog) -> bool:
        """True if the round's list still contains the mistyped values."""
        one = log.of(self.number)
        return one is not None and one.is_correctable and one.name == self.entered.act and not one.is_corrected


_ADDED: Final = frozenset(("place-chips", "place-value-chips", "place-side-bet", "insure"))
_ONE_IN: Final = 2
"""One in this many entries of the acts in _ADDED is taken back, and then added again with the meant values."""

_HANG: Final = ("confirm-payments", "collect-cards")
"""Acts that depend on a payment marked as made."""


def is_added_again(wrong: Mistyped, log: RoundLog) -> bool:
    """True if people correct the mistyped entry `wrong` by withdrawing it and adding the meant act. They can do so once
    the round's list has a later act.
    """
    is_one = wrong.entered.act in _ADDED and wrong.meant is not None and wrong.number % _ONE_IN == 1
    return is_one and any(one.number > wrong.number for one in log.acts())


def addition_of(wrong: Mistyped, log: RoundLog) -> dict[str, str] | None:
    """Returns the values of the act that adds the meant entry, once the wrong entry is withdrawn.

    Returns None before the withdrawal, after the addition, and if people correct the wrong entry in another way.
    """
    numbers, meant = [one.number for one in log.acts()], wrong.meant
    if meant is None or not is_added_again(wrong, log) or wrong.number not in numbers[:-1]:
        return None
    behind = numbers[numbers.index(wrong.number) + 1]
    one, then = log.of(wrong.number), log.of(behind)
    is_added = then is not None and then.is_corrected and then.name == meant.act
    if one is None or not one.is_back or is_added:
        return None
    return {"before": str(behind), "adds": meant.act, **meant.values}


def taken_back_with(wrong: Mistyped, log: RoundLog) -> dict[str, str] | None:
    """Returns the values of the act that withdraws the mistyped entry `wrong` together with later entries that depend
    on it. Returns None if no later entry depends on it.
    """
    hang = [one.number for one in log.correctable() if one.number > wrong.number and one.name in _HANG]
    return {**taken_back(wrong), "also": ",".join(map(str, hang))} if hang else None


def corrections_of(wrong: Mistyped, log: RoundLog) -> tuple[dict[str, str], ...]:
    """Returns the values of each act by which people try to correct the mistyped entry `wrong`, in the order of their
    tries.
    """
    found = (correction_of(wrong), taken_back(wrong), taken_back_with(wrong, log))[is_added_again(wrong, log) :]
    return tuple(values for values in found if values is not None)


def taken_back(wrong: Mistyped) -> dict[str, str]:
    """Returns the values of the act that withdraws the mistyped entry `wrong`."""
    return {"entry": str(wrong.number)}


def correction_of(wrong: Mistyped) -> dict[str, str]:
    """Returns the values of the act that corrects the mistyped entry `wrong`: the entry's number, and the meant act or
    the values that differ. If no act was meant, the values withdraw the entry.
    """
    values = taken_back(wrong)
    if wrong.meant is None:
        return values
    if wrong.meant.act != wrong.entered.act:
        values["instead"] = wrong.meant.act
    is_plain = wrong.meant.act in _OF_ONE_HAND and "hand" in wrong.entered.values.keys() - wrong.meant.values.keys()
    meant = {"hand": "1"} if is_plain else {}
    meant |= wrong.meant.values
    return values | {name: text for name, text in meant.items() if wrong.entered.values.get(name) != text}
