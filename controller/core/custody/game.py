"""The card that is owed next, the conditions for drawing it, the functions of a card game, and known faces.

The face of a card on the table, in the rack or among the burnt cards is known: it cannot come again until a card goes
into the machine (pt.bj.3a). If a face comes more often than there are decks, a card was misread or is foreign.
Face-down cards do not count. A supervised count makes the program forget the known faces, since people have looked at
the cards.
"""

from collections.abc import Callable
from typing import Any, Final, Generic

from msgspec import Struct

from controller.core.custody.books import move
from controller.core.custody.state import (
    BANK,
    DECK,
    NO_CARDS_FOUND,
    Card,
    CardState,
    CardStateT,
    Dealt,
    Undue,
    last_dealt,
    with_custody,
)
from controller.core.engine.decision import Values
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
    """The card that the procedure demands next. `seat`: the seat that gets the card; 0: the bank, None: the burn."""

    purpose: Purpose
    seat: int | None
    hand: int = 1  # the number of the hand, where the seat has several


BURN = Owed(Purpose.BURN, None)


class CardGame(Struct, Generic[CardStateT], frozen=True):
    """The functions of a card game that custody calls."""

    owed: Callable[[CardStateT], Owed | None]
    """The card that the game's round owes now; None if it owes none.

    Before the first round custody owes the burn.
    """
    order: Callable[[CardStateT], tuple[Owed, ...]]
    """The cards of the deal in their order, without those that were collected since."""
    lies_face_up: Callable[[CardStateT, Purpose], bool]
    """True if a card owed for this purpose lies open."""
    card_arrived: Callable[[CardStateT], CardStateT]
    """The state after the last card is complete and lies in its owed place."""
    undue: Callable[[CardStateT], tuple[Undue, ...]]
    """All cards and decisions that were not allowed, by the cards known now; a person must rule on them."""
    card_lost: Callable[[CardStateT, Dealt, int], CardStateT]
    """The state after a hand has lost the card of this index, and gets none in its place: what was decided on it falls.
    """
    let_stand: Callable[[CardStateT], CardStateT]
    """The state in which hands that the bank has passed over stand with too low a total, since a ruling says so."""
    may_take_last: Callable[[CardStateT, int, int], bool]
    """True if the card dealt last may go to this seat's hand, given by its number, by the rules of play."""
    turn_given_back: Callable[[CardStateT, int], CardStateT | None]
    """The state in which this passed-over seat is in turn; None if it was not, or no hand of it can play."""
    was_due: Callable[[CardStateT], bool]
    """True if the rules of play obliged the hand of the card dealt last to get it."""
    stakes_back: Callable[[CardStateT], CardStateT]
    """The state after a round that was not settled: all its stakes go back."""
    finished_by_hand: Callable[[CardStateT], CardStateT]
    """The state after a round that people finished without the controller: prizes that its known cards won are owed."""
    open_stakes_back: Callable[[CardStateT], CardStateT]
    """The state after an unsettled round: lost, paid or collected stakes stay, and all others go back."""
    open_seats: Callable[[CardStateT], tuple[int, ...]]
    """The seats with a hand that is not lost, paid or collected yet."""
    cards_stay: Callable[[CardStateT], tuple[int, ...]]
    """The seats whose cards stay on the table, since a prize is owed for them."""


def game_of(state: CardStateT) -> CardGame[CardStateT]:
    """The functions of the game that is played at this table."""
    game: CardGame[CardStateT] = state.game.PLAY
    return game


def rule_on_undue(state: CardStateT, at_ms: TableMs, known: tuple[Undue, ...] = ()) -> CardStateT:
    """The state with a ruling owed if a card or a decision was not permitted and no earlier ruling has accepted it.
    `known`: cards and decisions found earlier, which need no new ruling.
    """
    left = [one for one in game_of(state).undue(state) if one not in (*state.game.stands, *known)]
    if not left:
        return state
    hands = of_hands(*((one.seat, one.hand) for one in left))
    return raise_hold(state, HoldKind.RULING, at_ms, cause=left[0].cause, details=hands)


def of_hands(*hands: tuple[int, int]) -> Values:
    """The value `hands` of a hold: each hand's seat (0: the bank), and its number if above 1, such as `1 3/2`."""
    told = (f"{seat}/{hand}" if hand > 1 else str(seat) for seat, hand in dict.fromkeys(hands))
    return (("hands", " ".join(told)),)


def next_owed(state: CardState) -> Owed | None:
    """The card that the procedure owes now, even during a hold. None if no card is owed, or while a counted card waits
    for its reading.
    """
    if state.custody.join.counted_ms is not None:
        return None
    if state.house.session is SessionPhase.LOADED:
        return BURN if state.custody.burned < burns_at_start(state.setup) else None
    return game_of(state).owed(state) if state.house.session is SessionPhase.IN_PLAY else None


def place_to_lay(state: CardState) -> int:
    """The index among the dealt cards at which the next one is laid: the place of the card that it replaces, or the
    end.
    """
    at = state.game.replaced_at
    return len(state.game.dealt) if at is None else at


def judged_again(before: CardStateT, after: CardStateT, named: Dealt, at_ms: TableMs) -> CardStateT:
    """The state `after` the face of `named` became known. If `named` replaces another card, a ruling is owed for each
    card or decision that now proves not to be permitted, and was permitted in `before`.
    """
    return rule_on_undue(after, at_ms, game_of(before).undue(before)) if named.replaces else after


def seats_in_play(state: CardState) -> tuple[int, ...]:
    """The seats of this round whose cards have not been collected."""
    return (
        tuple(seat for seat in state.game.seats if seat not in state.game.collected)
        if state.game.collected
        else state.game.seats
    )


def hands_that_lie(state: CardState) -> tuple[tuple[int, int], ...]:
    """The seat (0: the bank) and number of each hand with a card on the table. The bank is included even without a
    card.
    """
    return tuple(dict.fromkeys((*((one.seat, one.hand) for one in state.game.dealt), (BANK, 1))))


def order_of(state: CardState) -> tuple[Owed, ...]:
    """The cards of this round's deal in their order, except those of hands already collected."""
    return game_of(state).order(state)


def is_further_card(state: CardState) -> bool:
    """True if the card dealt last came after the initial deal, and does not replace a card of that deal."""
    further = state.game.dealt[len(order_of(state)) :]
    return bool(further) and any(one is last_dealt(state) for one in further)


def asked_further(state: CardState) -> tuple[int, ...]:
    """The seats that have asked for further cards, one entry for each card; 0 is the bank.

    Seats whose cards were collected come first, then those of the cards on the table.
    """
    return (*state.game.asked, *(dealt.seat for dealt in state.game.dealt[len(order_of(state)) :]))


def lies_face_down(dealt: Dealt) -> bool:
    """True if the card was dealt face down and has not been turned."""
    return dealt.card is None and dealt.face_down is not None


def bank_has_begun(state: CardState) -> bool:
    """True once the bank's face-down card was turned, or once the bank has got an open card after its first card."""
    banks = [one for one in state.game.dealt if one.seat == BANK]
    turned = any(one.purpose is Purpose.HOLE and not lies_face_down(one) for one in banks)
    in_its_place = any(one.purpose is Purpose.BANK for one in banks[1:])  # a card in the place of the face-down one
    return turned or in_its_place or BANK in asked_further(state)


def lies_face_up(state: CardState, purpose: Purpose) -> bool:
    """True if a card that is dealt for this purpose lies face up."""
    return game_of(state).lies_face_up(state, purpose)


def burns_at_start(setup: Setup) -> int:
    """The number of cards burnt after a loading: one for each deck, or the profile's number (pt.bj.10, mo.4.1.1,
    mo.4.1.2).
    """
    return setup.decks if setup.procedure.burn_each_deck else setup.parameters.burn_cards


def may_draw(state: CardState) -> bool:
    """True if a card is owed and may be drawn: no hold forbids it, and devices and journal are ready."""
    return (
        next_owed(state) is not None
        and forbidding(state, Permission.DRAW) is None
        and devices_are_ready(state)
        and not state.devices.reader.missing  # a late identity must not meet the next card
        and not state.house.journal_failed
    )


NEW_DECK_IS_MIXED = Guard[CardState]("new_deck_is_mixed", lambda state: not state.custody.shoe_game.new_deck)


def devices_are_ready(state: CardState) -> bool:
    """True if the table's shuffler is connected and knows its counts, and the table's reader is connected."""
    status = state.devices.shuffler.status
    shuffler_ready = not state.setup.has_shuffler or (
        state.devices.shuffler.link.connected and status is not None and status.counts_known
    )
    return shuffler_ready and (state.devices.reader.link.connected or not state.setup.has_reader)


def stakes_go_back(state: CardStateT, *, collected_stay: bool = False) -> CardStateT:
    """The state after an unsettled round: the stakes go back, and the round counts as void. Unchanged if no round is
    unsettled. `collected_stay`: stakes already lost, paid or collected do not go back.
    """
    if state.game.phase not in {RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state
    game = game_of(state)
    state = game.open_stakes_back(state) if collected_stay else game.stakes_back(state)
    return with_tally(state, voided=state.house.tally.voided + 1)


def discard_set_aside(state: CardStateT) -> CardStateT:
    """The state with the card that was laid aside moved to the rack. Unchanged if no card is laid aside."""
    if state.custody.set_aside is None:
        return state
    return with_custody(state, book=move(state.custody.book, "pending", "rack"), set_aside=None)


def lapse_set_aside(_before: CardStateT, state: CardStateT, _at_ms: TableMs) -> CardStateT:
    """The state with no card laid aside once the book has no pending card; else `state`."""
    return state if state.custody.book.pending else with_custody(state, set_aside=None)


SEAT_PLAYS = ActGuard[CardState, Any](  # for acts with a `seat`: that of a player in this round, or the bank's
    "seats_exist",
    lambda state, act: act.seat == BANK or act.seat in state.game.seats,
    lambda state, _act: (("seats", str(state.setup.seats)),),
    case=Case("of-the-round", lambda state, act: 1 <= act.seat <= state.setup.seats),
)

_CARDS_LIE: Final = (RoundPhase.DEALING, RoundPhase.PLAYING)
_OUT_OF_PLAY: Final = (Place.RACK.value, Place.BURNT.value)
_AT: Final = {card: index for index, card in enumerate(DECK)}


def laid_away(state: CardStateT, cards: tuple[Dealt, ...], place: str = Place.RACK.value) -> CardStateT:
    """The state with the faces of these cards noted as known, if `place` is the rack or the burnt cards. A known face
    cannot come again before a card goes into the machine.
    """
    faces = [_AT[card] for one in cards if (card := one.card) in _AT and card is not None]
    if place not in _OUT_OF_PLAY or not faces:
        return state
    return with_custody(state, away=tuple(count + faces.count(at) for at, count in enumerate(state.custody.away)))


def may_come_again(state: CardStateT) -> CardStateT:
    """Returns the state with the faces of rack and burnt cards forgotten. These cards may then come again."""
    return state if state.custody.away is NO_CARDS_FOUND else with_custody(state, away=NO_CARDS_FOUND)


def times_seen(state: CardState, card: Card) -> int:
    """The number of known cards with this face outside the machine. 0 for a foreign card, and while the cards on the
    table are uncertain (`_faces_lying`).
    """
    lying = _faces_lying(state)
    return 0 if lying is None or card not in _AT else lying.count(card) + state.custody.away[_AT[card]]


def _faces_lying(state: CardState) -> list[Card | None] | None:
    """The faces of the dealt cards. None if one of them is not on the table, or if no round is dealt or played."""
    if state.game.phase not in _CARDS_LIE or state.custody.book.table < len(state.game.dealt):
        return None
    return [one.card for one in state.game.dealt]


def impossible_cards(state: CardState) -> tuple[Card, ...]:
    """The faces on the table that were seen more often than there are decks. Empty while the cards on the table are
    uncertain (`_faces_lying`).
    """
    lying, away, decks = _faces_lying(state) or [], state.custody.away, state.setup.decks
    once = dict.fromkeys(lying)
    return tuple([card for card in once if card in _AT and lying.count(card) + away[_AT[card]] > decks])


def watch_faces(before: CardStateT, after: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a face that came more often than there are decks: a card was misread, or is foreign."""
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
    return " ".join(place_of(state, one) for one in state.game.dealt if one.card == card)


def place_of(state: CardState, meant: Dealt) -> str:
    """The text `seat/number` for the card `meant` on the table. Seat 0 is the bank, number 1 the seat's first card."""
    at_seat = [one for one in state.game.dealt if one.seat == meant.seat]
    position = next(position for position, one in enumerate(at_seat, 1) if one is meant)
    return f"{meant.seat}/{position}"
