"""The records of a roulette table: a round is a spin, from its first bet, or its launch, to the last payment."""

from typing import Final

from controller.core.games.roulette.state import RouletteState
from controller.core.games.roulette.table import ROULETTE
from controller.core.words import RoundPhase
from controller.record.game_record import GameRecord

_BETS: Final = frozenset(rule.name for rule in ROULETTE.acts if rule.begins_round)


def _under_way(state: RouletteState) -> int | None:
    """Returns the number of the spin; a spin gets its number with the launch, after its first bets."""
    if state.game.phase is not RoundPhase.IDLE:
        return state.game.number
    return state.game.number + 1 if _has_bets_for_the_next(state) else None


def _has_bets_for_the_next(state: RouletteState) -> bool:
    """Returns True where a bet was laid since the last payments; winning chips that stay on the cloth are none."""
    return not state.log.is_over and any(one.name in _BETS for one in state.log.events)


RECORD: Final = GameRecord[RouletteState](_under_way)
