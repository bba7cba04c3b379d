"""Fills blackjack's part of the screen: cards by place, the card owed next, sensors, money and jackpot."""

from operator import attrgetter
from typing import Final

from controller.core.custody.deck_check import grid_cards, grids_entered
from controller.core.custody.game import next_owed
from controller.core.custody.shoe import shoe_is_over
from controller.core.custody.turning import places_face_down
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import Place, RoundPhase
from controller.games.blackjack_offers import OFFERS
from controller.games.blackjack_steps import STEPS
from controller.games.jackpot_status import export_status, jackpot_status
from controller.games.linked_status import linked_status
from controller.games.money_status import closed, decisions, money_status
from controller.games.shoe_status import shoe_status
from controller.games.table_status import backs, figures, hands
from controller.protocol.money_status import MoneyStatus
from controller.protocol.status import FaceDownStatus, LoadingStatus, OwedStatus, PuttingBackStatus
from controller.screen.game_screen import GamePart, GameScreen

_PLACES: Final = tuple(place.value for place in Place)
_COUNTED: Final = attrgetter(*_PLACES)


def _part(latest: BlackjackState, durable: BlackjackState) -> GamePart:
    return GamePart(
        figures=figures(durable),
        seats=latest.game.seats,
        collected=[seat for seat in latest.game.seats if seat in latest.game.collected],
        face_down=[FaceDownStatus(*place) for place in places_face_down(durable)],
        counts=counts(latest),
        loading=loading_status(latest),
        putting_back=PuttingBackStatus(latest.game.put_back_due, latest.game.put_back),
        shoe=shoe_status(latest),
        grids_entered=grids_entered(latest),
        grid_cards=grid_cards(latest),
        hands=backs(durable),
        money=_money(durable),
        jackpot=jackpot_status(durable),
        jackpot_export=export_status(durable),
        linked=linked_status(durable),
    )


def _money(state: BlackjackState) -> MoneyStatus | None:
    """Returns the round's money, with the decisions possible now and, for each other act of the hand in turn, the guard
    that refuses it. None if the table does not follow hands.
    """
    money = money_status(state)
    if money is None:
        return None
    open_now = decisions(state)
    return replace(money, decisions=open_now, closed=closed(state, money.choices, open_now))


def loading_status(state: BlackjackState) -> LoadingStatus:
    """Returns the packets of the session's loading: the number of cards counted in of each."""
    return LoadingStatus(list(state.custody.packets), state.custody.packet_open)


def counts(state: BlackjackState) -> dict[str, int]:
    """Returns the number of cards in each place, and in the whole deck set under `total`."""
    book = state.custody.book
    return dict(zip(_PLACES, _COUNTED(book), strict=True)) | {"total": book.total}


def _owed(state: BlackjackState) -> OwedStatus | None:
    owed = next_owed(state)
    return None if owed is None else OwedStatus(owed.purpose.value, owed.seat)


def _round_words(state: BlackjackState) -> tuple[str, ...]:
    return ("over",) if state.game.phase is RoundPhase.IDLE and shoe_is_over(state) else ()


SCREEN: Final = GameScreen[BlackjackState](_part, _owed, hands, _round_words, OFFERS, STEPS)
