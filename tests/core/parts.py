"""Copies a table's state with other values in some fields, each named without the part that contains it."""

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
