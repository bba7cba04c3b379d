"""Whether the face of a card that the reader reads now may enter the core, or only a commitment (secrecy).

The shell asks before it tells: a card that is face down, not owed, or contested is sealed under a number.
"""

from controller.core.custody.owed import lies_face_up, next_owed
from controller.core.custody.state import CardState
from controller.core.words import SessionPhase


def face_down_number(state: CardState) -> int | None:
    """None: the face may enter. Otherwise the number under which to seal it."""
    if state.house.session is SessionPhase.UNLOADING:
        return None
    join = state.custody.join
    if state.devices.reader.missing or state.devices.reader.unseen:  # whose face this is nobody knows
        return state.custody.face_down + 1
    if join.counted_ms is not None:
        wanted = join.counted_for
        face_up = wanted is not None and lies_face_up(state, wanted) and not join.contested
    else:
        owed = next_owed(state)
        face_up = owed is not None and lies_face_up(state, owed.purpose) and join.read is None
    return None if face_up else state.custody.face_down + 1
