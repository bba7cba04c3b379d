"""The second person of an act on which money depends.

The row of such an act names the posts of a second person, and the acts for which he is needed. Two people then ask for
the same act: first a person of the act's own posts, then one of the second posts. The first request changes only the
list of waiting acts. At the second request the guards are evaluated again, and the first person's act is done. A
request may end before that (`lapses`).
"""

from typing import Any

from msgspec.structs import fields

from controller.core.engine.act import Act, value_names, values_of
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.house.people import roles_in
from controller.core.house.round_log import made_of
from controller.core.house.rule import ActRule, ActT
from controller.core.house.state import State, StateT, with_house
from controller.core.house.waiting import Waiting
from controller.core.words import TableMs


def is_second(rule: ActRule[StateT, Any], state: StateT, act: Act) -> bool:
    """True if `act` completes a waiting request: another person, of a second post, asks with equal values."""
    first = waiting_for(state, rule.name)
    if first is None or first.person == act.person:
        return False
    return act.role in first.second and first.values == values_of(act)


def waits_for_another(rule: ActRule[StateT, Any], state: StateT, act: Act) -> bool:
    """True if the act needs a second person, and this request does not come from that person."""
    second = rule.second
    return second is not None and second.is_needed(state, act) and not is_second(rule, state, act)


def asked_first(rule: ActRule[StateT, Any], state: StateT, act: Act, at_ms: TableMs) -> StateT:
    """The state in which this request waits for a second person, in place of an earlier request for the same act."""
    seconds = () if rule.second is None else roles_in(state.setup, rule.second.who)
    others = seconds if act.role not in seconds else tuple(dict.fromkeys((*rule.named_in(state.setup), *seconds)))
    waiting = Waiting(rule.name, values_of(act), act.person, act.role, others, at_ms)
    return with_house(state, waiting=(*_without(state, rule.name), waiting))


def completed(rule: ActRule[StateT, Any], state: StateT, act: ActT) -> tuple[StateT, ActT]:
    """For the second request, returns the state without the wait, and the first person's act.

    For any other request, returns state and act unchanged.
    """
    first = waiting_for(state, rule.name)
    if first is None or not is_second(rule, state, act):
        return state, act
    return with_house(state, waiting=_without(state, rule.name)), replace(act, person=first.person, role=first.role)


def waiting_for(state: State, name: str) -> Waiting | None:
    """The first person's request for the act of this name, while it waits for a second person. None if no request
    waits.
    """
    return next((one for one in state.house.waiting if one.act == name), None)


def without_waits_for(state: StateT, acts: frozenset[str]) -> StateT:
    """The state in which no act of these names waits for a second person."""
    return with_house(state, waiting=tuple(one for one in state.house.waiting if one.act not in acts))


def _without(state: State, name: str) -> tuple[Waiting, ...]:
    return tuple(one for one in state.house.waiting if one.act != name)


def act_of(rule: ActRule[StateT, ActT], one: Waiting) -> ActT | None:
    """The act of the waiting request `one`, made again from its values. None if the values do not fit the row's act.
    The state keeps an act's values as text, since the state's type cannot name the acts of every game.
    """
    kinds = {field.name: field.type for field in fields(rule.act)}
    texts = {name: text for name, text in zip(value_names(rule.act), one.values, strict=True) if text}
    said = {name: text if kinds[name] is str else _value(text) for name, text in texts.items()}
    return made_of(rule.act, {"person": one.person, "role": one.role, **said})


def _value(text: str) -> int | bool | str:
    return int(text) if text.isdecimal() else {"True": True, "False": False}.get(text, text)


def of_second_person(before: State, after: State) -> list[Notice]:
    """A notice for each act that begins to wait for a second person."""
    new = [one for one in after.house.waiting if one not in before.house.waiting]
    return [
        Notice("second-person-asked", (("act", one.act), ("role", one.role.value), ("who", _roles(one)))) for one in new
    ]


def _roles(waiting: Waiting) -> str:
    return " ".join(role.value for role in waiting.second)
