"""The functions of blackjack that custody calls."""

from typing import Final

from controller.core.custody.game import CardGame, seats_in_play
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.deal import card_arrived, lies_face_up, order, owed, ruled_on
from controller.core.games.blackjack.hands import HandId, settled_takings
from controller.core.games.blackjack.jackpot.cards import seats_that_win
from controller.core.games.blackjack.jackpot.linked import seats_that_hit
from controller.core.games.blackjack.jackpot.prizes import jackpot_bets_go_back
from controller.core.games.blackjack.settlement import is_out
from controller.core.games.blackjack.state import BlackjackState, Round
from controller.core.house.round_log import Difference


def stakes_back(state: BlackjackState) -> BlackjackState:
    """The state with all stakes and jackpot bets of the round returned: nothing is won, lost or still to be settled."""
    return _brings(state, frozenset())


def open_stakes_back(state: BlackjackState) -> BlackjackState:
    """The state with jackpot bets and the stakes of hands not yet lost, paid or collected returned.

    The amounts of other hands stand (br.play.6, br.dev.3b).
    """
    return _brings(state, _ended(state))


def open_seats(state: BlackjackState) -> tuple[int, ...]:
    """The seats with a hand not yet lost, paid or collected; without followed hands, those with uncollected cards."""
    ended, hands = _ended(state), state.game.stakes.hands
    still_open = {one.id.seat for one in hands if one.id not in ended}
    return tuple(seat for seat in seats_in_play(state) if not hands or seat in still_open)


def _ended(state: BlackjackState) -> frozenset[HandId]:
    """The hands that the bank's cards do not decide any more, wherever their cards lie."""
    table = state.table
    if table is None:
        return frozenset()
    return frozenset(one.id for one in state.game.stakes.hands if one.kept is not None or is_out(table, one))


def _brings(state: BlackjackState, gone: frozenset[HandId]) -> BlackjackState:
    state = jackpot_bets_go_back(state)
    if state.table is None:
        return state
    stay = tuple(one for one in state.table.amounts(settled=False) if one.hand in gone)
    state = replace(state, takings=settled_takings(state.takings, stay))
    return replace(state, log=replace(state.log, differences=_owed_still(state, gone)))


def _owed_still(state: BlackjackState, gone: frozenset[HandId]) -> tuple[Difference, ...]:
    """The differences of hands whose amounts stand; those of open hands end with their stakes, as payments go back."""
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
    open_seats=open_seats,
    cards_stay=seats_that_stay,
)
Round.PLAY = BLACKJACK
