"""The note that an incident's recording is kept: a supervisor names the incident's first entry and the file's place.

act             by whom                         who must agree   undone by                      growth
keep-recording  chief supervisor, room manager  no other         the same act: the last counts  an entry each, no state

The core keeps no list of incidents, so a note may name any entry: readers of the journal (record/incidents.py) count
a note only for an incident that began with that entry and had ended before the note. Every note stays in the journal.
"""

from typing import Any, Final

from controller.core.engine.act import Act
from controller.core.house.duties import is_a_reference
from controller.core.house.jackpot_acts import CHIEF_OR_MANAGER
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import ActGuard, ActRule
from controller.core.house.state import State, StateT
from controller.core.house.undoing import AGAIN
from controller.core.words import EntryNumber, TableMs


class KeepRecording(Act, frozen=True):
    """A supervisor notes where the recording of an incident is kept. `incident`: the number of the incident's first
    entry.
    """

    incident: EntryNumber
    kept_at: str


PLACE_OF_RECORDING_IS_GIVEN: Final = ActGuard[State, KeepRecording](
    "place_of_recording_is_given", lambda _state, act: is_a_reference(act.kept_at)
)


def keep_recording(state: StateT, _act: KeepRecording, _at_ms: TableMs) -> StateT:
    """The state unchanged: the act has only its entry in the journal."""
    return state


RECORDING_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "keep-recording",
        KeepRecording,
        CHIEF_OR_MANAGER,
        keep_recording,
        (PLACE_OF_RECORDING_IS_GIVEN,),
        manner=Manner.ATTESTS,
        undone=AGAIN,
        money=Money.NONE,
    ),
)
