"""At which of its steps a hold is: read off its phase, its evidence, and the acts that the steps name."""

from collections.abc import Sequence

from controller.core.acts import ClearHold
from controller.core.decide import refused
from controller.core.hold_table import hold_rule
from controller.core.state import Hold, State
from controller.core.words import HoldPhase, Person

_NOBODY = Person(0)


def next_step(state: State, hold: Hold, steps: Sequence[str]) -> int:
    """The number, from 1, of the step that is next; those before it are done. 0 where the hold has no steps."""
    if not steps:
        return 0
    match hold.phase:
        case HoldPhase.RAISED:
            return 1
        case HoldPhase.ATTENDED if hold.technician_called and hold.technician is None:
            return _naming("attest-repair", steps) or 1
        case HoldPhase.ATTENDED if _may_be_cleared(state, hold):
            return _naming("clear-hold", steps) or 1
        case HoldPhase.ATTENDED:
            return min(_naming("attend-hold", steps) + 1, len(steps))
        case HoldPhase.CLEARED | HoldPhase.ENDED:
            return _naming("confirm-hold", steps) or len(steps)


def _may_be_cleared(state: State, hold: Hold) -> bool:
    return any(refused(state, ClearHold(_NOBODY, role, hold.id)) is None for role in hold_rule(hold.kind).clear)


def _naming(act: str, steps: Sequence[str]) -> int:
    """The number of the step that names this act, or 0."""
    return next((number for number, step in enumerate(steps, 1) if f" {act} " in step), 0)
