"""Makes the entries that report to the floor on a linked pool (a jackpot of several tables). Each such entry follows
the entry of the event that causes it.
"""

from msgspec import UnsetType

from controller.core.house.linked_acts import LinkedTold, to_be_told
from controller.core.house.state import State
from controller.journal.epoch import epoch_said


def told_behind(state: State, findings: tuple[str, ...], seq: int) -> LinkedTold | None:
    """Returns the report to the floor on the linked pool, to record as entry `seq`; None if the floor needs no report.

    `findings`: the findings in the entry of this start, which name the epoch.
    """
    if isinstance(state.house.linked, UnsetType):
        return None
    return to_be_told(state, epoch_said(findings), seq)
