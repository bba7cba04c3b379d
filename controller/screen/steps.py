"""The steps by which people end a hold: each has a phase, suggested acts, and a test that it is done.

This module has the steps of the holds at every table; each game adds its own. The tests read only the table's state.
The next step is the first mandatory step that is not done and whose phase has come. A step whose phase is over is
skipped, unless it is a lasting step: that becomes next again if its test fails later. The texts are in the catalogue
under the step's name (`hold.<kind>.steps`, or `step` if several kinds share the text).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, Generic, TypeAlias, TypeVar

from msgspec import Struct

from controller.catalogue import Language, has_key, sentence
from controller.catalogue.sentences import Variants, fitting
from controller.catalogue.words import hold_values
from controller.core.house.evidence import HOUSE_EVIDENCE
from controller.core.house.hold_table import Evidence
from controller.core.house.registry import Registry
from controller.core.house.state import Hold, State
from controller.core.words import HoldKind, HoldPhase, Role, SessionPhase
from controller.protocol.status import StepState, StepStatus
from controller.screen.suggestions import CHIEF, Way, suggestions

Seen = TypeVar("Seen", bound=State, contravariant=True)
Test: TypeAlias = Callable[[Seen, Hold], bool]
Ways: TypeAlias = Callable[[Seen, Hold], Sequence[Way]]


def _always(_state: State, _hold: Hold) -> bool:
    return True


def _nothing(_state: State, _hold: Hold) -> Sequence[Way]:
    return ()


class Step(Struct, Generic[Seen], frozen=True):
    """One step towards a hold's end. `done`: the test that the step is done; None if the step ends with its phase.

    `ways`: the acts by which people take the step. `tools`: the commands for it, by their key in the catalogue.
    `along`: if True, this step and the step after it are next together. `here`: the test that this hold has the step
    now. `lasting`: if True, `done` must stay true until the hold ends.
    """

    name: str
    phase: HoldPhase
    done: Test[Seen] | None = None
    ways: Ways[Seen] = _nothing
    here: Test[Seen] = _always
    optional: bool = False
    along: bool = False
    lasting: bool = False
    tools: tuple[str, ...] = ()


Steps: TypeAlias = Mapping[HoldKind, Sequence[Step[Seen]]]
"""The steps by kind of hold."""

_P = HoldPhase
_ORDER: Final = (_P.RAISED, _P.ATTENDED, _P.CLEARED, _P.ENDED)


def plan_of(
    registry: Registry[Any],
    steps: Steps[Any],
    state: State,
    hold: Hold,
    who: Sequence[Role],
    language: Language,
    variants: Variants,
) -> list[StepStatus]:
    """Returns the steps that this hold has now, in order. `who`: the roles for a step whose suggested acts name no
    roles.
    """
    rows = [row for row in steps.get(hold.kind, ()) if _is_shown(row, state, hold)]
    states = list(_states(rows, state, hold))
    return [
        _in_words(registry, row, shown, state, hold, who, language, variants)
        for row, shown in zip(rows, states, strict=True)
    ]


def _is_shown(row: Step[Any], state: State, hold: Hold) -> bool:
    has_passed = _ORDER.index(row.phase) < _ORDER.index(hold.phase)
    return row.here(state, hold) and not (has_passed and row.done is None)


def _states(rows: Sequence[Step[Any]], state: State, hold: Hold) -> Iterator[StepState]:
    found_next = False
    for row in rows:
        since, now = _ORDER.index(row.phase), _ORDER.index(hold.phase)
        if since <= now and row.done is not None and row.done(state, hold):
            yield StepState.DONE
        elif since < now and not row.lasting:
            yield StepState.SKIPPED
        elif since <= now and not row.optional and not found_next:
            yield StepState.NEXT
            found_next = not row.along
        else:
            yield StepState.LATER


def _in_words(
    registry: Registry[Any],
    row: Step[Any],
    shown: StepState,
    state: State,
    hold: Hold,
    who: Sequence[Role],
    language: Language,
    variants: Variants,
) -> StepStatus:
    ways = [one for way in row.ways(state, hold) for one in suggestions(registry, state, way)]
    key = fitting(f"hold.{hold.kind.value}.steps.{row.name}", variants)
    if not has_key(key):
        key = fitting(f"step.{row.name}", variants)
    text = sentence(key, hold_values(hold), language)
    roles = dict.fromkeys(role for way in ways for role in way.who) or [role.value for role in who]
    return StepStatus(row.name, text, shown, list(roles), ways, row.optional, list(row.tools))


# --- tests that a step was done


def attended(_state: State, hold: Hold) -> bool:
    return hold.phase is not _P.RAISED


def taken_charge(_state: State, hold: Hold) -> bool:
    return hold.phase is not _P.RAISED and hold.attended_by is not None


def cleared(_state: State, hold: Hold) -> bool:
    return hold.phase in {_P.CLEARED, _P.ENDED}


def never(_state: State, _hold: Hold) -> bool:
    return False


def _journal_is_writing(state: State, hold: Hold) -> bool:
    return attended(state, hold) and HOUSE_EVIDENCE[Evidence.JOURNAL_IS_WRITING](state, hold)


def technician_called(_state: State, hold: Hold) -> bool:
    return hold.technician_called


# --- acts


def on_hold(act: str) -> Ways[State]:
    return lambda _state, hold: [Way(act, {"hold": f"H{hold.id}"})]


def acts(*names: str) -> Ways[State]:
    return lambda _state, _hold: [Way(act) for act in names]


def _watching(state: State, _hold: Hold) -> Sequence[Way]:
    operation = "loading" if state.house.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT} else "unloading"
    return [Way("sign-in", {"operation": operation}, CHIEF)]


# --- the rows

CALL: Final = Step[State]("call", _P.RAISED, attended, along=True)
TAKE_CHARGE: Final = Step[State]("take-charge", _P.RAISED, taken_charge, on_hold("attend-hold"))
MAY_CALL: Final = Step[State](
    "call-technician",
    _P.ATTENDED,
    technician_called,
    on_hold("call-technician"),
    here=lambda _state, hold: not hold.technician_called,
    optional=True,
)
TECHNICIAN: Final = (
    Step[State]("call-technician", _P.ATTENDED, technician_called, here=technician_called),
    Step[State](
        "repair",
        _P.ATTENDED,
        lambda _state, hold: hold.technician is not None,
        on_hold("attest-repair"),
        here=technician_called,
    ),
)
"""The steps once a technician was called: the repair comes before all other steps."""
CLEAR: Final = Step[State]("clear", _P.ATTENDED, cleared, on_hold("clear-hold"))
CONFIRM: Final = Step[State]("confirm", _P.CLEARED, never, on_hold("confirm-hold"))

HOUSE_STEPS: Final[Steps[State]] = {
    HoldKind.SUPERVISOR_ABSENT: (Step("sign-in", _P.RAISED, never, _watching),),
    HoldKind.JOURNAL_FAULT: (
        CALL,
        TAKE_CHARGE,
        *TECHNICIAN,
        Step("mend", _P.ATTENDED, _journal_is_writing, lasting=True, tools=("journal-verify",)),
        Step("seal", _P.ATTENDED, None, optional=True, tools=("journal-seal", "journal-verify-head")),
        Step("copies", _P.ATTENDED, None, optional=True, tools=("journal-verify-head",)),
        Step("unsigned", _P.ATTENDED, None, optional=True, tools=("journal-seal-unsigned",)),
        Step("restart", _P.ATTENDED, None, optional=True),
        MAY_CALL,
        CLEAR,
        CONFIRM,
    ),
}
