"""What the journal tells the floor of a linked pool, at once behind the event that brings it about."""

from msgspec import UnsetType

from controller.core.house.linked_acts import LinkedTold, to_be_told
from controller.core.house.state import State
from controller.journal.epoch import epoch_said


def told_behind(state: State, findings: tuple[str, ...], seq: int) -> LinkedTold | None:
    """What entry `seq` shall tell; None for nothing. `findings`: of this start, which say the epoch."""
    if isinstance(state.house.linked, UnsetType):
        return None
    return to_be_told(state, epoch_said(findings), seq)
