"""The functions of blackjack that custody calls."""

from typing import Final

from controller.core.custody.game import CardGame
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.deal import card_arrived, lies_face_up, order, owed, ruled_on
from controller.core.games.blackjack.hands import HandId, settled_takings
from controller.core.games.blackjack.jackpot.cards import seats_that_win
from controller.core.games.blackjack.jackpot.linked import seats_that_hit
from controller.core.games.blackjack.jackpot.prizes import jackpot_bets_go_back
from controller.core.games.blackjack.state import BlackjackState, Round
from controller.core.house.round_log import Difference


def stakes_back(state: BlackjackState) -> BlackjackState:
    """Gives back all stakes of the round and the jackpot's bets, so that no stake brings an amount."""
    return _brings(state, frozenset())


def open_stakes_back(state: BlackjackState) -> BlackjackState:
    """Gives back only the stakes of uncollected hands; amounts of collected hands stand (br.dev.3b)."""
    gone = frozenset(one.id for one in state.game.stakes.hands if one.kept is not None)
    return _brings(state, gone)


def _brings(state: BlackjackState, gone: frozenset[HandId]) -> BlackjackState:
    state = jackpot_bets_go_back(state)
    if state.table is None:
        return state
    stay = tuple(one for one in state.table.amounts(settled=False) if one.hand in gone)
    state = replace(state, takings=settled_takings(state.takings, stay))
    return replace(state, log=replace(state.log, differences=_owed_still(state, gone)))


def _owed_still(state: BlackjackState, gone: frozenset[HandId]) -> tuple[Difference, ...]:
    """The differences of collected hands; those of other hands end with their stakes, whose payments go back too."""
    return tuple(one for one in state.log.differences if HandId(one.seat, one.hand) in gone)


def seats_that_stay(state: BlackjackState) -> tuple[int, ...]:
    """The seats whose cards stay until a prize of the table's own pool, or of a linked one, is paid."""
    return (*seats_that_win(state), *seats_that_hit(state))


BLACKJACK: Final = CardGame(
    owed=owed,
    order=order,
    lies_face_up=lies_face_up,
    card_arrived=card_arrived,
    ruled_on=ruled_on,
    stakes_back=stakes_back,
    open_stakes_back=open_stakes_back,
    cards_stay=seats_that_stay,
)
Round.PLAY = BLACKJACK
