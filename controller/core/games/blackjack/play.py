"""The functions about blackjack's rules and stakes that custody calls; custody handles the cards of any game."""

from typing import Final

from controller.core.custody.game import CardGame, seats_in_play
from controller.core.custody.state import Dealt
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.deal import card_arrived, lies_face_up, order, owed
from controller.core.games.blackjack.decisions.turns import may_take_last, was_due
from controller.core.games.blackjack.decisions.unfounded import card_lost, let_stand, turn_given_back, undue
from controller.core.games.blackjack.hands import HandId, settled_takings
from controller.core.games.blackjack.jackpot.cards import kept_move_up, seats_that_win
from controller.core.games.blackjack.jackpot.linked import seats_that_hit
from controller.core.games.blackjack.jackpot.prizes import jackpot_bets_go_back
from controller.core.games.blackjack.jackpot.unseen import finished_by_hand
from controller.core.games.blackjack.settlement import is_out
from controller.core.games.blackjack.state import BlackjackState, Round
from controller.core.house.round_log import Difference


def stakes_back(state: BlackjackState) -> BlackjackState:
    """Returns the state with all bets of the round given back, jackpot chips too. No difference is left to settle."""
    return _brings(state, frozenset())


def open_stakes_back(state: BlackjackState) -> BlackjackState:
    """Returns the state with the jackpot chips and the bets on undecided hands given back. The amounts of hands that
    are lost, paid or collected stay as they are (br.play.6, br.dev.3b).
    """
    return _brings(state, _ended(state))


def open_seats(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats with an undecided hand. At a table that tracks only cards, returns the seats whose cards are
    not collected yet.
    """
    ended, hands = _ended(state), state.game.stakes.hands
    still_open = {one.id.seat for one in hands if one.id not in ended}
    return tuple(seat for seat in seats_in_play(state) if not hands or seat in still_open)


def _ended(state: BlackjackState) -> frozenset[HandId]:
    """Returns the hands that no longer depend on the bank's cards, collected or not."""
    table = state.table
    if table is None:
        return frozenset()
    return frozenset(one.id for one in state.game.stakes.hands if one.kept is not None or is_out(table, one))


def _brings(state: BlackjackState, gone: frozenset[HandId]) -> BlackjackState:
    state = jackpot_bets_go_back(state)
    if state.table is None:
        return state
    stay = tuple(one for one in state.at_once() if one.hand in gone)
    state = replace(state, takings=settled_takings(state.takings, stay))
    return replace(state, log=replace(state.log, differences=_owed_still(state, gone)))


def _owed_still(state: BlackjackState, gone: frozenset[HandId]) -> tuple[Difference, ...]:
    """Returns the differences of the hands `gone`, whose amounts stand; the bets on all other hands go back."""
    return tuple(one for one in state.log.differences if HandId(one.seat, one.hand) in gone)


def seats_that_stay(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose cards must stay on the table until a jackpot or linked prize is paid."""
    return (*seats_that_win(state), *seats_that_hit(state))


def lost_for_good(state: BlackjackState, card: Dealt, at: int) -> BlackjackState:
    """Returns the state after a hand has lost the card that lay at index `at`, with changed decisions of the hand and
    changed cards that count for the jackpot.
    """
    return card_lost(kept_move_up(state, card.seat, at), card)


BLACKJACK: Final = CardGame(
    owed=owed,
    order=order,
    lies_face_up=lies_face_up,
    card_arrived=card_arrived,
    undue=undue,
    card_lost=lost_for_good,
    let_stand=let_stand,
    may_take_last=may_take_last,
    turn_given_back=turn_given_back,
    was_due=was_due,
    stakes_back=stakes_back,
    finished_by_hand=finished_by_hand,
    open_stakes_back=open_stakes_back,
    open_seats=open_seats,
    cards_stay=seats_that_stay,
)
Round.PLAY = BLACKJACK
