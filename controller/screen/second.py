"""Finds the values with which an act takes a second person, and the posts that may be this person. Buttons and forms
show both before a person asks for the act.

Some acts take a second person under a condition (`SecondPerson` in the core's rows). For these, this module tests the
condition with each possible word of the act, such as a ruling's outcome. If the condition depends on an amount that no
person has typed yet, the result is uncertain.
"""

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any, Final

from controller.core.house.money_at_stake import AT_STAKE, Money, SecondBy
from controller.core.house.people import roles_in
from controller.core.house.rule import SecondPerson, always
from controller.core.house.state import State
from controller.core.words import Role
from controller.protocol.status import SecondStatus
from controller.protocol.values import ValueKind
from controller.runtime.act_values import asked_values, kind_of, make_act, may_be_left_out, parse_values, words_of
from controller.screen.who_may import NOBODY, Rule, who_may

ALWAYS: Final = frozenset({"entry", "linked"})
"""The conditions that are true for all values, without a test of each."""

BY_AMOUNT: Final = frozenset({"other-raise", "worth", "exchange", "late-exchange", "other-than-recorded"})
"""The conditions on values that are typed in the act's form."""

AGREE_AFTERWARDS: Final = (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR, Role.DEALER)
NAMED_BY_PEOPLE: Final = frozenset({"state-card", "name-card"})
"""The acts that name a card only by a person's word; the others name it by reader or seal where there is one."""

_OTHER_HALF: Final[Mapping[str, tuple[Role, ...]]] = {
    "state-outage": (Role.DEALER,),
    "propose-irregular-closing": (Role.ROOM_MANAGER,),
}
"""The first acts of two that have no effect without the other, each with the other act's posts."""


def seconds_of(state: State, rule: Rule) -> list[SecondStatus]:
    """Returns the values with which the act of `rule` needs a second person; [] if the act needs none now."""
    match AT_STAKE[rule.money].by:
        case SecondBy.ROW if rule.second is not None:
            return list(_of_the_row(state, rule, rule.second))
        case SecondBy.LATER if _is_agreed_with(state, rule):
            return [SecondStatus(who=_named(state, AGREE_AFTERWARDS), afterwards=True)]
        case SecondBy.OTHER_HALF if rule.name in _OTHER_HALF:
            return [SecondStatus(who=_named(state, _OTHER_HALF[rule.name]))]
        case _:
            return []


def _is_agreed_with(state: State, rule: Rule) -> bool:
    """True if a second person must agree with the act later, before money moves.

    This concerns a table that tracks bets, and an act that corrects cards, or names a card at a table with a reader.
    """
    is_corrected = rule.money is Money.CORRECTED and rule.name != "state-whole-count"
    is_named = rule.name in NAMED_BY_PEOPLE and state.setup.has_reader
    return state.setup.hand_rules is not None and (is_corrected or is_named)


def _of_the_row(state: State, rule: Rule, second: SecondPerson[Any, Any]) -> Iterator[SecondStatus]:
    who = _named(state, second.who)
    if second.bound in ALWAYS or second.is_needed is always:
        yield SecondStatus(who=who)
    elif second.bound in BY_AMOUNT:
        yield SecondStatus(who=who, certain=False)
    elif second.bound != "payment" or state.setup.parameters.second_person_payment_cents:
        needed = {values: _is_needed(state, rule, second, dict(values)) for values in _given(state, rule)}
        if needed and all(needed.values()):
            yield SecondStatus(who=who)
        else:
            yield from (SecondStatus(dict(values), who) for values, is_needed in needed.items() if is_needed)


def _given(state: State, rule: Rule) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yields each combination of the act's values that have few possible texts: words and, for a payment, seat and
    hand.
    """
    of_each = {name: _texts(state, rule, name) for name in asked_values(rule.act)}
    known = {name: texts for name, texts in of_each.items() if texts}
    for texts in product(*known.values()):
        yield tuple((name, text) for name, text in zip(known, texts, strict=True) if text)


def _texts(state: State, rule: Rule, name: str) -> tuple[str, ...]:
    kind, optional = kind_of(rule.act, name), may_be_left_out(rule.act, name)
    if kind is ValueKind.WORD:
        return words_of(rule.act, name)
    if rule.money is Money.AT_ONCE and name == "seat":
        return tuple(map(str, range(1, state.setup.seats + 1)))
    return ("", "1", "2", "3", "4") if rule.money is Money.AT_ONCE and name == "hand" and optional else ()


def _is_needed(state: State, rule: Rule, second: SecondPerson[Any, Any], values: Mapping[str, str]) -> bool:
    """True if the act with these values takes a second person. False if the values are unreadable, or if the guards
    refuse the payment.
    """
    fields = parse_values(rule.act, values)
    if isinstance(fields, list) or (rule.money is Money.AT_ONCE and not who_may(state, rule, fields)):
        return False
    asked_by = ((one, role) for role in rule.who_in(state.setup) for one in _people(state, role))
    return any(second.is_needed(state, make_act(rule.act, one, role, fields)) for one, role in asked_by)


def _people(state: State, role: Role) -> set[int]:
    """Returns the people of this role who may ask for the act: those present and, unless the role is dealer, those in
    charge of an open hold.
    """
    in_charge = () if role is Role.DEALER else (hold.attended_by for hold in state.house.holds)
    present = (one.person for one in state.house.present if one.role is role)
    return {one for one in (*present, *in_charge) if one is not None} or {NOBODY}


def _named(state: State, who: tuple[Role, ...]) -> list[str]:
    return [role.value for role in roles_in(state.setup, who)]
