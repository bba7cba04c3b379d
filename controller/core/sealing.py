"""Whether the face of a card that the reader reads now may enter the core, or only a commitment (secrecy).

The shell asks before it tells: a card that is face down, not owed, or contested is sealed under a number.
"""

from controller.core.deal import next_owed
from controller.core.state import State
from controller.core.words import Purpose, SessionPhase

_FACE_UP = (Purpose.SEAT, Purpose.BANK)


def face_down_number(state: State) -> int | None:
    """None: the face may enter. Otherwise the number under which to seal it."""
    if state.session is SessionPhase.UNLOADING:
        return None
    join = state.join
    if state.reader.missing or state.reader.unseen:  # whose face this is nobody knows
        return state.face_down + 1
    if join.counted_ms is not None:
        face_up = join.counted_for in _FACE_UP and not join.contested
    else:
        owed = next_owed(state)
        face_up = owed is not None and owed.purpose in _FACE_UP and join.read is None
    return None if face_up else state.face_down + 1
