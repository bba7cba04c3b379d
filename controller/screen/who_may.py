"""Finds the roles for which the guards accept an act with certain values now, and if the act needs a PIN."""

from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Refusal
from controller.core.house.attendance import SignIn
from controller.core.house.deciding import refused_by
from controller.core.house.people import dealer_at_table
from controller.core.house.rule import ActRule
from controller.core.house.state import State
from controller.core.words import Person, Role
from controller.runtime.act_values import Field, make_act

Fields: TypeAlias = dict[str, Field]
Rule: TypeAlias = ActRule[Any, Act]

NOBODY: Final = Person(0)


def needs_pin(state: State, rule: Rule) -> bool:
    """True if a dealer who is signed in needs a PIN for the act, and for an act that no dealer may do."""
    return rule.act is SignIn or rule.own_pin or Role.DEALER not in rule.who_in(state.setup)


def who_may(state: State, rule: Rule, fields: Fields) -> list[Role]:
    return [role for role in rule.asked_by(state) if _refusal(state, rule, role, fields) is None]


def refusal_with(state: State, rule: Rule, fields: Fields) -> Refusal | None:
    """Returns the refusal of the act with the values `fields` for the first of the act's roles; None if that role may
    do the act.
    """
    return _refusal(state, rule, rule.who_in(state.setup)[0], fields)


def _refusal(state: State, rule: Rule, role: Role, fields: Fields) -> Refusal | None:
    return refused_by(rule, state, make_act(rule.act, _person(state, role), role, fields))


def _person(state: State, role: Role) -> Person:
    dealer = dealer_at_table(state) if role is Role.DEALER else None
    return dealer or next((one.person for one in state.house.present if one.role is role), NOBODY)
