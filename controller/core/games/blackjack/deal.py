"""The deal: the announcement that ends the bets, the card owed next, its place, and its side, up or down (pt.bj.17a,
17b).
"""

from functools import lru_cache
from typing import Any, Final

from controller.core.choices import BankSecond, Delivery, Faces, RoundBurn
from controller.core.custody.agreement import corrected_before
from controller.core.custody.game import BURN, NEW_DECK_IS_MIXED, Owed, seats_in_play
from controller.core.custody.opening import READER_IS_READY, SHUFFLER_IS_READY
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.set_aside import deal_set_aside
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED, counted_last
from controller.core.custody.state import BANK, with_round
from controller.core.engine.act import Act
from controller.core.games.blackjack.bets.place import HOLDERS_HAVE_BET
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.jackpot.round import collection_is_owed
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, Guard, P, S
from controller.core.house.state import round_moved, with_reader
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import Purpose, RoundPhase, SessionPhase, TableMs


@lru_cache(maxsize=128)  # called several times for each card with few different values
def deal_order(seats: tuple[int, ...], again: tuple[int, ...], second: BankSecond) -> tuple[Owed, ...]:
    """Returns the cards of a deal in order: one to each of `seats`, one to the bank, one to each of `again`, and a hole
    card if `second` gives the bank a hole card. The hole card is dealt face down (pt.bj.17a-b). Without a hole card the
    bank's second card comes only after the players' last cards (mo.5.2.2.2).
    """
    first, then = (tuple(Owed(Purpose.SEAT, seat) for seat in turn) for turn in (seats, again))
    hole = (Owed(Purpose.HOLE, BANK),) if second is BankSecond.HOLE else ()
    return (*first, Owed(Purpose.BANK, BANK), *then, *hole)


def order(state: BlackjackState) -> tuple[Owed, ...]:
    """Returns the cards of this round's deal in order, without those of hands already collected.

    If a pair was split, the seat's first card counts as the first hand's, its second card as the second hand's.
    """
    seats, second = seats_in_play(state), state.setup.procedure.bank_second_card
    gone = tuple([one.id for one in state.game.stakes.hands if one.kept is not None])
    if not gone:
        return deal_order(seats, seats, second)
    first, again = [tuple([seat for seat in seats if HandId(seat, turn) not in gone]) for turn in (1, 2)]
    return deal_order(first, again, second)


def owed(state: BlackjackState) -> Owed | None:
    """Returns the card that must be dealt next. None if no card is owed, or jackpot chips must be collected first."""
    if collection_is_owed(state.game.jackpot):
        return None
    if state.game.phase is RoundPhase.DEALING:
        return BURN if _round_burn_is_due(state) else _next_of_the_deal(state)
    meant = _meant(state) if state.game.phase is RoundPhase.PLAYING else None
    return BURN if meant is not None and _round_burn_is_due(state, to_bank=meant.seat == BANK) else meant


def _next_of_the_deal(state: BlackjackState) -> Owed | None:
    """Returns the first card in the deal's order that is not on the table; None once all are. After a foreign card was
    taken away, this is another card for its seat (pt.bj.3b).
    """
    lying: list[tuple[Purpose, int | None]] = [(one.purpose, one.seat) for one in state.game.dealt]
    for card in order(state):
        if (card.purpose, card.seat) not in lying:
            return card
        lying.remove((card.purpose, card.seat))
    return None


def _meant(state: BlackjackState) -> Owed | None:
    """Returns the card that was requested. Without a request, returns the next card of the hand in turn if the machine
    presents cards unasked and no card is set aside; else None.
    """
    if state.game.requested is not None:
        purpose = Purpose.BANK if state.game.requested == BANK else Purpose.SEAT
        return Owed(purpose, state.game.requested, state.game.requested_hand)
    if state.setup.delivery is Delivery.EJECTS or state.table is None or state.custody.set_aside is not None:
        return None
    turn = state.table.offered
    return None if turn is None else Owed(Purpose.SEAT if turn.seat else Purpose.BANK, turn.seat, turn.index)


def _round_burn_is_due(state: BlackjackState, *, to_bank: bool = False) -> bool:
    """True if the next card must be burnt, since the profile burns a card at the start of each round (mo.4.2). False in
    the first round after a filling, and once the card was burnt.

    With `to_bank` also True before the bank's second card, if the profile says so.
    """
    each_round = state.setup.procedure.burn_each_round
    if each_round is RoundBurn.NONE or state.game.number <= state.custody.shoe_game.first_round:
        return False
    if state.game.burned == 0:
        return True
    second = to_bank and sum(dealt.seat == BANK for dealt in state.game.dealt) == 1
    return each_round is RoundBurn.START_AND_SECOND and second and state.game.burned == 1


def lies_face_up(state: BlackjackState, purpose: Purpose) -> bool:
    """True if a card for this purpose lies face up now. The hole card and burnt cards never do, nor during the deal a
    player's card if the profile deals these face down (mo.5.2).
    """
    if purpose is Purpose.SEAT:
        return state.setup.procedure.player_cards is Faces.UP or state.game.phase is not RoundPhase.DEALING
    return purpose is Purpose.BANK


def card_arrived(state: BlackjackState) -> BlackjackState:
    """Returns the state after a card was dealt. The last card of the deal completes the deal."""
    if state.game.phase is not RoundPhase.DEALING or len(state.game.dealt) < len(order(state)):
        return state
    return round_moved(state, RoundTrigger.DEAL_COMPLETED)


class AnnounceNoMoreBets(Act, frozen=True):
    pass


def announce_no_more_bets(state: BlackjackState, _act: AnnounceNoMoreBets, at_ms: TableMs) -> BlackjackState:
    """Returns the state in which the next round has begun. Cards that the reader missed in the last round are
    forgotten.

    A card set aside in the last round is dealt as the first card. If people have moved such a card away, another person
    must agree before the settlement.
    """
    state = with_reader(state, unseen=0)
    state = corrected_before(with_round(state, number=state.game.number + 1))
    return deal_set_aside(counted_last(state), at_ms)


BURN_IS_DONE = Guard[BlackjackState]("burn_is_done", lambda state: state.house.session is not SessionPhase.LOADED)
DEVICES_ARE_READY = Guard[BlackjackState](
    "devices_are_ready",
    lambda state: (not state.setup.has_shuffler or SHUFFLER_IS_READY.holds(state)) and READER_IS_READY.holds(state),
)


def _cards_needed(state: BlackjackState) -> int:
    return (len(state.game.seats) + 1) * state.setup.parameters.reserve_cards_per_hand


CARDS_ARE_ENOUGH = Guard[BlackjackState](
    "cards_are_enough",
    lambda state: state.custody.book.inside >= _cards_needed(state),
    lambda state: (("inside", str(state.custody.book.inside)), ("needed", str(_cards_needed(state)))),
)


ANNOUNCING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "announce-no-more-bets",
        AnnounceNoMoreBets,
        DEALER,
        of_the_round(announce_no_more_bets),
        (BURN_IS_DONE, NEW_DECK_IS_MIXED, LAST_ROUND_IS_ANNOUNCED, CARDS_ARE_ENOUGH, HOLDERS_HAVE_BET),
        round=RoundTrigger.ANNOUNCED,
        in_session=(S.IN_PLAY,),
        needs=P.BET,
        devices=(DEVICES_ARE_READY,),
        undone=BY_ENTRY,
        money=Money.NONE,
        manner=Manner.DOES,
    ),
)
