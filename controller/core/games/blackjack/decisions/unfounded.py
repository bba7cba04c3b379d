"""Cards and decisions that prove forbidden, once a card's face becomes known late or is corrected.

Only people decide about them: by a ruling (make-ruling), or by a correction that takes the decision back
(correct-entry).
"""

from collections.abc import Iterator
from typing import Final

from controller.core.custody.game import asked_further, bank_has_begun, seats_in_play
from controller.core.custody.state import BANK, Card, Dealt, Undue, with_round
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bank import is_below_its_total
from controller.core.games.blackjack.decisions.doubling import may_double
from controller.core.games.blackjack.decisions.even_money import EVEN_MONEY_IS_OFFERED, may_take_even_money
from controller.core.games.blackjack.decisions.five_cards import may_claim_five_cards
from controller.core.games.blackjack.decisions.one_hand import with_hand
from controller.core.games.blackjack.decisions.surrender import may_surrender_unseen
from controller.core.games.blackjack.decisions.turns import (
    TOTAL_SUFFICES_TO_STAND,
    may_stand,
    must_draw,
    passed_by,
)
from controller.core.games.blackjack.hand import ACE, Hand, HandEnd, is_pair
from controller.core.games.blackjack.hands import HandId, PlayedHand, Waiting, shown
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import BEST, card_value, hand_points
from controller.core.games.blackjack.worth import Table
from controller.core.words import HoldCause

_TWO: Final = 2
_STAND: Final = "stand"
_DOUBLE: Final = "double"


def undue(state: BlackjackState) -> tuple[Undue, ...]:
    """Returns the cards and decisions that the rules forbade, as far as the cards known now show it."""
    table = state.table
    if table is None:
        return ()
    bank = [Undue(HoldCause.EXTRA_CARD, BANK, 1, str(count)) for count in _too_many_of_the_bank(table)]
    found = (one for played in table.stakes.hands for one in _of_a_hand(table, played))
    passed = (Undue(HoldCause.DECISION_NOT_OPEN, one.id.seat, one.id.index, _STAND) for one in _passed(state))
    return (*bank, *found, *passed)


def _passed(state: BlackjackState) -> tuple[PlayedHand, ...]:
    """Returns the hands that must draw although the bank has begun (pt.bj.18a, 26b, 29b, house.9b), without a hand
    whose turn a ruling has given back.

    Such a hand had ended, but then its cards were renamed or one was annulled.
    """
    table = state.table
    if table is None or not bank_has_begun(state):
        return ()
    return tuple(one for seat in seats_in_play(state) for one in passed_by(table, seat) if one.waits is None)


def let_stand(state: BlackjackState) -> BlackjackState:
    """Returns the state after a ruling to go on: hands that must draw although the bank has begun now count as having
    stood.
    """
    for played in _passed(state):
        state = with_hand(state, replace(played, has_stood=True))
    return state


def _too_many_of_the_bank(table: Table) -> Iterator[int]:
    """Yields each number of cards at which the bank's total was high enough to stand, and yet another card came."""
    cards = table.bank or ()
    return (n for n in range(_TWO, len(cards)) if not is_below_its_total(cards[:n], table.rules.figures))


def _of_a_hand(table: Table, played: PlayedHand) -> Iterator[Undue]:
    cards, figures, at = table.cards(played.id) or (), table.rules.figures, played.id
    least = BEST + 1 if figures.draws_at_21 else BEST
    is_of_aces = Hand(cards, played.is_split).is_of_aces
    for count in range(_TWO, len(cards)):
        if hand_points(cards[:count]) >= least:
            yield Undue(HoldCause.DRAWN_ON_21, at.seat, at.index, str(count))
        elif is_of_aces and count > figures.split_ace_cards:  # pt.bj.26c
            yield Undue(HoldCause.DECISION_NOT_OPEN, at.seat, at.index, str(count))
    for what in _unfounded(table, played):
        yield Undue(HoldCause.DECISION_NOT_OPEN, at.seat, at.index, what)


def _unfounded(table: Table, played: PlayedHand) -> Iterator[str]:
    """Yields the decisions on this hand that the rules forbade, by the cards known now. Yields nothing while these are
    unknown.
    """
    up, cards = table.up, table.cards(played.id)
    if up is not None:
        yield from _against_the_bank(up, played, table)
    if cards and played.is_split and not _comes_from_a_pair(table, played, cards[0]):
        yield "split"
    if not cards or len(cards) < _TWO:
        return
    as_played = Hand(cards, played.is_split, played.is_doubled)
    if _is_no_double(cards, played, table):
        yield _DOUBLE
    if played.has_stood and may_stand(as_played, table.rules) == TOTAL_SUFFICES_TO_STAND:
        yield _STAND
    if up is not None and _is_no_claim(as_played, up, played, table):
        yield "claim"


def _against_the_bank(up: Card, played: PlayedHand, table: Table) -> Iterator[str]:
    """Yields `insurance` for an insured hand if the bank's open card is no ace, and `surrender` for a surrendered hand
    if the law permits no surrender against that card.
    """
    if played.insurances and card_value(up) != ACE:
        yield "insurance"
    against = may_surrender_unseen(up, table.rules, is_as_dealt=True, somebody_has_drawn=False)
    if played.end is HandEnd.SURRENDERED and against is not None:
        yield "surrender"


def _is_no_double(cards: tuple[Card, ...], played: PlayedHand, table: Table) -> bool:
    """True for a doubled hand whose first two cards forbid doubling. False while it has fewer than two cards."""
    first = Hand(cards[:_TWO], played.is_split)
    return played.is_doubled and len(cards) >= _TWO and may_double(first, table.rules) is not None


def _is_no_claim(hand: Hand, up: Card, played: PlayedHand, table: Table) -> bool:
    """True for even money that the bank's open card did not give, and for five cards that the hand could not claim.
    False for even money on a hand that proves to be no blackjack: that hand plays on.
    """
    match played.end:
        case HandEnd.EVEN_MONEY:
            return may_take_even_money(hand, up, table.rules, second_is_known=False) == EVEN_MONEY_IS_OFFERED
        case HandEnd.FIVE_CARDS:
            return may_claim_five_cards(hand, up, table.rules) is not None
        case _:
            return False


def _comes_from_a_pair(table: Table, played: PlayedHand, first: Card) -> bool:
    others = [cards[0] for one in table.at(played.id.seat) if (cards := table.cards(one.id))]
    return all(is_pair((first, other), table.rules.figures) for other in others)


def card_lost(state: BlackjackState, card: Dealt) -> BlackjackState:
    """Returns the state after a hand has lost this card, by a report, by a ruling or to another hand, and gets none in
    its place.

    The hand's stand is undone, and so is a claim of five cards or a double that the remaining cards forbid: the hand
    plays on. An amount paid for the claim becomes a difference. The second stake of a double goes back, unless a ruling
    has let the double stand.
    """
    table = state.table
    played = None if table is None else table.of(HandId(card.seat, card.hand))
    if table is None or played is None:
        return state
    asked, cards = replace(played, has_stood=False), table.cards(played.id)
    if cards is None:
        return with_hand(state, asked)
    doubled = asked if _lets_double_stand(state, played) else _without_double(cards, asked, table)
    return with_hand(state, _without_claim(cards, doubled, table))


def _lets_double_stand(state: BlackjackState, played: PlayedHand) -> bool:
    return Undue(HoldCause.DECISION_NOT_OPEN, played.id.seat, played.id.index, _DOUBLE) in state.game.stands


def _without_double(cards: tuple[Card, ...], played: PlayedHand, table: Table) -> PlayedHand:
    """Returns the hand with its bets as before the double, if these cards forbid doubling; else unchanged."""
    return _single(played) if _is_no_double(cards, played, table) else played


def _single(played: PlayedHand) -> PlayedHand:
    """Returns the hand with its bets as they were laid before it was doubled."""
    return replace(played, is_doubled=False, bets=tuple(replace(one, is_doubled=False) for one in played.bets))


def _without_claim(cards: tuple[Card, ...], played: PlayedHand, table: Table) -> PlayedHand:
    """Returns the hand without its claim, if these cards forbid it; else unchanged."""
    left = Hand(cards, played.is_split, played.is_doubled)
    if table.up is None or not _is_no_claim(left, table.up, played, table):
        return played
    return replace(played, end=None)


def turn_given_back(state: BlackjackState, seat: int) -> BlackjackState | None:
    """Returns the state in which a ruling gives this seat the turn again (br.inc.1). The seat's hands that have stood
    are asked again. None if none of them may be played any more. At a table that tracks only cards, None if no later
    seat has asked for a card.

    A double is undone if the cards forbid it and its card was annulled before that was known. Once the bank has begun,
    only a hand that must draw is asked again.
    """
    table, has_begun = state.table, bank_has_begun(state)
    if table is None:
        is_passed = not has_begun and any(asked > seat for asked in asked_further(state))
        return with_round(state, turn_back=seat) if is_passed else None
    hands = [one for one in table.at(seat) if one.kept is None]
    lost = [one.id for one in hands if _has_lost_its_double(state, table, one)]
    asked = [one for one in hands if one.id in lost or (must_draw(table, one) if has_begun else one.has_stood)]
    for played in asked:
        single = _single(played) if played.id in lost else played
        waits = Waiting.NEXT if has_begun else played.waits
        state = with_hand(state, replace(single, has_stood=False, waits=waits))
    turn = None if state.table is None else state.table.turn
    is_in_turn = turn is not None and turn.id.seat == seat
    return state if lost or (asked and (has_begun or is_in_turn)) else None


def _has_lost_its_double(state: BlackjackState, table: Table, played: PlayedHand) -> bool:
    """True for a double that its hand's two cards forbid and no ruling permits, and whose card is annulled."""
    cards = table.cards(played.id) or ()
    return len(cards) == _TWO and _is_no_double(cards, played, table) and not _lets_double_stand(state, played)


def of_doubles_back(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each hand whose double was undone after a ruling. A correction gives its own notices."""
    if after.log.corrected > before.log.corrected:
        return []
    doubled = {one.id for one in before.game.stakes.hands if one.is_doubled}
    back = (one.id for one in after.game.stakes.hands if one.id in doubled and not one.is_doubled)
    return [Notice("double-goes-back", (("hand", shown(hand)),)) for hand in back]
