"""The part of a table's screen that differs from game to game: keys of the status, the hands, and the steps of the
game's own holds.
"""

from collections.abc import Callable
from typing import Generic

from msgspec import Struct, field

from controller.core.house.state import State, StateT
from controller.protocol.jackpot import JackpotExportStatus, JackpotStatus, LinkedStatus
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import (
    FaceDownStatus,
    FiguresStatus,
    HandStatus,
    LoadingStatus,
    OwedStatus,
    PuttingBackStatus,
    ShoeStatus,
)
from controller.protocol.wheel_status import WheelStatus
from controller.screen.offers import GameOffers
from controller.screen.steps import HOUSE_STEPS, Steps


class GamePart(Struct, frozen=True):
    """The values that a game gives for its keys of the status. The defaults fit a table without cards."""

    figures: FiguresStatus
    seats: tuple[int, ...] = ()
    collected: list[int] = field(default_factory=list)
    face_down: list[FaceDownStatus] = field(default_factory=list)
    counts: dict[str, int] | None = None
    loading: LoadingStatus = field(default_factory=LoadingStatus)
    putting_back: PuttingBackStatus = field(default_factory=PuttingBackStatus)
    shoe: ShoeStatus | None = None
    grids_entered: list[int] = field(default_factory=list)
    grid_cards: list[int] = field(default_factory=list)
    hands: list[HandStatus] = field(default_factory=list)
    money: MoneyStatus | None = None
    jackpot: JackpotStatus | None = None
    jackpot_export: JackpotExportStatus | None = None
    linked: LinkedStatus | None = None
    wheel: WheelStatus | None = None


def _plain_part(latest: State, _durable: State) -> GamePart:
    setup = latest.setup
    return GamePart(FiguresStatus(seats=setup.seats, presence_ms=setup.parameters.presence_timeout_ms))


def _owes_nothing(_state: State) -> OwedStatus | None:
    return None


def _no_hands(_state: State) -> list[HandStatus]:
    return []


def _no_words(_state: State) -> tuple[str, ...]:
    return ()


class GameScreen(Struct, Generic[StateT], frozen=True):
    """The functions that compute one game's part of the screen. The defaults fit a table without cards."""

    part: Callable[[StateT, StateT], GamePart] = _plain_part
    """Returns the game's keys, from the latest and the durable state.

    Values that permit an act come from the durable state.
    """
    owed: Callable[[StateT], OwedStatus | None] = _owes_nothing
    """Returns the card that comes next; None if no card is owed."""
    hands: Callable[[StateT], list[HandStatus]] = _no_hands
    """Returns the cards on the table, with the faces that everybody at the table sees."""
    round_words: Callable[[StateT], tuple[str, ...]] = _no_words
    """Returns variants of the sentence on the round's state, the most special first."""
    offers: GameOffers[StateT] = field(default_factory=GameOffers)
    """The game's suggestions for the values of its acts."""
    steps: Steps[StateT] = field(default_factory=lambda: HOUSE_STEPS)
