"""Blackjack for the shell: cards come from devices, and those that lie face down are sealed."""

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
from controller.runtime.game import Game, Prepared
from controller.screen.game_screen import GameScreen


class BlackjackDevices(Intake):
    """Shuffler, shoe and display of a table of blackjack."""

    def __init__(self, seals: SealStore) -> None:
        super().__init__(Faces(seals))

    def take_seal(self) -> bytes:
        return self._faces.take_seal()

    def prepared(self, act: Act, latest: BlackjackState) -> Prepared:
        """A face that was not turned stays out of the journal: salt and seal are for the seal to say."""
        if not isinstance(act, TURNINGS):
            return Prepared(act)
        act = replace(act, salt=None, seal_differs=False)
        return Prepared(act, self._faces.unseal(act, latest) if is_permitted(TABLE, latest, type(act)) else None)


def make_blackjack() -> Game[BlackjackState]:
    return Game(TABLE, BlackjackDevices, _screen)


def _screen() -> GameScreen[BlackjackState]:
    from controller.games.blackjack_screen import SCREEN

    return SCREEN


def at_blackjack(state: State) -> BlackjackState:
    """The state, known to be of this game. Raises TypeError for another one's."""
    if not isinstance(state, BlackjackState):
        raise TypeError(f"{type(state).__name__} is not of a table of blackjack")
    return state
