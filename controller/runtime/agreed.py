"""Makes the notice to people at the table that a second person has agreed with an act of another person, or with the
corrections of a round.

If the first person repeats an act that waits for a second person, adds to the refusal the posts that may be the second.
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Refusal
from controller.core.engine.replacing import replace
from controller.core.house.registry import Registry
from controller.core.house.rule import second_posts
from controller.core.house.second_person import is_second, waiting_for
from controller.core.house.state import State

CORRECTED: Final = "agree-corrections"
"""The act by which a person agrees with corrections of cards; a table without cards does not load its module."""

SECOND: Final = "second-agreed"
CORRECTIONS: Final = "corrections-agreed"
NOTICES: Final = (SECOND, CORRECTIONS)
"""The notices of this module: they come with the answer to an act, not with the core's decision."""


def agreed(registry: Registry[Any], before: State, act: Act) -> Notice | None:
    """The notice for people at the table that the permitted act `act` agrees with another person's act, or with the
    corrections of a round. None for any other act. `before`: the state in which `act` was decided.
    """
    person, rule = (("person", str(act.person)), ("role", act.role.value)), registry.by_act[type(act)]
    if rule.name == CORRECTED:
        return Notice(CORRECTIONS, person)
    first = waiting_for(before, rule.name)
    if first is None or not is_second(rule, before, act):
        return None
    return Notice(SECOND, (*person, ("first", str(first.person)), ("act", rule.name)))


def agreed_by(notice: Notice) -> int | None:
    """The person who has agreed, as a notice of this module says; None for any other notice."""
    return int(dict(notice.values)["person"]) if notice.key in NOTICES else None


_SAME_PERSON: Final = "another_person_asks"


def with_second_posts(refusal: Refusal, state: State, act: str) -> Refusal:
    """Adds the posts that may be the second person of `act`, if `refusal` says that the first person cannot also be the
    second. Returns any other refusal unchanged.
    """
    second = second_posts(state, act) if refusal.guard == _SAME_PERSON else ()
    return replace(refusal, who=second) if second else refusal
