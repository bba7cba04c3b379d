"""The hand-over of a shift: two supervisors sign it, at any step of session and round and despite any hold.

act              by whom                                undone by                       growth of state or journal
hand-over-shift  chief supervisor or room manager       never: a later one replaces it  nothing
take-over-shift  another person of these posts          hand-over-shift: handed back    `Shift.number`; an entry each

The first signature keeps the list of open matters; the second is refused once the list has changed, so that both have
signed the same. The first is attested; the second needs its own PIN, as every second signature does. Counts and
amounts are those at the second entry. A person who watches a loading or solves a hold goes on with it, since a presence
belongs to a person, not to a shift.
"""

from typing import Any, Final

from msgspec import UnsetType

from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Values
from controller.core.engine.replacing import replace
from controller.core.house.jackpot_acts import CHIEF_OR_MANAGER
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import ActGuard, ActRule, Guard
from controller.core.house.state import Shift, State, StateT, with_house
from controller.core.house.undoing import Never, by, never
from controller.core.words import SessionPhase, TableMs


class HandOverShift(Act, frozen=True):
    pass


class TakeOverShift(Act, frozen=True):
    pass


def shift_of(state: State) -> Shift:
    """The table's shift. Before the first hand-over, an empty one."""
    shift = state.house.shift
    return Shift() if isinstance(shift, UnsetType) else shift


def open_matters(state: State) -> tuple[str, ...]:
    """The names of all open matters: the session, each open hold and each duty."""
    house = state.house
    session = f"S{house.session_number}" + ("" if house.session is not SessionPhase.CLOSED else "-closed")
    return (session, *(f"H{hold.id}" for hold in house.holds), *(f"D{duty.id}" for duty in house.duties))


def _other(state: State, _act: Act | None = None) -> Values:
    before, now = shift_of(state).matters, open_matters(state)
    other = [one for one in (*now, *before) if (one in now) is not (one in before)]
    return (("other", " ".join(other) or "-"),)


SHIFT_IS_HANDED_OVER: Final = Guard[State]("shift_is_handed_over", lambda state: shift_of(state).by is not None)
ANOTHER_PERSON_TAKES_OVER: Final = ActGuard[State, TakeOverShift](
    "another_person_takes_over", lambda state, act: act.person != shift_of(state).by
)
SHIFT_IS_AS_HANDED_OVER: Final = Guard[State](
    "shift_is_as_handed_over", lambda state: shift_of(state).matters == open_matters(state), _other
)


def hand_over_shift(state: StateT, act: HandOverShift, _at_ms: TableMs) -> StateT:
    return with_house(state, shift=replace(shift_of(state), by=act.person, matters=open_matters(state)))


def take_over_shift(state: StateT, _act: TakeOverShift, _at_ms: TableMs) -> StateT:
    return with_house(state, shift=Shift(number=shift_of(state).number + 1))


def of_shift(before: State, after: State) -> list[Notice]:
    """The notice that a shift waits for its second signature, or was taken over; empty after any other event."""
    was, now = shift_of(before), shift_of(after)
    if now.number > was.number:
        return [Notice("shift-taken-over", (("number", str(now.number)),))]
    if now.by is None or now == was:
        return []
    house = after.house
    return [Notice("shift-handed-over", (("holds", str(len(house.holds))), ("duties", str(len(house.duties)))))]


SHIFT_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "hand-over-shift",
        HandOverShift,
        CHIEF_OR_MANAGER,
        hand_over_shift,
        manner=Manner.ATTESTS,
        undone=never(Never.SAID),
        money=Money.NONE,
    ),
    ActRule(
        "take-over-shift",
        TakeOverShift,
        CHIEF_OR_MANAGER,
        take_over_shift,
        (SHIFT_IS_HANDED_OVER, ANOTHER_PERSON_TAKES_OVER, SHIFT_IS_AS_HANDED_OVER),
        own_pin=True,
        manner=Manner.ATTESTS,
        undone=by("hand-over-shift"),
        money=Money.NONE,
    ),
)
