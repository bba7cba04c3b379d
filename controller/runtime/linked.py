"""Entries that report on a linked pool to the floor. Each is recorded right after the event that causes it."""

from msgspec import UnsetType

from controller.core.house.linked_acts import LinkedTold, to_be_told
from controller.core.house.state import State
from controller.journal.epoch import epoch_said


def told_behind(state: State, findings: tuple[str, ...], seq: int) -> LinkedTold | None:
    """The report to record as entry `seq`; None without a report. `findings`: of this start, with the epoch."""
    if isinstance(state.house.linked, UnsetType):
        return None
    return to_be_told(state, epoch_said(findings), seq)
