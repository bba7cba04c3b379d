"""Describes one game for the shell: its rules, its kinds of entry, its use of devices, and its screen.

A profile names its game. A game's modules are imported when the first table or journal with this game needs them. So a
table without cards imports no module about cards.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Generic, Protocol, TypeAlias, TypeVar

from msgspec import Struct

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
    from controller.record.game_record import GameRecord
    from controller.screen.game_screen import GameScreen

StateOfGame = TypeVar("StateOfGame", bound=State, contravariant=True)


class UnknownProfileError(CodecError):
    """A profile names a game that this program does not know."""


class Prepared(Struct, frozen=True, gc=False):
    """An act in the two forms in which it may be decided and recorded. `opened`: `act` with the identity of the
    face-down card that the act turns; None if the act turns no card. The journal gets `opened` if the core permits it,
    otherwise `act`.
    """

    act: Act
    opened: Act | None = None


class DeviceSide(Protocol[StateOfGame]):
    """The part of a game that converts the devices' events into facts. Each run of a table has one."""

    def reveals_hidden_card(self, event: DriverEvent) -> bool:
        """True if the event must not even be logged: the time of the event would reveal a hidden card."""

    def fact(
        self, device: Device, event: DriverEvent, latest: StateOfGame, durable: StateOfGame, at_ms: TableMs
    ) -> Fact | None:
        """Converts a device's event into a fact; None if the event is no fact of the game.

        `latest`: the state after the last decision. `durable`: the state on the disk.
        """

    def take_seal(self) -> bytes:
        """Returns the seal of the last fact or act, to be made durable before its entry; b"" without a seal."""

    def prepared(self, act: Act, latest: StateOfGame) -> Prepared:
        """Returns the act in the forms in which the core decides it and the journal records it."""


@dataclass(frozen=True, slots=True)
class Game(Generic[StateT]):
    """One game: its rules, its device side, its screen, and its kinds of entry.

    The functions `screen` and `record` import modules. So `screen` is called when a person looks at the table, and
    `record` when a record is read.
    """

    registry: Registry[StateT]
    device_side: Callable[[SealStore], DeviceSide[StateT]]
    screen: "Callable[[], GameScreen[StateT]]"
    record: "Callable[[], GameRecord[StateT]]"
    codec: Codec[Recorded] = field(init=False, repr=False, compare=False)  # of the game's entries
    states: CanonicalDecoder[StateT] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "codec", codec_of(self.registry))
        object.__setattr__(self, "states", CanonicalDecoder(self.registry.state))


AnyGame: TypeAlias = Game[Any]
"""A game found by its profile. Only the game's own modules know the type of its state, so a caller must pass no state
of another game.
"""


MODULES: Final[dict[GameName, str]] = {
    GameName.BLACKJACK: "controller.games.blackjack",
    GameName.ROULETTE: "controller.games.roulette",
}
"""The module of each game, with the function `make_game`. Imported by its name, since that module depends on the
runtime.
"""


@cache
def game_named(name: GameName) -> AnyGame:
    """Returns the game of this name. Cached."""
    game: AnyGame = import_module(MODULES[name]).make_game()
    return game


def game_of(profile: str) -> AnyGame:
    """Returns the game that is played under this profile. Raises UnknownProfileError."""
    name = GAME_OF.get(profile)
    if name is None:
        raise UnknownProfileError(f"no game is known for the profile {profile}")
    return game_named(name)
