"""The second person of an act on which money depends.

The row of such an act names the posts of a second person, and the acts for which he is needed. Two people then ask for
the same act: first a person of the act's own posts, then one of the second posts. The first request changes only the
list of waiting acts. At the second request the guards are evaluated again, and the first person's act is done.

The first person's word is about the table as he has seen it, and its values name no card, hold or round. So a wait ends
with the first change of that table: a part of `MATTER`, a hold that begins, ends or says something else, another dealer
at the table, or the departure of the person who asked. It ends with the same act by other values, too; so at most one
wait stands for each act. A device's report that changes none of these leaves it.
"""

from typing import Any, Final

from controller.core.engine.act import Act, values_of
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.house.people import dealer_at_table, roles_in
from controller.core.house.rule import ActRule, ActT
from controller.core.house.state import State, StateT, Waiting, with_house
from controller.core.words import Person, TableMs


def is_second(rule: ActRule[StateT, Any], state: StateT, act: Act) -> bool:
    """True where this act completes a waiting one: by another person, of a second post, with the same values."""
    first = waiting_for(state, rule.name)
    if first is None or first.person == act.person:
        return False
    return act.role in first.second and first.values == values_of(act)


def waits_for_another(rule: ActRule[StateT, Any], state: StateT, act: Act) -> bool:
    """True where the act needs a second person and this request is not the second one."""
    second = rule.second
    return second is not None and second.is_needed(state, act) and not is_second(rule, state, act)


def asked_first(rule: ActRule[StateT, Any], state: StateT, act: Act, at_ms: TableMs) -> StateT:
    """The state in which this request waits for a second person, in place of an earlier request for the same act."""
    seconds = () if rule.second is None else roles_in(state.setup, rule.second.who)
    others = seconds if act.role not in seconds else tuple(dict.fromkeys((*rule.named_in(state.setup), *seconds)))
    waiting = Waiting(rule.name, values_of(act), act.person, act.role, others, at_ms)
    return with_house(state, waiting=(*_without(state, rule.name), waiting))


def completed(rule: ActRule[StateT, Any], state: StateT, act: ActT) -> tuple[StateT, ActT]:
    """Returns the state without the wait, and the first person's act, where this act is the second request.

    Returns both unchanged for any other request.
    """
    first = waiting_for(state, rule.name)
    if first is None or not is_second(rule, state, act):
        return state, act
    return with_house(state, waiting=_without(state, rule.name)), replace(act, person=first.person, role=first.role)


def waiting_for(state: State, name: str) -> Waiting | None:
    """The first person's request for the act of this name, while a second person is awaited; None without one."""
    return next((one for one in state.house.waiting if one.act == name), None)


def _without(state: State, name: str) -> tuple[Waiting, ...]:
    return tuple(one for one in state.house.waiting if one.act != name)


MATTER: Final = (
    "house.session",
    "house.start_number",
    "house.shift",
    "house.pool",
    "log.corrected",
    "log.differences",
    "game",
)
"""The parts of every table's state that two people of an act have to see alike; each game may add its own."""


def lapse_waiting(before: StateT, after: StateT, _at_ms: TableMs) -> StateT:
    """The state without waits from before this event; called where the matter of the waits has changed."""
    return _kept(after, tuple(one for one in after.house.waiting if one not in before.house.waiting))


def lapse_of_others(before: StateT, after: StateT, at_ms: TableMs) -> StateT:
    """The state without waits that the holds or the people at the table end; called where one of these has changed."""
    if _holds(before) != _holds(after) or dealer_at_table(before) != dealer_at_table(after):
        return lapse_waiting(before, after, at_ms)
    left = _people(before) - _people(after)
    return _kept(after, tuple(one for one in after.house.waiting if one.person not in left))


def _kept(state: StateT, waiting: tuple[Waiting, ...]) -> StateT:
    return state if waiting == state.house.waiting else with_house(state, waiting=waiting)


def _holds(state: State) -> list[tuple[object, ...]]:
    """The open holds, and the reason that each gives."""
    return [(hold.id, hold.details) for hold in state.house.holds]


def _people(state: State) -> set[Person]:
    return {one.person for one in state.house.present}


def of_second_person(before: State, after: State) -> list[Notice]:
    """A notice for each act that begins to wait for a second person."""
    new = [one for one in after.house.waiting if one not in before.house.waiting]
    return [
        Notice("second-person-asked", (("act", one.act), ("role", one.role.value), ("who", _roles(one)))) for one in new
    ]


def _roles(waiting: Waiting) -> str:
    return " ".join(role.value for role in waiting.second)
