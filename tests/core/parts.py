"""A state of the table with other values, named by their fields alone, in whichever part has the field."""

from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState

PARTS = ("house", "devices", "custody", "game")


def changed(state: BlackjackState, **values: object) -> BlackjackState:
    """Returns the state with new values in these fields, each in the first part that has a field of this name."""
    for name, value in values.items():
        part = next((one for one in PARTS if hasattr(getattr(state, one), name)), None)
        if part is None:
            state = replace(state, **{name: value})
        else:
            state = replace(state, **{part: replace(getattr(state, part), **{name: value})})
    return state
