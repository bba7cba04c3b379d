"""The deal: the announcement, the card that a round owes, its place, and its face up or down (pt.bj.17a, 17b)."""

from functools import lru_cache
from typing import Any, Final

from controller.core.choices import BankSecond, Delivery, Faces, RoundBurn
from controller.core.custody.agreement import corrected_before
from controller.core.custody.game import BURN, NEW_DECK_IS_MIXED, Owed, seats_in_play
from controller.core.custody.opening import READER_IS_READY, SHUFFLER_IS_READY
from controller.core.custody.round import RoundTrigger, of_the_round
from controller.core.custody.set_aside import deal_set_aside
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED, counted_last
from controller.core.custody.state import BANK, Dealt, with_round
from controller.core.engine.act import Act
from controller.core.games.blackjack.bets.place import HOLDERS_HAVE_BET
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.jackpot.round import collection_is_owed
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import BEST, hand_points
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActRule, Guard, P, S
from controller.core.house.state import round_moved, with_reader
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import HoldCause, Purpose, RoundPhase, SessionPhase, TableMs


@lru_cache(maxsize=128)  # called several times for each card with few different values
def deal_order(seats: tuple[int, ...], again: tuple[int, ...], second: BankSecond) -> tuple[Owed, ...]:
    """The cards of a deal: to `seats`, the bank, the seats `again`, and the bank's hole card where it has one.

    The bank's second card comes face down with the players' second cards (pt.bj.17a-b), or after the players' last
    cards (mo.5.2.2.2).
    """
    first, then = (tuple(Owed(Purpose.SEAT, seat) for seat in turn) for turn in (seats, again))
    hole = (Owed(Purpose.HOLE, BANK),) if second is BankSecond.HOLE else ()
    return (*first, Owed(Purpose.BANK, BANK), *then, *hole)


def order(state: BlackjackState) -> tuple[Owed, ...]:
    """The cards of this round's deal in their order, without those of collected hands.

    Of a separated pair the first card lies with the place's first hand, the second card with its second hand.
    """
    seats, second = seats_in_play(state), state.setup.procedure.bank_second_card
    gone = tuple([one.id for one in state.game.stakes.hands if one.kept is not None])
    if not gone:
        return deal_order(seats, seats, second)
    first, again = [tuple([seat for seat in seats if HandId(seat, turn) not in gone]) for turn in (1, 2)]
    return deal_order(first, again, second)


def owed(state: BlackjackState) -> Owed | None:
    """The card that the round owes now; None without one, and while jackpot chips must be collected first."""
    if collection_is_owed(state.game.jackpot):
        return None
    if state.game.phase is RoundPhase.DEALING:
        return BURN if _round_burn_is_due(state) else _next_of_the_deal(state)
    meant = _meant(state) if state.game.phase is RoundPhase.PLAYING else None
    return BURN if meant is not None and _round_burn_is_due(state, to_bank=meant.seat == BANK) else meant


def _next_of_the_deal(state: BlackjackState) -> Owed | None:
    """The first card of the order that no place has yet; an earlier place's where its foreign card left (pt.bj.3b)."""
    lying: list[tuple[Purpose, int | None]] = [(one.purpose, one.seat) for one in state.game.dealt]
    for card in order(state):
        if (card.purpose, card.seat) not in lying:
            return card
        lying.remove((card.purpose, card.seat))
    return None


def _meant(state: BlackjackState) -> Owed | None:
    """The requested card, or the card of the hand in turn at a machine that presents cards unasked; else None."""
    if state.game.requested is not None:
        purpose = Purpose.BANK if state.game.requested == BANK else Purpose.SEAT
        return Owed(purpose, state.game.requested, state.game.requested_hand)
    if state.setup.delivery is Delivery.EJECTS or state.table is None or state.custody.set_aside is not None:
        return None
    turn = state.table.offered
    return None if turn is None else Owed(Purpose.SEAT if turn.seat else Purpose.BANK, turn.seat, turn.index)


def _round_burn_is_due(state: BlackjackState, *, to_bank: bool = False) -> bool:
    """True where a burn is due: at the start of each round after the filling's first, as the profile says (mo.4.2).

    The profile may ask for one more before the bank's second card.
    """
    each_round = state.setup.procedure.burn_each_round
    if each_round is RoundBurn.NONE or state.game.number <= state.custody.shoe_game.first_round:
        return False
    if state.game.burned == 0:
        return True
    second = to_bank and sum(dealt.seat == BANK for dealt in state.game.dealt) == 1
    return each_round is RoundBurn.START_AND_SECOND and second and state.game.burned == 1


def lies_face_up(state: BlackjackState, purpose: Purpose) -> bool:
    """False for the hole card, for a burnt card, and for a player's card while the profile deals face down (mo.5.2)."""
    if purpose is Purpose.SEAT:
        return state.setup.procedure.player_cards is Faces.UP or state.game.phase is not RoundPhase.DEALING
    return purpose is Purpose.BANK


def card_arrived(state: BlackjackState) -> BlackjackState:
    """The state after a card has come: with the last card of its order the deal is over."""
    if state.game.phase is not RoundPhase.DEALING or len(state.game.dealt) < len(order(state)):
        return state
    return round_moved(state, RoundTrigger.DEAL_COMPLETED)


def ruled_on(state: BlackjackState, shown: Dealt) -> HoldCause | None:
    """The cause for a ruling where the shown cards prove that the hand drew on 21 (mo.6.4); None otherwise."""
    table = state.table
    if table is None or shown.purpose is not Purpose.SEAT or table.rules.figures.draws_at_21:
        return None
    cards = table.cards(HandId(shown.seat, shown.hand)) or ()
    is_late = any(hand_points(cards[:count]) >= BEST for count in range(2, len(cards)))
    return HoldCause.DRAWN_ON_21 if is_late else None


class AnnounceNoMoreBets(Act, frozen=True):
    pass


def announce_no_more_bets(state: BlackjackState, _act: AnnounceNoMoreBets, at_ms: TableMs) -> BlackjackState:
    """The state of the next round, which is counted; cards that the reader missed in the last one are forgotten.

    A card laid aside in the last round is dealt as the first one; with a kept card that was moved away a second person
    has to agree before the round is settled.
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
