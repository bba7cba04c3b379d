"""The round that is under way: from its first bet, or its first step, to its end."""

from controller.core.house.registry import Registry
from controller.core.house.state import State
from controller.core.words import RoundPhase


def round_under_way(registry: Registry[State], state: State) -> int | None:
    """The number of the round from its first bet to its end; None between two rounds.

    A bet is of the round for which it is placed, also before that round has a number of its own.
    """
    # the number of a round of cards rises with the announcement, that of a spin with the launch
    phase, number = state.game.phase, state.game.number
    if phase is not RoundPhase.IDLE:
        return number + (phase is RoundPhase.BETTING)
    return number + 1 if registry.bets and _has_bets_for_the_next(registry, state) else None


def _has_bets_for_the_next(registry: Registry[State], state: State) -> bool:
    """True where a bet was laid since the last round; winning chips that stay on the cloth are none."""
    return not state.log.is_over and any(one.name in registry.bets for one in state.log.events)
