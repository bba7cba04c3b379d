"""The binding of a request: the table's scene as one word, which changes with all that an act depends on."""

from controller.core.house.state import State
from controller.protocol.status import OwedStatus


def scene_of(state: State, owed: OwedStatus | None) -> str:
    """Start, session, round, both steps, the card that is owed, and each hold with its phase."""
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
