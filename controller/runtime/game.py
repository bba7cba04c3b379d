"""A game as one value for the shell: its rows, its words in the journal, its devices, what a screen shows of it.

A profile names its game. A game is loaded where the first table, or journal, of it is met: a table without cards
loads nothing of cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

from controller.config.profile import GAME_OF, GameName
from controller.core.engine.act import Act, Fact
from controller.core.house.registry import Registry
from controller.core.house.state import State, StateT
from controller.core.words import Device, TableMs
from controller.journal.codec import CanonicalDecoder, Codec
from controller.journal.errors import CodecError
from controller.journal.seals import SealStore
from controller.runtime.entries import Recorded, codec_of
from drivers.events import DriverEvent

if TYPE_CHECKING:
    from controller.screen.game_screen import GameScreen

StateOfGame = TypeVar("StateOfGame", bound=State, contravariant=True)


class UnknownProfileError(CodecError):
    """A profile of which this program knows no game."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """An act as it may be recorded whatever is decided. `opened`: with what it uncovers, for where it is allowed."""

    act: Act
    opened: Act | None = None


class DeviceSide(Protocol[StateOfGame]):
    """A game's use of its devices' reports. One for each run of a table."""

    def reveals_hidden_card(self, event: DriverEvent) -> bool:
        """True where it must not even be logged: its coming alone tells a hidden card."""

    def fact(
        self, device: Device, event: DriverEvent, latest: StateOfGame, durable: StateOfGame, at_ms: TableMs
    ) -> Fact | None:
        """The fact that `event` is for a table in state `latest`; None where it is no news."""

    def take_seal(self) -> bytes:
        """The seal that must be durable before the entry of the last fact or act; b"" where there is none."""

    def prepared(self, act: Act, latest: StateOfGame) -> Prepared:
        """An act that somebody asks for, as it is to be decided."""


@dataclass(frozen=True, slots=True)
class Game(Generic[StateT]):
    """One game. `screen` is called where somebody looks at the table."""

    registry: Registry[StateT]
    device_side: Callable[[SealStore], DeviceSide[StateT]]
    screen: "Callable[[], GameScreen[StateT]]"
    codec: Codec[Recorded] = field(init=False, repr=False, compare=False)  # of its entries
    states: CanonicalDecoder[StateT] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codec", codec_of(self.registry))
        object.__setattr__(self, "states", CanonicalDecoder(self.registry.state))


AnyGame: TypeAlias = Game[Any]
"""A game found by its profile: it takes no other game's state, and nobody but its own modules looks into it."""


@cache
def _blackjack() -> AnyGame:
    from controller.games.blackjack import make_blackjack

    return make_blackjack()


@cache
def _roulette() -> AnyGame:
    from controller.games.roulette import make_roulette

    return make_roulette()


GAMES: Final[dict[GameName, Callable[[], AnyGame]]] = {GameName.BLACKJACK: _blackjack, GameName.ROULETTE: _roulette}
"""How each game is made; each gives the same one whenever it is asked."""


def game_of(profile: str) -> AnyGame:
    """The game that is played under this profile. Raises UnknownProfileError."""
    game = GAME_OF.get(profile)
    if game is None:
        raise UnknownProfileError(f"no game is known for the profile {profile}")
    return GAMES[game]()
