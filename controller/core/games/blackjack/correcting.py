"""The values that two people may correct in an entry of a blackjack round.

A hand whose decision is taken back gets its turn again. Cards that the bank has drawn decide nothing if no hand waits
for them in the corrected round.
"""

from controller.core.custody.state import BANK, with_round
from controller.core.engine.act import Act, Fact
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bank import SOMEBODY_IS_IN_PLAY, cards_in_vain, may_bank_draw
from controller.core.games.blackjack.deal import order, owed
from controller.core.games.blackjack.decisions.one_hand import HandAct, hand_id, with_hand
from controller.core.games.blackjack.decisions.turns import DrawCard, Stand
from controller.core.games.blackjack.hands import Waiting
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.correcting import AddEntry, CorrectEntry
from controller.core.words import Cents, RoundPhase


class CorrectHandEntry(CorrectEntry, frozen=True):
    """Two people correct an entry of a round. Each given value replaces the entry's value of the same name."""

    seat: int | None = None
    seats: tuple[int, ...] | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    seen: bool | None = None
    others: tuple[int, ...] | None = None


class AddHandEntry(AddEntry, frozen=True):
    """Two people add an act to a round. Each given value is a value of the added act."""

    seat: int | None = None
    hand: int | None = None
    bettor: int | None = None
    amount: Cents | None = None
    bet: str | None = None
    consent: bool | None = None
    accepted: bool | None = None
    others: tuple[int, ...] | None = None


def passed_over(state: BlackjackState, act: Act) -> BlackjackState:
    """Returns the state in which the hand of the withdrawn decision `act` plays after all other hands. Unchanged if the
    table lacks that hand.
    """
    return _with_waiting(state, act, Waiting.LAST)


def asked_again(state: BlackjackState, act: Act) -> BlackjackState:
    """Returns the state in which the hand of the withdrawn decision `act` is asked again in its own turn. A hand that
    has begun to play keeps the turn before that hand. Unchanged if the table lacks the hand.
    """
    return _with_waiting(state, act, Waiting.NEXT)


def _with_waiting(state: BlackjackState, act: Act, waits: Waiting) -> BlackjackState:
    if not isinstance(act, HandAct) or state.table is None:
        return state
    played = state.table.of(hand_id(act))
    return state if played is None else with_hand(state, replace(played, waits=waits))


def drawn_in_vain(state: BlackjackState, event: Act | Fact) -> BlackjackState | None:
    """Returns the state in which the bank's next card is owed although no hand waits for that card. None if a hand
    waits for the bank's cards, if another card is owed, or if `event` is an act other than a request for the bank's
    card.
    """
    if isinstance(event, Act) and not (isinstance(event, DrawCard) and event.seat == BANK):
        return None
    table = state.table
    if table is None or table.bank is None or table.turn is not None or owed(state) is not None:
        return None
    if state.game.phase is not RoundPhase.PLAYING:
        return None
    answer = may_bank_draw(table.bank, table.waiting, table.rules, is_insured=table.is_insured)
    return with_round(state, requested=BANK) if answer == SOMEBODY_IS_IN_PLAY else None


def ended_by_standing(act: Act) -> Act | None:
    """Returns a `Stand` of the hand for which `act` asks for a card. None if `act` is not a player's request for a
    card.
    """
    if not isinstance(act, DrawCard) or act.seat == BANK:
        return None
    return Stand(act.person, act.role, act.seat, act.hand)


def _in_vain(state: BlackjackState) -> int:
    """Returns the number of the bank's cards on the table for which no hand waits. 0 while a card of the bank is
    unknown.
    """
    table = state.table
    if table is None or table.bank is None or state.game.phase not in {RoundPhase.PLAYING, RoundPhase.SETTLED}:
        return 0
    dealt = sum(one.seat == BANK for one in order(state))
    return cards_in_vain(table.bank, dealt, table.waiting, table.rules, is_insured=table.is_insured)


def of_cards_in_vain(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice if a correction leaves cards of the bank that no hand needs any more; else an empty list."""
    if after.log.corrected <= before.log.corrected:
        return []
    cards = _in_vain(after)
    return [Notice("banks-cards-in-vain", (("cards", str(cards)),))] if cards > _in_vain(before) else []
