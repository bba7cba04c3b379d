"""Which card is owed and whether it may be drawn; the functions that a card game hands to custody; known faces.

Faces are proof where cards were seen and cannot come again (pt.bj.3a): those on the table, and those that left it for
the rack or the burnt cards since the last card went into the machine, by its feed or by hand. What lies face down
proves nothing, and what a supervised count has gone through is forgotten: people have looked at it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic

from msgspec import Struct

from controller.core.custody.books import move
from controller.core.custody.state import BANK, DECK, NO_CARDS_FOUND, Card, CardState, CardStateT, Dealt, with_custody
from controller.core.house.holds import forbidding, raise_hold
from controller.core.house.rule import ActGuard, Case, Guard
from controller.core.house.state import with_tally
from controller.core.setup import Setup
from controller.core.words import (
    Device,
    HoldCause,
    HoldKind,
    Permission,
    Place,
    Purpose,
    RoundPhase,
    SessionPhase,
    TableMs,
)


class Owed(Struct, frozen=True, gc=False):
    """The next card's purpose; seat 0 is the bank, None the burn."""

    purpose: Purpose
    seat: int | None
    hand: int = 1  # which of the seat's, where there are several


BURN = Owed(Purpose.BURN, None)


@dataclass(frozen=True, slots=True)
class CardGame(Generic[CardStateT]):
    """A game's answers to custody's questions, and its steps at custody's events."""

    owed: Callable[[CardStateT], Owed | None]
    """The card that its round owes now; custody knows what is owed before and between rounds."""
    order: Callable[[CardStateT], tuple[Owed, ...]]
    """The cards of its deal in their order, without those that were collected since."""
    lies_face_up: Callable[[CardStateT, Purpose], bool]
    """Whether a card that was owed for this lies open."""
    card_arrived: Callable[[CardStateT], CardStateT]
    """The last card lies where it was owed, and is whole."""
    ruled_on: Callable[[CardStateT, Dealt], HoldCause | None]
    """Why a ruling is owed on a card whose face has just come in; None where none is."""
    stakes_back: Callable[[CardStateT], CardStateT]
    """The round was not settled: it brings nothing."""
    open_stakes_back: Callable[[CardStateT], CardStateT]
    """The same, but stakes that were paid or collected by now stay so."""
    cards_stay: Callable[[CardStateT], tuple[int, ...]]
    """Seats whose cards stay where they lie: a prize is owed for them."""


def game_of(state: CardStateT) -> CardGame[CardStateT]:
    """The functions of the game that is played at this table."""
    game: CardGame[CardStateT] = state.game.PLAY
    return game


def next_owed(state: CardState) -> Owed | None:
    """The card that the procedure owes now, whatever holds may forbid; None while the last one is being joined."""
    if state.custody.join.counted_ms is not None:
        return None
    if state.house.session is SessionPhase.LOADED:
        return BURN if state.custody.burned < burns_at_start(state.setup) else None
    return game_of(state).owed(state) if state.house.session is SessionPhase.IN_PLAY else None


def seats_in_play(state: CardState) -> tuple[int, ...]:
    """The seats of this round whose cards have not been collected."""
    return (
        tuple(seat for seat in state.game.seats if seat not in state.game.collected)
        if state.game.collected
        else state.game.seats
    )


def order_of(state: CardState) -> tuple[Owed, ...]:
    """The cards of this round's deal, in their order, without those that were collected since."""
    return game_of(state).order(state)


def asked_further(state: CardState) -> tuple[int, ...]:
    """The seats, the bank's among them, that have got further cards in this round, collected hands first."""
    return (*state.game.asked, *(dealt.seat for dealt in state.game.dealt[len(order_of(state)) :]))


def lies_face_down(dealt: Dealt) -> bool:
    """It has its number, and was not turned."""
    return dealt.card is None and dealt.face_down is not None


def bank_has_begun(state: CardState) -> bool:
    """Its face-down card was turned, or it has got a further card."""
    turned = any(dealt.purpose is Purpose.HOLE and not lies_face_down(dealt) for dealt in state.game.dealt)
    return turned or BANK in asked_further(state)


def lies_face_up(state: CardState, purpose: Purpose) -> bool:
    """True where a card that was owed for this lies open."""
    return game_of(state).lies_face_up(state, purpose)


def burns_at_start(setup: Setup) -> int:
    """Cards burnt after a loading (pt.bj.10; mo.4.1.1 and mo.4.1.2: one for each deck, or one)."""
    return setup.decks if setup.procedure.burn_each_deck else setup.parameters.burn_cards


def may_draw(state: CardState) -> bool:
    """True where the mouth may open for the card that is owed."""
    return (
        next_owed(state) is not None
        and not state.custody.shoe_game.new_deck
        and forbidding(state, Permission.DRAW) is None
        and devices_are_ready(state)
        and not state.devices.reader.missing  # a late identity must not meet the next card
        and not state.house.journal_failed
    )


NEW_DECK_IS_MIXED = Guard[CardState]("new_deck_is_mixed", lambda state: not state.custody.shoe_game.new_deck)


def devices_are_ready(state: CardState) -> bool:
    """Shuffler with known counts, and the reader where the table has one, are connected."""
    status = state.devices.shuffler.status
    shuffler_ready = not state.setup.has_shuffler or (
        state.devices.shuffler.link.connected and status is not None and status.counts_known
    )
    return shuffler_ready and (state.devices.reader.link.connected or not state.setup.has_reader)


def stakes_go_back(state: CardStateT, *, collected_stay: bool = False) -> CardStateT:
    """A round that was not settled is one of those that were voided."""
    if state.game.phase not in {RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    game = game_of(state)
    state = game.open_stakes_back(state) if collected_stay else game.stakes_back(state)
    return with_tally(state, voided=state.house.tally.voided + 1)


def discard_set_aside(state: CardStateT) -> CardStateT:
    """No hand of this round gets the card any more that lies aside."""
    if state.custody.set_aside is None:
        return state
    return with_custody(state, book=move(state.custody.book, "pending", "rack"), set_aside=None)


def lapse_set_aside(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """A count or a statement has said that no card lies aside any more."""
    return state if state.custody.book.pending else with_custody(state, set_aside=None)


SEAT_PLAYS = ActGuard[CardState, Any](  # of acts with a `seat`: a player's in this round, or the bank's
    "seats_exist",
    lambda state, act: act.seat == BANK or act.seat in state.game.seats,
    lambda state, _act: (("seats", str(state.setup.seats)),),
    case=Case("of-the-round", lambda state, act: 1 <= act.seat <= state.setup.seats),
)

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_OUT_OF_PLAY: Final = (Place.RACK.value, Place.BURNT.value)
_AT: Final = {card: index for index, card in enumerate(DECK)}


def laid_away(state: CardStateT, cards: tuple[Dealt, ...], place: str = Place.RACK.value) -> CardStateT:
    """These cards have left the table for this place: seen ones will not come again before the machine is fed."""
    faces = [_AT[card] for one in cards if (card := one.card) in _AT and card is not None]
    if place not in _OUT_OF_PLAY or not faces:
        return state
    return with_custody(state, away=tuple(count + faces.count(at) for at, count in enumerate(state.custody.away)))


def may_come_again(state: CardStateT) -> CardStateT:
    """Cards went into the machine, or people have looked at all that are out: none is known to lie away."""
    return state if state.custody.away is NO_CARDS_FOUND else with_custody(state, away=NO_CARDS_FOUND)


def times_seen(state: CardState, card: Card) -> int:
    """How many of this face are known to be out."""
    lying = _faces_lying(state)
    return 0 if lying is None or card not in _AT else lying.count(card) + state.custody.away[_AT[card]]


def _faces_lying(state: CardState) -> list[Card | None] | None:
    """The faces on the table; None while its cards may be elsewhere than the deal has them."""
    if state.game.phase not in _CARDS_LIE or state.custody.book.table < len(state.game.dealt):
        return None
    return [one.card for one in state.game.dealt]


def impossible_cards(state: CardState) -> tuple[Card, ...]:
    """Faces on the table that are seen more often than there are decks."""
    lying = _faces_lying(state) or []
    faces = [card for card in dict.fromkeys(lying) if card in _AT]
    return tuple([card for card in faces if lying.count(card) + state.custody.away[_AT[card]] > state.setup.decks])


def watch_faces(before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """A face has come once more than there can be: one of them was misread, or belongs to no deck. The table holds."""
    impossible = impossible_cards(after)
    if not impossible:
        return after
    card = next((one for one in impossible if times_seen(after, one) > times_seen(before, one)), None)
    if card is None:
        return after
    figures = (("card", card), ("seen", str(times_seen(after, card))), ("decks", str(after.setup.decks)))
    details = (*figures, ("places", _places(after, card)))
    kind, cause = HoldKind.UNEXPECTED_CARD, HoldCause.IMPOSSIBLE
    return raise_hold(after, kind, at_ms, device=Device.SHOE, cause=cause, details=details)


def _places(state: CardState, card: Card) -> str:
    """Where each of them lies on the table."""
    return " ".join(place_of(state, one) for one in state.game.dealt if one.card == card)


def place_of(state: CardState, meant: Dealt) -> str:
    """Seat (0: the bank) and place there of a card on the table."""
    at_seat = [one for one in state.game.dealt if one.seat == meant.seat]
    position = next(position for position, one in enumerate(at_seat, 1) if one is meant)
    return f"{meant.seat}/{position}"
