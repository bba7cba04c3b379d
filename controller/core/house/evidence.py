"""Guards that require evidence before a person clears or confirms a hold. A table's registry names the kinds of
evidence that the table can have, and has guards only for these kinds. One kind exists at every table: the evidence that
the journal can be written.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeAlias

from controller.core.engine.act import Act
from controller.core.engine.decision import Values
from controller.core.house.hold_acts import ClearHold, ConfirmHold
from controller.core.house.hold_table import Evidence, hold_rule
from controller.core.house.holds import hold_of
from controller.core.house.rule import ActGuard
from controller.core.house.state import Hold, State, StateT

Met: TypeAlias = Callable[[StateT, Hold], bool]
"""A function that is True if the hold has this evidence now."""
_GoesOn: TypeAlias = ClearHold | ConfirmHold


def _no_figures(_state: State, _act: Act | None) -> Values:
    return ()


def evidence_guard(
    kind: Evidence, met: Met[StateT], says: Callable[[StateT, Act | None], Values] = _no_figures
) -> ActGuard[StateT, _GoesOn]:
    """Returns a guard on clearing or confirming a hold: the hold has the evidence `kind`, does not need it for that
    step, or is gone. `met`: True if a hold has the evidence. `says`: the values of the guard's sentences.
    """

    def holds(state: StateT, act: _GoesOn) -> bool:
        hold = hold_of(state, act.hold)
        if hold is None:
            return True
        rule = hold_rule(hold.kind)
        asked = rule.to_clear if isinstance(act, ClearHold) else rule.to_confirm
        return kind not in asked or met(state, hold)

    return ActGuard[StateT, _GoesOn](kind.value, holds, says)


HOUSE_EVIDENCE: Final[Mapping[Evidence, Met[Any]]] = {
    Evidence.JOURNAL_IS_WRITING: lambda state, _hold: not state.house.journal_failed,
}
HOUSE_EVIDENCE_GUARDS: Final = tuple(evidence_guard(kind, met) for kind, met in HOUSE_EVIDENCE.items())
