"""The end of a request that waits for a second person, before that person has agreed.

The first person asks for the act at the table as he sees it. So the wait ends with the first change that the two people
should see alike. Each change ends these requests:

| change | requests that it ends |
|---|---|
| a start of the controller, a step of the session, a shift handed over, another dealer | all |
| a correction of the round, a change of the differences that are still to be settled | all |
| a hold that begins, ends or gets other details | all |
| the person who asked leaves | his own |
| the same act with other values, or by another person of its posts | the earlier one: at most one waits for each act |
| a card, a bet, a step of the round, the pool | those about the whole round: rows without `SecondPerson.sees` |
| the value that the act's row names (`sees`) | that one, and of all these changes no other |
| the round's log begins anew | corrections, since the next log uses the same numbers for other entries |

A hold for a prize that is owed is none of these: it begins, ends and gets other details with the prizes, and the
payment of a prize names what both people see alike. A device's report that changes none of these ends no wait.

A request that has ended so is kept with its cause, for people to read: until the act is asked for again or done, until
another round begins, or until the session goes on.
"""

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, Final

from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice
from controller.core.house.people import dealer_at_table
from controller.core.house.registry import Registry
from controller.core.house.rule import ActRule
from controller.core.house.second_person import act_of, is_second
from controller.core.house.state import State, StateT, with_house
from controller.core.house.waiting import LapseCause, Lapsed, Waiting
from controller.core.words import HoldKind, Person, TableMs

ALWAYS: Final = ("house.session", "house.start_number", "house.shift", "log.corrected", "log.differences")
"""The parts of the state that two people of any act have to see alike, at every table."""

ROUND: Final = ("house.pool", "game")
"""The further parts that they have to see alike, unless the act's row names its own value (`SecondPerson.sees`)."""

_always: Final = attrgetter(*ALWAYS)
_round: Final = attrgetter(*ROUND)


def lapses(rules: Iterable[ActRule[Any, Any]] = ()) -> Callable[[StateT, StateT, TableMs], StateT]:
    """Returns a watch that ends a wait for a second person once a value that both must see alike has changed.

    `rules`: the rows of the game; a row with `SecondPerson.sees` names its own value.
    """
    own = {rule.name: rule for rule in rules if _names_its_matter(rule)}

    def lapse(before: StateT, after: StateT, _at_ms: TableMs) -> StateT:
        is_over, gone = _of_all(before) != _of_all(after), _people(before) - _people(after)
        old = [one for one in after.house.waiting if one in before.house.waiting]
        over = [one for one in old if is_over or one.person in gone or _differs(own.get(one.act), one, before, after)]
        return (
            with_house(after, waiting=tuple(one for one in after.house.waiting if one not in over)) if over else after
        )

    return lapse


def _names_its_matter(rule: ActRule[Any, Any]) -> bool:
    return rule.second is not None and rule.second.sees is not None


def _differs(rule: ActRule[StateT, Any] | None, one: Waiting, before: StateT, after: StateT) -> bool:
    """True if the event has changed a value that the two people of this waiting act must see alike."""
    if rule is None or rule.second is None or rule.second.sees is None:
        return bool(_round(before) != _round(after))
    act = act_of(rule, one)
    return act is None or rule.second.sees(before, act) != rule.second.sees(after, act)


def _of_all(state: State) -> tuple[object, ...]:
    """The values whose change ends every wait: those of `ALWAYS`, the open holds with details, the table's dealer."""
    return _always(state), _holds(state), dealer_at_table(state)


def _holds(state: State) -> list[tuple[object, ...]]:
    """The open holds with their details. Those for prizes say no more than the prizes do, so both may change."""
    stop = (one for one in state.house.holds if one.kind is not HoldKind.JACKPOT_OWED)
    return [(one.id, () if one.kind is HoldKind.LINKED_HIT else one.details) for one in stop]


def _people(state: State) -> set[Person]:
    return {one.person for one in state.house.present}


# --- the requests that have ended


def with_lapsed(registry: Registry[StateT], before: StateT, after: StateT, event: Fact | Act, at_ms: TableMs) -> StateT:
    """The state `after` in which each request that `event` has ended is listed with its cause. `event` led from
    `before` to `after`; a request that has ended had not yet got its second person.
    """
    name = registry.by_act[type(event)].name if isinstance(event, Act) else ""
    done = name if isinstance(event, Act) and is_second(registry.by_act[type(event)], before, event) else ""
    over = [one for one in before.house.waiting if one not in after.house.waiting and one.act != done]
    new = [Lapsed(one, _cause(registry, before, after, one), at_ms) for one in over]
    known = () if _has_gone_on(before, after) else before.house.lapsed
    asked = {name, *(one.act for one in after.house.waiting), *(one.request.act for one in new)}
    kept = (*(one for one in known if one.request.act not in asked), *new)
    return after if kept == after.house.lapsed else with_house(after, lapsed=kept)


def _has_gone_on(before: State, after: State) -> bool:
    is_another_round = before.game.number != after.game.number
    return is_another_round or before.house.session is not after.house.session


_CHANGES: Final[tuple[tuple[LapseCause, Callable[[State], object]], ...]] = (
    (LapseCause.START, attrgetter("house.start_number")),
    (LapseCause.SESSION, attrgetter("house.session")),
    (LapseCause.DEALER, dealer_at_table),
    (LapseCause.SHIFT, attrgetter("house.shift")),
    (LapseCause.CORRECTED, attrgetter("log.corrected", "log.differences")),
    (LapseCause.HOLD, _holds),
)


def _cause(registry: Registry[StateT], before: StateT, after: StateT, one: Waiting) -> LapseCause:
    """The first change, in the order of causes, that ended the request `one`."""
    if any(other.act == one.act for other in after.house.waiting):
        return LapseCause.ASKED_ANEW
    if one.person in _people(before) - _people(after):
        return LapseCause.LEFT
    changed = (cause for cause, of in _CHANGES if of(before) != of(after))
    has_its_matter = _names_its_matter(registry.act_named[one.act])
    return next(changed, LapseCause.MATTER if has_its_matter else LapseCause.ROUND)


def of_lapses(before: State, after: State) -> list[Notice]:
    """A notice for each request that has lapsed."""
    new = [one for one in after.house.lapsed if one not in before.house.lapsed]
    return [Notice("second-person-lapsed", _told(one)) for one in new]


def _told(one: Lapsed) -> tuple[tuple[str, str], ...]:
    request = one.request
    return (
        ("act", request.act),
        ("person", str(request.person)),
        ("role", request.role.value),
        ("cause", one.cause.value),
    )
