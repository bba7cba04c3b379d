"""A state made by hand, for rows whose case no course of events reaches."""

from typing import Final

from controller.core.events import ShufflerStatus
from controller.core.replacing import replace
from controller.core.state import Link, ReaderKnown, ShufflerKnown, State, initial_state
from controller.core.words import SessionPhase
from tests.core.table import SETUP

STATUS: Final = ShufflerStatus(312, 1, 311, 0, 0, True, False, False, False)


def in_play() -> State:
    """In play, one card burnt, everything connected and agreeing."""
    link = Link(connected=True)
    state = initial_state(SETUP)
    return replace(
        state,
        house=replace(state.house, session=SessionPhase.IN_PLAY),
        custody=replace(state.custody, book=replace(state.custody.book, outside=0, inside=311, rack=1)),
        devices=replace(
            state.devices, shuffler=ShufflerKnown(link, 312, 1, status=STATUS), reader=ReaderKnown(link=link)
        ),
    )
