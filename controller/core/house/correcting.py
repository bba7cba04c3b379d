"""Corrections of a round's log by two people: an entry gets other values, is taken back, or is added."""

from typing import Any, Final

from controller.core.engine.act import Act, Fact
from controller.core.engine.replacing import replace
from controller.core.house.money_at_stake import Money
from controller.core.house.registry import Registry
from controller.core.house.round_log import Logged, OfAnEntry, RoundLog, made_of, text_of
from controller.core.house.rule import ActRule
from controller.core.house.state import State
from controller.core.house.undoing import Way
from controller.core.house.worked_out import event_of


class CorrectEntry(OfAnEntry, frozen=True):
    """Two people withdraw an entry, or give it other values. `entry`: the entry's number in the round's log. `instead`:
    the name of the right act; None for the same act. `also`: the numbers of further entries to withdraw. Each game adds
    fields for the correctable values. Without any of these values and without `instead`, the entry is withdrawn.
    """

    entry: int
    instead: str | None = None
    also: tuple[int, ...] | None = None


class AddEntry(OfAnEntry, frozen=True):
    """Two people add a missing act. `adds`: the act's name. `before`: the number of the entry that will follow it. Each
    game adds the possible values of the act.
    """

    before: int
    adds: str


class Unfit(Exception):  # noqa: N818 (a value does not fit; nothing has failed)
    """Raised if a correction does not fit the entry or changes nothing, and for an act that is no correction."""


_OWN: Final = frozenset((*CorrectEntry.__struct_fields__, *AddEntry.__struct_fields__))


def entries_named(act: Act) -> tuple[int, ...]:
    """The numbers of the log's entries that a correction names. Empty for any other act."""
    match act:
        case CorrectEntry():
            return (act.entry, *(act.also or ()))
        case AddEntry():
            return (act.before,)
        case _:
            return ()


def own_numbers(state: State, act: Act) -> tuple[int, ...]:
    """The numbers of the log's entries that a correction changes or adds. An added entry gets the next free number."""
    return (state.log.entries + 1,) if isinstance(act, AddEntry) else entries_named(act)


def put_right(registry: Registry[Any], state: State, act: Act) -> tuple[RoundLog, frozenset[int]]:
    """The log after the correction `act`, and the numbers of the entries that it changes or adds. Raises Unfit if the
    correction does not fit the log.
    """
    meant = frozenset(own_numbers(state, act))
    match act:
        case CorrectEntry():
            return _corrected(registry, state, act), meant
        case AddEntry():
            return _added(registry, state, act), meant
        case _:
            raise Unfit


_NONE_OF_THEM: Final = (0,)
"""The value by which people empty a list: `None` would leave the old list, and no player or seat has number 0."""


def _given(act: Act) -> dict[str, Any]:
    named = {name: getattr(act, name) for name in act.__struct_fields__ if name not in _OWN}
    return {name: () if value == _NONE_OF_THEM else value for name, value in named.items() if value is not None}


def _corrected(registry: Registry[Any], state: State, act: CorrectEntry) -> RoundLog:
    also = frozenset(act.also or ())
    if act.entry in also or len(also) != len(act.also or ()):
        raise Unfit
    return replace(state.log, events=tuple(_entry(registry, one, act, also) for one in state.log.events))


def _entry(registry: Registry[Any], one: Logged, act: CorrectEntry, also: frozenset[int]) -> Logged:
    if one.number in also or (one.number == act.entry and act.instead is None and not _given(act)):
        return _taken_back(one)
    return _other(registry, one, act) if one.number == act.entry else one


def _taken_back(one: Logged) -> Logged:
    if one.is_back:
        raise Unfit
    return replace(one, is_corrected=True, is_back=True)


def _other(registry: Registry[Any], one: Logged, act: CorrectEntry) -> Logged:
    rule = _rule(registry, act.instead or one.name)
    if rule.money is Money.CORRECTED and registry.act_named[one.name].money is not Money.CORRECTED:
        raise Unfit  # such an act corrects a card at its own time, with its own second person
    was = event_of(registry, one)
    stands = _made(rule.act, was, _given(act))
    if stands == was and not one.is_back:
        raise Unfit
    return replace(one, name=rule.name, event=text_of(stands), is_corrected=True, is_back=False, is_passed=False)


def _added(registry: Registry[Any], state: State, act: AddEntry) -> RoundLog:
    """The log with the added entry directly before the entry number `act.before`, at the time of that entry. Raises
    Unfit if no entry has this number, or if the act cannot be added.
    """
    log, rule = state.log, _rule(registry, act.adds)
    at = next((n for n, one in enumerate(log.events) if one.number == act.before), None)
    if at is None or rule.money is Money.CORRECTED:
        raise Unfit
    stands = _made(rule.act, _by_whom(registry, state, at, rule, act), _given(act))
    behind, last = log.events[at:], log.events[at - 1].last if at else (0, 0)
    one = Logged(
        log.entries + 1, rule.name, text_of(stands), behind[0].at_ms, is_correctable=True, is_corrected=True, last=last
    )
    return replace(log, events=(*log.events[:at], one, *behind), entries=one.number)


def _by_whom(registry: Registry[Any], state: State, at: int, rule: ActRule[Any, Any], asked: Act) -> Act:
    """An act with the person and role for an added entry: those of the nearest logged act whose role `rule` permits, or
    those of `asked` if there is none. Acts before the index `at` are searched first, then those after it.
    """
    events = state.log.events
    near = (event_of(registry, one) for one in (*reversed(events[:at]), *events[at:]))
    whose = (one for one in near if isinstance(one, Act) and one.role in rule.named_in(state.setup))
    found = next(whose, asked)
    return Act(person=found.person, role=found.role)


def _rule(registry: Registry[Any], name: str) -> ActRule[Any, Any]:
    rule = registry.act_named.get(name)
    if rule is None or rule.undone.way is not Way.ENTRY:
        raise Unfit
    return rule


def _made(kind: type[Act], was: Act | Fact, given: dict[str, Any]) -> Act:
    """An act of the class `kind` with the values of `was`, replaced by those in `given`. Raises Unfit for an unknown
    name, or a value that does not fit.
    """
    names = kind.__struct_fields__
    if given.keys() - set(names):
        raise Unfit
    kept = {name: getattr(was, name) for name in names if hasattr(was, name)}
    made = made_of(kind, kept | given)
    if made is None:
        raise Unfit
    return made
