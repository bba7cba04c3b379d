"""A card that lies aside for whoever asks next (pt.bj.18d): when nobody does any more."""

from controller.core.custody.books import move
from controller.core.custody.state import CardStateT
from controller.core.engine.replacing import replace
from controller.core.words import TableMs


def discard_set_aside(state: CardStateT) -> CardStateT:
    """No hand of this round gets the card any more that lies aside."""
    if state.custody.set_aside is None:
        return state
    return replace(
        state, custody=replace(state.custody, book=move(state.custody.book, "pending", "rack"), set_aside=None)
    )


def lapse_set_aside(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """A count or a statement has said that no card lies aside any more."""
    return (
        replace(state, custody=replace(state.custody, set_aside=None))
        if state.custody.set_aside is not None and not state.custody.book.pending
        else state
    )
