"""Roulette for the shell: spins come from the wheel's line, values from the display; nothing is sealed."""

from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.game_screen import GameScreen
from controller.runtime.game import Game
from controller.runtime.no_devices import NoDevices


def make_roulette() -> Game[RouletteState]:
    return Game(ROULETTE, NoDevices, _screen)


def _screen() -> GameScreen[RouletteState]:
    from controller.games.roulette_screen import SCREEN

    return SCREEN
