"""The steps that lead to a hold's end, as rows: what is done when, by which act, and what shows that it was.

Each step belongs to a phase of its hold. A step is done only where the table knows that it is. From its phase on the
first that is owed and not done is next; once the phase has passed, what must still be true is next again, and what was
passed over is skipped. The texts stand in the catalogue under the step's name (`hold.<kind>.steps`, or `step` where
kinds share it).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from controller.catalogue import Language, has_key, sentence
from controller.catalogue.words import Variants, fitting, hold_values
from controller.core.acts import ClearHold
from controller.core.custody.damage import deck_goes
from controller.core.custody.evidence import is_met
from controller.core.custody.game import impossible_cards
from controller.core.decide import refused
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.hold_table import Evidence, hold_rule
from controller.core.house.state import Hold
from controller.core.words import HoldKind, HoldPhase, Outage, Person, Role, SessionPhase
from controller.protocol.status import StepState, StepStatus
from controller.suggestions import CHIEF, Way, suggestions

Test: TypeAlias = Callable[[BlackjackState, Hold], bool]
Ways: TypeAlias = Callable[[BlackjackState, Hold], Sequence[Way]]
_NOBODY: Final = Person(0)


def _always(_state: BlackjackState, _hold: Hold) -> bool:
    return True


def _nothing(_state: BlackjackState, _hold: Hold) -> Sequence[Way]:
    return ()


@dataclass(frozen=True, slots=True)
class Step:
    """One row. `done` says what shows that the step is done; None: nothing does, and it ends with its phase.

    `along`: an instruction that is next together with the step behind it. `here`: whether this hold has the step now.
    `lasting`: it must be true to the end, however far the hold is.
    """

    name: str
    phase: HoldPhase
    done: Test | None = None
    ways: Ways = _nothing
    here: Test = _always
    optional: bool = False
    along: bool = False
    lasting: bool = False
    tools: tuple[str, ...] = ()


_P = HoldPhase
_ORDER: Final = (_P.RAISED, _P.ATTENDED, _P.CLEARED, _P.ENDED)


def plan_of(
    state: BlackjackState, hold: Hold, who: Sequence[Role], language: Language, variants: Variants
) -> list[StepStatus]:
    """Every step that this hold has now, in order; `who` may take the next where no act says who may."""
    rows = [row for row in STEPS[hold.kind] if _is_shown(row, state, hold)]
    states = list(_states(rows, state, hold))
    return [
        _in_words(row, shown, state, hold, who, language, variants) for row, shown in zip(rows, states, strict=True)
    ]


def _is_shown(row: Step, state: BlackjackState, hold: Hold) -> bool:
    has_passed = _ORDER.index(row.phase) < _ORDER.index(hold.phase)
    return row.here(state, hold) and not (has_passed and row.done is None)


def _states(rows: Sequence[Step], state: BlackjackState, hold: Hold) -> Iterator[StepState]:
    """The state of each row, in order."""
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
    row: Step,
    shown: StepState,
    state: BlackjackState,
    hold: Hold,
    who: Sequence[Role],
    language: Language,
    variants: Variants,
) -> StepStatus:
    ways = [one for way in row.ways(state, hold) for one in suggestions(state, way)]
    key = fitting(f"hold.{hold.kind.value}.steps.{row.name}", variants)
    if not has_key(key):
        key = fitting(f"step.{row.name}", variants)
    text = sentence(key, hold_values(hold), language)
    roles = dict.fromkeys(role for way in ways for role in way.who) or [role.value for role in who]
    return StepStatus(row.name, text, shown, list(roles), ways, row.optional, list(row.tools))


# --- what shows that a step was done


def _attended(_state: BlackjackState, hold: Hold) -> bool:
    return hold.phase is not _P.RAISED


def _taken_charge(_state: BlackjackState, hold: Hold) -> bool:
    return hold.phase is not _P.RAISED and hold.attended_by is not None


def _cleared(_state: BlackjackState, hold: Hold) -> bool:
    return hold.phase in {_P.CLEARED, _P.ENDED}


def _never(_state: BlackjackState, _hold: Hold) -> bool:
    return False


def _shown_by(*evidence: Evidence) -> Test:
    return lambda state, hold: _attended(state, hold) and all(is_met(one, state, hold) for one in evidence)


def _freed_are_stated(state: BlackjackState, hold: Hold) -> bool:
    """Nothing is stuck any more, and of whatever was it is known where it lies."""
    is_free = _cleared(state, hold) or _shown_by(*_FREED)(state, hold)
    return is_free and is_met(Evidence.JAMMED_CARDS_ARE_STATED, state, hold)


def _may_be_cleared(state: BlackjackState, hold: Hold) -> bool:
    return any(refused(state, ClearHold(_NOBODY, role, hold.id)) is None for role in hold_rule(hold.kind).clear)


# --- when a step belongs to the plan


def _cards_in_hand(state: BlackjackState, _hold: Hold) -> bool:
    return state.custody.book.in_hand > 0


def _cards_pending(state: BlackjackState, hold: Hold) -> bool:
    return not is_met(Evidence.NO_CARD_IS_PENDING, state, hold)


def _has_shuffler(state: BlackjackState, _hold: Hold) -> bool:
    return state.setup.has_shuffler


def _count_is_wanted(_state: BlackjackState, hold: Hold) -> bool:
    return hold.needs_count


def _outage_is_open(state: BlackjackState, _hold: Hold) -> bool:
    return state.house.outage is Outage.TO_BE_STATED


def _deck_check(state: BlackjackState, _hold: Hold) -> bool:
    return state.house.session is SessionPhase.CHECKING


def _nothing_is_loaded(state: BlackjackState, _hold: Hold) -> bool:
    return state.setup.has_shuffler and state.custody.book.inside > 0 and state.house.session not in _CARDS_INSIDE


_CARDS_INSIDE: Final = (
    SessionPhase.LOADING,
    SessionPhase.TAKING_OUT,
    SessionPhase.LOADED,
    SessionPhase.IN_PLAY,
    SessionPhase.CLOSING,
    SessionPhase.UNLOADING,
)


def _technician_called(_state: BlackjackState, hold: Hold) -> bool:
    return hold.technician_called


def _not_clear_yet(state: BlackjackState, hold: Hold) -> bool:
    return not _may_be_cleared(state, hold)


def _faces_are_wrong(state: BlackjackState, _hold: Hold) -> bool:
    return bool(impossible_cards(state))


# --- acts


def _on_hold(act: str) -> Ways:
    return lambda _state, hold: [Way(act, {"hold": f"H{hold.id}"})]


def _acts(*acts: str) -> Ways:
    return lambda _state, _hold: [Way(act) for act in acts]


def _moved(source: str, **known: str) -> Ways:
    """Cards that were moved by hand from there: all of them, where the table knows how many."""

    def ways(state: BlackjackState, _hold: Hold) -> Sequence[Way]:
        count = int(getattr(state.custody.book, source))
        counted = {} if source == "inside" else {"count": str(count)}
        return [Way("state-cards-moved", {"source": source, **known, **counted})] if count else []

    return ways


def _replacement(state: BlackjackState, _hold: Hold) -> Sequence[Way]:
    return [Way("replace-card", {"replacement": state.custody.damaged})] if state.custody.damaged else []


def _watching(state: BlackjackState, _hold: Hold) -> Sequence[Way]:
    operation = "loading" if state.house.session in {SessionPhase.LOADING, SessionPhase.TAKING_OUT} else "unloading"
    return [Way("sign-in", {"operation": operation}, CHIEF)]


# --- the rows

_FREED: Final = (Evidence.PATH_IS_CLEAR, Evidence.LID_IS_CLOSED)
_CALL: Final = Step("call", _P.RAISED, _attended, along=True)
_TAKE_CHARGE: Final = Step("take-charge", _P.RAISED, _taken_charge, _on_hold("attend-hold"))
_MAY_CALL: Final = Step(
    "call-technician",
    _P.ATTENDED,
    _technician_called,
    _on_hold("call-technician"),
    here=lambda _state, hold: not hold.technician_called,
    optional=True,
)
_TECHNICIAN: Final = (
    Step("call-technician", _P.ATTENDED, _technician_called, here=_technician_called),
    Step(
        "repair",
        _P.ATTENDED,
        lambda _state, hold: hold.technician is not None,
        _on_hold("attest-repair"),
        here=_technician_called,
    ),
)
"""Once a technician is called, the repair comes before everything else."""
_PUT_DOWN: Final = Step("put-down", _P.ATTENDED, None, _moved("in_hand"), here=_cards_in_hand)
_COUNT: Final = Step(
    "count",
    _P.ATTENDED,
    lambda _state, hold: hold.counted,
    _acts("state-count", "state-whole-count"),
    here=_count_is_wanted,
)
_OUTAGE: Final = Step("outage", _P.ATTENDED, None, _acts("state-outage", "confirm-outage"), here=_outage_is_open)
_CLEAR: Final = Step("clear", _P.ATTENDED, _cleared, _on_hold("clear-hold"))
_RECOUNT: Final = Step(
    "recount",
    _P.CLEARED,
    lambda state, hold: _cleared(state, hold) and is_met(Evidence.RECOUNT_IS_DONE, state, hold),
    here=_has_shuffler,
)
_CONFIRM: Final = Step("confirm", _P.CLEARED, _never, _on_hold("confirm-hold"))
_IRREGULAR: Final = Step(
    "irregular-closing",
    _P.CLEARED,
    None,
    _acts("propose-irregular-closing", "confirm-irregular-closing"),
    optional=True,
)

STEPS: Final[Mapping[HoldKind, tuple[Step, ...]]] = {
    HoldKind.JAM: (
        _CALL,
        _TAKE_CHARGE,
        *_TECHNICIAN,
        Step("free", _P.ATTENDED, _shown_by(*_FREED), lasting=True),
        Step("freed", _P.ATTENDED, _freed_are_stated, _moved("jammed")),
        _PUT_DOWN,
        _MAY_CALL,
        _CLEAR,
        _RECOUNT,
        _CONFIRM,
    ),
    HoldKind.LID: (
        _CALL,
        _TAKE_CHARGE,
        *_TECHNICIAN,
        Step("look", _P.ATTENDED, _shown_by(Evidence.LID_IS_CLOSED), lasting=True),
        Step("taken-out", _P.ATTENDED, None, _moved("inside", target="in_hand"), optional=True),
        _PUT_DOWN,
        _MAY_CALL,
        _CLEAR,
        _RECOUNT,
        _CONFIRM,
    ),
    HoldKind.COUNT: (
        _CALL,
        _TAKE_CHARGE,
        _OUTAGE,
        Step("look", _P.ATTENDED, None, here=_not_clear_yet, along=True),
        Step("empty", _P.ATTENDED, None, here=_nothing_is_loaded, optional=True),
        _COUNT,
        Step("grid", _P.ATTENDED, None, _acts("enter-grid", "confirm-deck-check"), here=_deck_check),
        _PUT_DOWN,
        _CLEAR,
        _CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.UNEXPECTED_CARD: (
        _CALL,
        _TAKE_CHARGE,
        _OUTAGE,
        Step("pending", _P.ATTENDED, None, _moved("pending"), here=_cards_pending),
        Step("rename", _P.ATTENDED, None, _acts("rename-card"), here=_faces_are_wrong),
        _COUNT,
        _PUT_DOWN,
        _CLEAR,
        _CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.UNREAD_CARD: (Step("name", _P.RAISED, _never, _acts("name-card")), _IRREGULAR),
    HoldKind.DAMAGED_CARD: (
        _CALL,
        _TAKE_CHARGE,
        Step(
            "replace",
            _P.ATTENDED,
            _shown_by(Evidence.CARD_IS_REPLACED),
            _replacement,
            here=lambda state, _hold: not deck_goes(state),
        ),
        Step(
            "deck",
            _P.ATTENDED,
            _shown_by(Evidence.CARD_IS_REPLACED),
            _acts("replace-deck", "record-authorisation"),
            here=lambda state, _hold: deck_goes(state),
        ),
        _PUT_DOWN,
        _CLEAR,
        _CONFIRM,
        Step("report", _P.CLEARED, None, _acts("report-duty"), optional=True),
        _IRREGULAR,
    ),
    HoldKind.DEVICE_LOST: (
        _TAKE_CHARGE,
        *_TECHNICIAN,
        Step("check", _P.ATTENDED, _shown_by(Evidence.DEVICE_IS_CONNECTED), lasting=True),
        _MAY_CALL,
        _PUT_DOWN,
        _CLEAR,
        _CONFIRM,
        _IRREGULAR,
    ),
    HoldKind.COMPLAINT: (
        Step("call", _P.RAISED, along=True),
        Step("decide", _P.RAISED, _never, _acts("decide-complaint")),
    ),
    HoldKind.SUPERVISOR_ABSENT: (Step("sign-in", _P.RAISED, _never, _watching),),
    HoldKind.RULING: (Step("call", _P.RAISED, along=True), Step("rule", _P.RAISED, _never, _acts("make-ruling"))),
    HoldKind.JOURNAL_FAULT: (
        _CALL,
        _TAKE_CHARGE,
        *_TECHNICIAN,
        Step("mend", _P.ATTENDED, _shown_by(Evidence.JOURNAL_IS_WRITING), lasting=True, tools=("journal-verify",)),
        Step("seal", _P.ATTENDED, None, optional=True, tools=("journal-seal", "journal-verify-head")),
        Step("copies", _P.ATTENDED, None, optional=True, tools=("journal-verify-head",)),
        Step("restart", _P.ATTENDED, None, optional=True),
        _MAY_CALL,
        _CLEAR,
        _CONFIRM,
    ),
}
