"""Guards of hands: each rule that may close a decision is one.

The pure rules say what is open (decisions.py, bank.py); where a table follows no hands nothing is asked.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from controller.core.custody.game import asked_further, lies_face_down
from controller.core.custody.state import BANK
from controller.core.engine.act import Act
from controller.core.games.blackjack.acts import (
    ClaimFiveCards,
    CollectHand,
    ConfirmSettled,
    DoubleDown,
    DrawCard,
    Insure,
    SplitPair,
    Stand,
    Surrender,
    TakeEvenMoney,
)
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.decisions import (
    may_claim_five_cards,
    may_double,
    may_draw,
    may_insure,
    may_insure_with,
    may_split,
    may_stand,
    may_surrender_unseen,
    may_take_even_money,
    needs_accepting,
)
from controller.core.games.blackjack.hand import Hand, HandEnd, is_bust, is_live
from controller.core.games.blackjack.hands import HandId, PlayedHand, shown
from controller.core.games.blackjack.play_rules import Answer, PlayRule
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.rule import ActGuard, AnyGuard, Case, Guard
from controller.core.words import RoundPhase

OfAHand: TypeAlias = Stand | DoubleDown | SplitPair | ClaimFiveCards | TakeEvenMoney | Surrender | Insure | DrawCard
ActT = TypeVar("ActT", bound=Act)

# --- what an act is about


def hand_id(act: OfAHand) -> HandId:
    """The hand that an act names; a seat alone means its first."""
    return HandId(act.seat, getattr(act, "hand", None) or 1)


def hand_meant(table: Table, act: OfAHand) -> tuple[PlayedHand, Hand] | None:
    """The hand of this act as it is recorded and as the rules see it; None where a card of it is not known."""
    played = table.of(hand_id(act))
    hand = None if played is None else table.hand(played)
    return None if played is None or hand is None else (played, hand)


def somebody_has_drawn(state: BlackjackState) -> bool:
    """A player has a card beyond the deal."""
    return any(seat != BANK for seat in asked_further(state))


def _somebody_has_decided(state: BlackjackState) -> bool:
    """A hand was stood on, doubled, separated, given up or drawn to. Even money is chosen while insurances are laid."""
    ended = (one.end not in {None, HandEnd.EVEN_MONEY} for one in state.game.stakes.hands)
    decided = any(ended) or any(one.has_stood or one.is_doubled or one.is_split for one in state.game.stakes.hands)
    return decided or somebody_has_drawn(state)


# --- guards

Answering: TypeAlias = Callable[[BlackjackState, Table, Any], Answer]
"""What the pure rules say to an act; None: nothing against it."""


def as_the_rules_say(
    answer: Answering, *rules: PlayRule, possible: Callable[[BlackjackState], bool] = lambda _state: True
) -> tuple[AnyGuard[BlackjackState, Any], ...]:
    """A guard for each rule that may close this act; where a table follows no hands nothing is asked."""

    def answered(state: BlackjackState, act: Act) -> Answer:
        table = state.table
        return None if table is None else answer(state, table, act)

    def unless(rule: PlayRule) -> ActGuard[BlackjackState, Act]:
        def holds(state: BlackjackState, act: Act) -> bool:
            return answered(state, act) is not rule

        case = _CASES.get(rule)
        return ActGuard[BlackjackState, Any](rule.value, holds, possible=possible, case=case, answered=answered)

    return tuple(map(unless, rules))


def _is_not_beyond_21(state: BlackjackState, act: OfAHand) -> bool:
    meant = None if state.table is None else hand_meant(state.table, act)
    return meant is not None and not is_bust(meant[1])


_CASES: Final = {PlayRule.HAND_IS_IN_PLAY: Case[BlackjackState, Any]("decided", _is_not_beyond_21)}
"""Paid, given up or doubled: the clauses on a hand that has ended speak of one that has lost."""


def _while_played(answer: Answering, *rules: PlayRule) -> tuple[AnyGuard[BlackjackState, Any], ...]:
    """Those of what hands decide: before and behind their play the step refuses, no rule about their cards."""

    def answered(state: BlackjackState, table: Table, act: Act) -> Answer:
        return answer(state, table, act) if state.game.phase is RoundPhase.PLAYING else None

    return as_the_rules_say(answered, *rules)


def _of_the_hand(answer: Callable[[Hand, HandRules, BlackjackState, Table], Answer]) -> Answering:
    """Asked of the hand that the act names, where its cards are known."""

    def answered(state: BlackjackState, table: Table, act: OfAHand) -> Answer:
        meant = hand_meant(table, act)
        return None if meant is None else answer(meant[1], table.rules, state, table)

    return answered


HANDS_ARE_FOLLOWED = Guard[BlackjackState]("hands_are_followed", lambda state: state.setup.hand_rules is not None)
BETS_ARE_LAID_ONE_BY_ONE = Guard[BlackjackState](
    "bets_are_laid_one_by_one", lambda state: state.setup.hand_rules is None
)
BETTOR_HAS_A_BET_THERE = ActGuard[BlackjackState, Insure](
    "bettor_has_a_bet_there", lambda state, act: _stake_of(state, act) is not None
)
HAND_EXISTS = ActGuard[BlackjackState, OfAHand](
    "hand_exists",
    lambda state, act: state.table is None or state.table.of(hand_id(act)) is not None,
    possible=lambda state: bool(state.game.stakes.hands),
)


HAND_IS_SHOWN_TO_CLAIM = ActGuard[BlackjackState, OfAHand](  # mo.10.3 and others: applied when the cards are shown
    "claimed_hand_is_shown",
    lambda state, act: not _lies_face_down(state, hand_id(act)),
)
BANKS_CARD_IS_KNOWN = Guard[BlackjackState](
    "banks_card_is_known",
    lambda state: state.table is None or state.game.phase is not RoundPhase.PLAYING or state.table.up is not None,
)


def _lies_face_down(state: BlackjackState, meant: HandId) -> bool:
    return any(lies_face_down(one) for one in state.game.dealt if HandId(one.seat, one.hand) == meant)


def _is_given_back(state: BlackjackState, seat: int) -> bool:
    return state.game.turn_back in {BANK, seat}


def _in_turn(state: BlackjackState, act: OfAHand) -> bool:
    """Or it was passed over by mistake and may ask all the same, as was ruled."""
    table, meant = state.table, hand_id(act)
    if table is None or _is_given_back(state, meant.seat):
        return True
    turn = table.turn
    return meant.seat == BANK if turn is None else turn.id == meant


HAND_IS_IN_TURN = ActGuard[BlackjackState, OfAHand](
    "hand_is_in_turn",
    _in_turn,
    lambda state, _act: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "bank"),),
)


def _may_draw(state: BlackjackState, table: Table, act: DrawCard) -> Answer:
    if act.seat != BANK:
        return _of_the_hand(lambda hand, rules, _state, _table: may_draw(hand, rules))(state, table, act)
    bank = table.bank
    return None if bank is None else may_bank_draw(bank, table.waiting, table.rules, is_insured=table.is_insured)


def _may_settle(_state: BlackjackState, table: Table, _act: ConfirmSettled) -> Answer:
    bank = table.bank
    return None if bank is None else may_bank_stand(bank, table.waiting, table.rules, is_insured=table.is_insured)


def _may_insure(state: BlackjackState, table: Table, act: Insure) -> Answer:
    played, up, bet = table.of(HandId(act.seat)), table.up, _stake_of(state, act)
    if played is None or bet is None or up is None:
        return None
    if played.end is not None:
        return PlayRule.HAND_IS_IN_PLAY
    decided = _somebody_has_decided(state) or table.second_is_known
    return (
        may_insure(act.amount, bet.stake, up, table.rules, somebody_has_decided=decided)
        or _insures_with(played, bet.bettor, table.rules)
        or needs_accepting(table.rules, is_accepted=act.accepted is not False)
    )


def _stake_of(state: BlackjackState, act: Insure) -> Bet | None:
    """The bet that somebody insures; the one of who decides where nobody else is named."""
    played = None if state.table is None else state.table.of(HandId(act.seat))
    if played is None:
        return None
    return next((one for one in played.bets if one.bettor == (act.bettor or played.holder)), None)


def _insures_with(played: PlayedHand, bettor: int, rules: HandRules) -> Answer:
    holder_insures = any(one.bettor == played.holder for one in played.insurances)
    return None if bettor == played.holder else may_insure_with(rules, holder_insures=holder_insures)


def _may_split(_state: BlackjackState, table: Table, act: OfAHand) -> Answer:
    meant = hand_meant(table, act)
    return None if meant is None else may_split(meant[1], len(table.at(act.seat)), table.rules)


def _may_take_even_money(hand: Hand, rules: HandRules, _state: BlackjackState, table: Table) -> Answer:
    is_known = table.second_is_known
    return None if table.up is None else may_take_even_money(hand, table.up, rules, second_is_known=is_known)


def _may_surrender(state: BlackjackState, table: Table, act: OfAHand) -> Answer:
    played, up, drawn = table.of(hand_id(act)), table.up, somebody_has_drawn(state)
    if played is None or up is None:
        return None
    is_as_dealt = table.is_as_dealt(played) and not _is_left_to_the_bank(state, table, played)
    is_given_up = played.end is HandEnd.SURRENDERED
    return may_surrender_unseen(
        up, table.rules, is_as_dealt=is_as_dealt, somebody_has_drawn=drawn, is_given_up=is_given_up
    )


def _is_left_to_the_bank(state: BlackjackState, table: Table, played: PlayedHand) -> bool:
    """It stands, or what the bank has is known: nothing but the bank's cards ends it (pt.bj.36b, mo.18.2, mo.19.2)."""
    has_stood = played.has_stood and not _is_given_back(state, played.id.seat)
    return has_stood or table.second_is_known


def _may_claim(state: BlackjackState, table: Table, act: OfAHand) -> Answer:
    meant = hand_meant(table, act)
    if meant is None or table.up is None:
        return None
    played, hand = meant
    rule = may_claim_five_cards(hand, table.up, table.rules)
    is_late = rule is None and _is_left_to_the_bank(state, table, played)
    return PlayRule.FIVE_CARDS_ARE_OFFERED if is_late else rule


def is_out(table: Table, played: PlayedHand) -> bool:
    """Lost, paid or given up, and its cards lie there yet."""
    hand = table.hand(played) if played.kept is None else None
    return hand is not None and not is_live(hand)


def out_of_play(state: BlackjackState, act: CollectHand) -> tuple[HandId, ...]:
    """The hands that this act takes away: lost, paid or given up; nothing else goes before the settlement."""
    table = state.table
    if table is None:
        return (HandId(act.seat),)
    return tuple(one.id for one in table.at(act.seat) if act.hand in {None, one.id.index} and is_out(table, one))


Q = PlayRule
CARD_MAY_BE_DRAWN = _while_played(
    _may_draw,
    Q.HAND_IS_IN_PLAY,
    Q.GIVING_UP_STANDS,
    Q.DOUBLED_HAND_LACKS_ITS_CARD,
    Q.SPLIT_ACE_LACKS_ITS_CARD,
    Q.HAND_IS_NO_BLACKJACK,
    Q.TOTAL_IS_BELOW_21,
    Q.SOMEBODY_IS_IN_PLAY,
    Q.BANK_IS_BELOW_ITS_TOTAL,
)
HAND_MAY_STAND = _while_played(
    _of_the_hand(lambda hand, rules, _state, _table: may_stand(hand, rules)),
    Q.HAND_IS_IN_PLAY,
    Q.GIVING_UP_STANDS,
    Q.HAND_HAS_TWO_CARDS,
    Q.DOUBLED_HAND_HAS_ITS_CARD,
    Q.TOTAL_SUFFICES_TO_STAND,
)
HAND_MAY_BE_DOUBLED = _while_played(
    _of_the_hand(lambda hand, rules, _state, _table: may_double(hand, rules)),
    Q.HAND_IS_IN_PLAY,
    Q.GIVING_UP_STANDS,
    Q.DOUBLE_IS_OF_TWO_CARDS,
    Q.SPLIT_ACE_LACKS_ITS_CARD,
    Q.HAND_IS_NO_BLACKJACK,
    Q.TOTAL_IS_BELOW_21,
    Q.DOUBLE_AFTER_SPLIT_IS_ALLOWED,
    Q.TOTAL_MAY_BE_DOUBLED,
)
PAIR_MAY_BE_SPLIT = _while_played(
    _may_split,
    Q.HAND_IS_IN_PLAY,
    Q.GIVING_UP_STANDS,
    Q.CARDS_ARE_A_PAIR,
    Q.PAIR_MAY_BE_SPLIT_AGAIN,
    Q.ACES_MAY_BE_SPLIT_AGAIN,
    Q.PAIR_WAS_NOT_DECLINED,
    Q.HANDS_ARE_FEW_ENOUGH,
)
INSURANCE_MAY_BE_LAID = _while_played(
    _may_insure,
    Q.HAND_IS_IN_PLAY,
    Q.INSURANCE_IS_OFFERED,
    Q.INSURANCE_IS_IN_TIME,
    Q.INSURANCE_REACHES_THE_LEAST,
    Q.INSURANCE_IS_WITHIN_THE_MOST,
    Q.HOLDER_INSURES,
    Q.BANK_ACCEPTS_THE_INSURANCE,
)
EVEN_MONEY_MAY_BE_TAKEN = _while_played(
    _of_the_hand(_may_take_even_money), Q.EVEN_MONEY_IS_OFFERED, Q.HAND_IS_A_BLACKJACK, Q.BANKS_SECOND_IS_UNKNOWN
)
HAND_MAY_BE_SURRENDERED = _while_played(
    _may_surrender, Q.SURRENDER_IS_OFFERED, Q.GIVING_UP_STANDS, Q.HAND_IS_AS_DEALT, Q.NOBODY_HAS_DRAWN
)
FIVE_CARDS_MAY_BE_CLAIMED = _while_played(
    _may_claim, Q.FIVE_CARDS_ARE_PAID_HERE, Q.HAND_HAS_FIVE_CARDS, Q.FIVE_CARDS_ARE_OFFERED
)
BANK_HAS_PLAYED = as_the_rules_say(_may_settle, Q.BANK_HAS_ITS_TOTAL)
EVERY_HAND_IS_OVER = Guard[BlackjackState](
    "every_hand_is_over",
    lambda state: state.table is None or state.table.turn is None,
    lambda state: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "-"),),
)
CARDS_ARE_KNOWN = Guard[BlackjackState](
    "cards_are_known",
    lambda state: state.table is None or state.table.is_known,
)
HAND_HAS_ENDED = ActGuard[BlackjackState, CollectHand](
    "hand_has_ended", lambda state, act: bool(out_of_play(state, act))
)
