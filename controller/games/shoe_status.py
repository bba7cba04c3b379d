"""The status of a shoe or a box: the seat to which the cut is offered, the decks shuffled, the place of the warning
card.
"""

from controller.core.custody.mixing import cut_is_offered_to
from controller.core.custody.shoe import cards_behind, last_round_is_told, warning_card_is_used
from controller.core.games.blackjack.state import BlackjackState
from controller.protocol.status import ShoeStatus


def shoe_status(state: BlackjackState) -> ShoeStatus | None:
    """Returns the status of the shoe or box. None if the table has a shuffler."""
    if state.setup.has_shuffler:
        return None
    game = state.custody.shoe_game
    return ShoeStatus(
        filling=state.house.tally.loads,
        players=None if game.players is None else list(game.players),
        decks_shuffled=list(game.decks_shuffled),
        cut_offered_to=cut_is_offered_to(state),
        warning_card=_warning_card(state),
        cards_behind=cards_behind(state) if warning_card_is_used(state) else None,
        announced=game.announced,
        last_round=game.last_round is not None and last_round_is_told(state),
        new_deck=game.new_deck,
    )


def _warning_card(state: BlackjackState) -> str:
    game = state.custody.shoe_game
    if not warning_card_is_used(state):
        return "none"
    if game.measured is not None:
        return "out"
    return "waiting" if game.behind is None else "placed"
