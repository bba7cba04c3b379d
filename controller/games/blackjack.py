"""Blackjack outside the core: device reports become facts, and the face of a face-down card is sealed."""

from controller.core.custody.turning import TURNINGS
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.house.permitted import is_permitted
from controller.core.house.state import State
from controller.games.faces import Faces
from controller.games.intake import Intake
from controller.journal.seals import SealStore
from controller.record.game_record import GameRecord
from controller.runtime.game import Game, Prepared
from controller.screen.game_screen import GameScreen


class BlackjackDevices(Intake):
    """Turns reports of a blackjack table's devices into facts: shuffler, shoe, jackpot sign and jackpot slots."""

    def __init__(self, seals: SealStore) -> None:
        super().__init__(Faces(seals))

    def prepared(self, act: Act, latest: BlackjackState) -> Prepared:
        """Returns the act ready for decision and record. An act that may turn a face-down card now also gets the
        unsealed face. Only the seal may set the values `salt` and `seal_differs`: values that came with the act are
        dropped.
        """
        if not isinstance(act, TURNINGS):
            return Prepared(act)
        act = replace(act, salt=None, seal_differs=False)
        return Prepared(act, self._faces.unseal(act, latest) if is_permitted(TABLE, latest, type(act)) else None)


def make_game() -> Game[BlackjackState]:
    return Game(TABLE, BlackjackDevices, _screen, _record)


def _screen() -> GameScreen[BlackjackState]:
    from controller.games.blackjack_screen import SCREEN

    return SCREEN


def _record() -> GameRecord[BlackjackState]:
    from controller.games.blackjack_record import RECORD

    return RECORD


def at_blackjack(state: State) -> BlackjackState:
    """Returns the state unchanged, with the type of a blackjack table's state. Raises TypeError for another game's
    state.
    """
    if not isinstance(state, BlackjackState):
        raise TypeError(f"{type(state).__name__} is not of a table of blackjack")
    return state
