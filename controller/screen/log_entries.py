"""Lists the entries of a round's log as choices in a form. Each choice shows the entry's number, its act, and the
values by which people recognise the entry.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Final, TypeAlias

import msgspec
from msgspec import Struct

from controller.catalogue import Language, has_key, sentence
from controller.core.engine.act import Act
from controller.core.house.round_log import Logged, OfTheLog, RoundLog
from controller.core.house.state import State
from controller.core.money import units
from controller.core.words import TableMs
from controller.protocol.values import Choice
from controller.runtime.act_values import asked_values, kind_of, may_be_left_out, value_text


class _Known(Struct):
    """The values by which people recognise an entry of a round's log. A value that the entry's act lacks is None."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    seats: tuple[int, ...] | None = None
    amount: int | None = None
    player: int | None = None
    bet: str | None = None
    chips: int | None = None


MOST_SHOWN: Final = 60
"""The most entries in a list, which shows the newest first. An older entry is chosen by its number."""

MOST_ALSO: Final = 20


_Value: TypeAlias = int | bool | str | tuple[int, ...] | None
"""A value that a correction may change."""


def entry_choices(
    state: State,
    name: str,
    instead: Mapping[str, type[Act] | None],
    who: list[str],
    language: Language,
    act: type[Act] = OfTheLog,
) -> list[Choice]:
    """Returns the choices that a person has for one value of a correction. `name`: the value's name, `entry`, `also`,
    `before` or `instead`; [] for any other name.

    `instead`: the acts that may replace an entry, by name; None for an act with unknown values. `who`: the roles that
    may give the value. `act`: the correction; each entry's choice includes the recorded values that a correction of
    this type may change.
    """
    match name:
        case "entry":
            entries = _entries(state.log.correctable()[-MOST_SHOWN:], who, language, act)
            dealt = {str(number) for number in _with_their_card(state.log)}
            return [msgspec.structs.replace(one, stays=True) if one.value in dealt else one for one in entries]
        case "also":
            return _entries([one for one in state.log.correctable() if not one.is_back][-MOST_ALSO:], who, language)
        case "before":
            return _entries(state.log.acts()[-MOST_SHOWN:], who, language)
        case "instead":
            entered = (one.name for one in state.log.correctable())  # an entry that was taken back may be restored
            acts = {**dict.fromkeys((*instead, *entered)), **instead}
            return [_replacing(one, taken, act, who, language) for one, taken in acts.items()]
        case _:
            return []


ASKING: Final = frozenset(("draw-card", "double-down", "split-pair"))
"""The acts that ask for a card."""


def _with_their_card(log: RoundLog) -> Iterator[int]:
    """Yields the numbers of the entries whose card has come: without them it would be a card that no hand is owed."""
    for one, after in pairwise(log.events):
        is_card = not after.number and after.name.startswith("card-")
        if one.name in ASKING and is_card and not one.is_back:
            yield one.number


def added_choices(adds: Mapping[str, type[Act]], act: type[Act], who: list[str], language: Language) -> list[Choice]:
    """Returns the choices for the act that the correction `act` adds to a round, each with the values that the added
    act takes.

    `adds`: the acts that may be added, by name. `who`: the roles that may give the value.
    """
    return [
        Choice(name, sentence(f"act.{name}.label", (), language), who, takes=_taken(added, act))
        for name, added in adds.items()
    ]


def _replacing(name: str, other: type[Act] | None, act: type[Act], who: list[str], language: Language) -> Choice:
    takes = {} if other is None else _taken(other, act)
    return Choice(name, sentence(f"act.{name}.label", (), language), who, takes=takes)


def _taken(added: type[Act], act: type[Act]) -> dict[str, bool]:
    own = asked_values(act)
    return {name: not may_be_left_out(added, name) for name in asked_values(added) if name in own}


def _entries(entries: Sequence[Logged], who: list[str], language: Language, act: type[Act] = OfTheLog) -> list[Choice]:
    return [Choice(str(one.number), _label(one, language), who, _recorded(one, act)) for one in reversed(entries)]


def _recorded(one: Logged, act: type[Act]) -> dict[str, str]:
    """Returns the recorded values of the entry `one` that the correction `act` may change, by name, in the form in
    which people type them.
    """
    given = msgspec.json.decode(one.event, type=dict[str, msgspec.Raw])
    own = (name for name in asked_values(act) if name in given)
    return {name: value_text(kind_of(act, name), msgspec.json.decode(given[name], type=_Value)) for name in own}


def newest_entry(state: State) -> str | None:
    """Returns the number of the newest valid entry of the round's log, which people correct most often. None without a
    valid entry.
    """
    standing = [one.number for one in state.log.correctable() if not one.is_back]
    return str(standing[-1]) if standing else None


def numbers_listed(state: State) -> tuple[int, int]:
    """Returns the first and the last number of the acts in the round's log; 0 and 0 if the log has none."""
    acts = state.log.acts()
    numbers = [one.number for one in acts] or [0]
    return min(numbers), max(numbers)


def is_of_this_log(state: State, values: Mapping[str, str], asked_ms: TableMs) -> bool:
    """True unless `values`, asked for then, name an entry of an earlier log: its number means another one now."""
    named = next((values[name] for name in ("entry", "before") if name in values), "")
    one = state.log.of(int(named)) if named else None
    return not named or (one is not None and one.at_ms <= asked_ms)


def correction_told(state: State, values: Mapping[str, str], language: Language) -> str:
    """Returns a correction in words: the entry that it changes, and the new values. "" if `values` name no entry."""
    named = next((name for name in ("entry", "before") if name in values), "")
    one = state.log.of(int(values[named])) if named else None
    if one is None:
        return ""
    given = [_given(name, text, language) for name, text in values.items() if name not in {named, "also"}]
    told = ", ".join(given) or sentence("entry-is.taken-back", (), language)
    also = _labels(state, values.get("also", ""), language)
    return (
        f"{', '.join((_label(one, language), *also))} → {told}"
        if named == "entry"
        else f"{told} → {_label(one, language)}"
    )


def _labels(state: State, numbers: str, language: Language) -> list[str]:
    found = (state.log.of(int(number)) for number in numbers.split(",") if number)
    return [_label(one, language) for one in found if one is not None]


def values_told(act: str, values: Mapping[str, str], language: Language) -> str:
    """Returns in words the values of an act, for the second person whom the act waits for. Leaves out values for which
    the catalogue has no words.
    """
    keys = {name: next(filter(has_key, (f"said.{act}-{name}", f"said.{name}")), "") for name in values}
    return ", ".join(sentence(key, {"value": values[name]}, language) for name, key in keys.items() if key)


def _given(name: str, text: str, language: Language) -> str:
    key = f"act.{text}.label" if name in {"instead", "adds"} else f"said.{name}"
    return sentence(key, {"value": text}, language)


def _is(one: Logged) -> str:
    if not one.is_back:
        return "asked-again" if one.is_passed else "corrected"
    return "passed" if one.is_passed else "taken-back"


def _label(one: Logged, language: Language) -> str:
    known = msgspec.json.decode(one.event, type=_Known)
    bet = [] if known.bet is None else [_said("bet", known.bet, language)]
    label = " ".join((f"{one.number}.", sentence(f"act.{one.name}.label", (), language), *bet))
    told = ", ".join((label, *_places(known, language)))
    told = told if known.amount is None else f"{told}: {units(known.amount)}"
    return f"{told} ({sentence(f'entry-is.{_is(one)}', (), language)})" if one.is_corrected else told


def _places(known: _Known, language: Language) -> Iterator[str]:
    if known.seats:
        yield _said("seats", ", ".join(map(str, known.seats)), language)
    if known.seat is not None:
        yield _said("seat", str(known.seat), language)
    if known.hand:
        yield _said("hand", str(known.hand), language)
    player = known.player if known.bettor in {None, known.seat} else known.bettor
    if player is not None:
        yield _said("player", str(player), language)
    if known.chips is not None:
        yield _said("chips", str(known.chips), language)


def _said(name: str, value: str, language: Language) -> str:
    return sentence(f"said.{name}", {"value": value}, language)
