"""The table's state: one frozen value. No sets, no floats, no clock; its canonical encoding is the state's digest."""

from msgspec import Struct

from controller.core.custody.state import Book, Custody
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import Round
from controller.core.house.state import Devices, House
from controller.core.setup import Setup


class State(Struct, frozen=True, gc=False):
    """Everything the table knows."""

    setup: Setup
    house: House = House()
    devices: Devices = Devices()
    custody: Custody = Custody()
    game: Round = Round()


def initial_state(setup: Setup) -> State:
    """A closed table whose whole deck set is outside."""
    return State(setup=setup, custody=Custody(book=Book(outside=setup.cards)))


def without_round(state: State, *, over: bool = False) -> State:
    """The state without what was known of a round. Its number stays, and unless it is over the phase too."""
    phase = state.game.MACHINE.initial if over else state.game.phase
    return replace(state, game=Round(phase=phase, number=state.game.number))
