"""Selects the entries that concern holds, refusals, complaints or people."""

from enum import StrEnum, unique
from typing import TYPE_CHECKING, Final

from controller.journal.round_count import COMPLAINS

if TYPE_CHECKING:
    from controller.core.house.state import State
    from controller.record.shown import Shown


@unique
class Only(StrEnum):
    HOLDS = "holds"
    REFUSALS = "refusals"
    COMPLAINTS = "complaints"
    PEOPLE = "people"


DECIDED: Final = frozenset({"decide-complaint", "decide-claim"})
"""The acts by which people decide on a player's complaint: at a card table, and at a wheel."""

_KINDS: Final = {
    Only.REFUSALS: frozenset({"pin-refused", "sign-ins-kept-away"}),
    Only.COMPLAINTS: COMPLAINS | DECIDED,
    Only.PEOPLE: frozenset({"sign-in", "sign-out", "pin-refused", "staff-changed", "person-removed"}),
}


def is_about(one: "Shown", only: Only) -> bool:
    """True if the entry `one` concerns the subject `only`. An entry concerns holds if it begins a hold, ends a hold or
    changes a hold's phase.
    """
    if only is Only.HOLDS:
        return holds_of(one.before) != holds_of(one.after)
    return one.entry.kind in _KINDS[only] or (only is Only.REFUSALS and one.entry.refusal is not None)


def holds_of(state: "State | None") -> dict[int, str]:
    """Returns the phase of each open hold, by the hold's number."""
    return {} if state is None else {int(hold.id): hold.phase.value for hold in state.house.holds}
