"""The scene of a table: a text that changes with the situation. A request can name the scene that the person saw.

The scene has the controller's start, the session and the round with their phases, the owed card, and the holds.
"""

from controller.core.house.state import State
from controller.protocol.status import OwedStatus


def scene_of(state: State, owed: OwedStatus | None) -> str:
    """Returns the scene: the number of the controller's start, the session and the round with their phases, the owed
    card, and each hold with its phase.
    """
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
