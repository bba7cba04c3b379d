"""Entries that tell the floor of a linked pool, recorded at once behind the event that brings it about."""

from msgspec import UnsetType

from controller.core.house.linked_acts import LinkedTold, to_be_told
from controller.core.house.state import State
from controller.journal.epoch import epoch_said


def told_behind(state: State, findings: tuple[str, ...], seq: int) -> LinkedTold | None:
    """The fact for entry `seq`; None for nothing. `findings`: of this start, which say the epoch."""
    if isinstance(state.house.linked, UnsetType):
        return None
    return to_be_told(state, epoch_said(findings), seq)
