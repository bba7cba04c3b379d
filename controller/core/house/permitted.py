"""The acts that may be asked for now, with the posts that may ask, and the refusals of all other acts.

An act on a hold is tried on each open hold, so that "confirm" is not offered before a hold is cleared. If an act's row
gives sample acts (`probes`), the samples are tried, and the act is not offered if the guards refuse every sample.
"""

from collections.abc import Iterator
from typing import Any, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Permitted, Refusal
from controller.core.house.deciding import failed_guard, first_failed
from controller.core.house.hold_acts import AttendHold, AttestRepair, CallTechnician, ClearHold, ConfirmHold
from controller.core.house.registry import Registry
from controller.core.house.rule import ActRule
from controller.core.house.state import StateT
from controller.core.words import Person, Role

_NOBODY = Person(0)
_HOLD_ACTS = (AttendHold, CallTechnician, AttestRepair, ClearHold, ConfirmHold)
_HoldAct: TypeAlias = AttendHold | CallTechnician | AttestRepair | ClearHold | ConfirmHold


def permitted(registry: Registry[StateT], state: StateT) -> tuple[Permitted, ...]:
    """All acts in the order of the registry's rows, each with its refusal if the act may not be asked for now. Values
    of an act without `probes` are not checked.
    """
    return tuple(_permitted(state, rule) for rule in registry.by_act.values())


def offered(registry: Registry[StateT], state: StateT) -> Iterator[tuple[str, tuple[Role, ...]]]:
    """Yields name and posts of each act that may be asked for now. Makes no refusals, so it is cheaper than
    `permitted`.
    """
    return ((rule.name, rule.asked_by(state)) for rule in registry.by_act.values() if _is_permitted(state, rule))


def permitted_act(registry: Registry[StateT], state: StateT, act: type[Act]) -> Permitted:
    """The act of this type with its posts, and its refusal if the act may not be asked for now."""
    return _permitted(state, registry.by_act[act])


def who_may_ask(registry: Registry[StateT], state: StateT, act: type[Act]) -> tuple[Role, ...]:
    """The posts that may ask for the act now. Empty if the act is not permitted."""
    rule = registry.by_act[act]
    return rule.asked_by(state) if _is_permitted(state, rule) else ()


def is_permitted(registry: Registry[StateT], state: StateT, act: type[Act]) -> bool:
    """True if some person may ask for the act now."""
    return _is_permitted(state, registry.by_act[act])


def _is_permitted(state: StateT, rule: ActRule[StateT, Any]) -> bool:
    if rule.act in _HOLD_ACTS and state.house.holds:
        return _refusal(state, rule) is None
    if failed_guard(state, None, rule) is not None:
        return False
    probes = () if rule.probes is None else rule.probes(state)
    return not probes or any(failed_guard(state, probe, rule) is None for probe in probes)


def _permitted(state: StateT, rule: ActRule[StateT, Any]) -> Permitted:
    return Permitted(rule.name, rule.asked_by(state), _refusal(state, rule))


def _refusal(state: StateT, rule: ActRule[StateT, Any]) -> Refusal | None:
    for kind in _HOLD_ACTS:
        if rule.act is kind and state.house.holds:
            return _first_of(state, rule, _on_holds(state, rule, kind))
    refusal = first_failed(state, None, rule)
    return refusal if refusal or rule.probes is None else _first_of(state, rule, rule.probes(state))


def _on_holds(state: StateT, rule: ActRule[StateT, Any], kind: type[_HoldAct]) -> tuple[_HoldAct, ...]:
    """The act of the class `kind` on each open hold, by each post that may ask for it."""
    return tuple(kind(_NOBODY, role, hold.id) for hold in state.house.holds for role in rule.who_in(state.setup))


def _first_of(state: StateT, rule: ActRule[StateT, Any], probes: tuple[Act, ...]) -> Refusal | None:
    """The refusal of the first act in `probes`. None if the guards permit any of them, or if `probes` is empty."""
    refusals = [first_failed(state, probe, rule) for probe in probes]
    return None if None in refusals else next(iter(refusals), None)
