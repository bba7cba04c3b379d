"""The one way from custody up: the functions that a card game hands to it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic

from msgspec import Struct

from controller.core.custody.state import CardStateT
from controller.core.words import Purpose, TableMs


class Owed(Struct, frozen=True, gc=False):
    """The next card's purpose; seat 0 is the bank, None the burn."""

    purpose: Purpose
    seat: int | None


BURN = Owed(Purpose.BURN, None)


@dataclass(frozen=True, slots=True)
class CardGame(Generic[CardStateT]):
    """What a game says when it is asked, and does when it is told."""

    owed: Callable[[CardStateT], Owed | None]
    """The card that its round owes now; custody knows what is owed before and between rounds."""
    lies_face_up: Callable[[CardStateT, Purpose], bool]
    """Whether a card that was owed for this lies open."""
    card_arrived: Callable[[CardStateT], CardStateT]
    """The last card lies where it was owed, and is whole."""
    card_of_no_deck: Callable[[CardStateT, int, TableMs], CardStateT]
    """The card at this place of those dealt was never dealt (pt.bj.3b)."""
    counted: Callable[[CardStateT], CardStateT]
    """People have counted fewer cards on the table than were said to lie there."""
    voided: Callable[[CardStateT], CardStateT]
    """No card of this round counts; its cards are collected as after any round."""
    stakes_go_back: Callable[[CardStateT], CardStateT]
    """The round ends here, and was not settled."""
    complaints_owed: Callable[[CardStateT, TableMs], CardStateT]
    """The session ends before somebody has decided them: they are not forgotten."""


def game_of(state: CardStateT) -> CardGame[CardStateT]:
    """The functions of the game that is played at this table."""
    game: CardGame[CardStateT] = state.game.PLAY
    return game
