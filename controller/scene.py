"""What a request may be bound to: where the table stands, as one word that changes with whatever an act depends on."""

from controller.core.custody.game import next_owed
from controller.core.games.blackjack.state import BlackjackState


def scene_of(state: BlackjackState) -> str:
    """Start, session, round, both steps, the owed place, and each hold with its phase."""
    owed = next_owed(state)
    holds = ",".join(f"H{hold.id}:{hold.phase.value}" for hold in state.house.holds)
    return "/".join(
        (
            str(state.house.start_number),
            f"{state.house.session_number}:{state.house.session.value}",
            f"{state.game.number}:{state.game.phase.value}",
            "" if owed is None else f"{owed.purpose.value}:{owed.seat}",
            holds,
        )
    )
