"""The table's scene: a text by which a request can name the situation that its sender saw.

The text changes with each start of the controller, with session, round and their phases, the owed card and the holds.
"""

from controller.core.house.state import State
from controller.protocol.status import OwedStatus


def scene_of(state: State, owed: OwedStatus | None) -> str:
    """The start's number, session, round, their phases, the owed card, and each hold with its phase, as one word."""
    holds = ",".join(f"H{hold.id}:{hold.phase.value}" for hold in state.house.holds)
    return "/".join(
        (
            str(state.house.start_number),
            f"{state.house.session_number}:{state.house.session.value}",
            f"{state.game.number}:{state.game.phase.value}",
            "" if owed is None else f"{owed.purpose}:{owed.seat}",
            holds,
        )
    )
