"""Insurance against the bank's blackjack, possible while the bank's open card is an ace (pt.bj.33, mo.12, br.ins,
house.15).
"""

from typing import Final

from controller.core.custody.state import BANK, Card
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.decisions.one_hand import (
    BANKS_CARD_IS_KNOWN,
    HandAct,
    decision,
    on_hand,
    somebody_has_drawn,
    while_played,
    with_hand,
)
from controller.core.games.blackjack.hand import ACE, HAND_IS_LIVE, Answer, HandEnd, PlayRule
from controller.core.games.blackjack.hands import HandId, Insurance, PlayedHand
from controller.core.games.blackjack.settling import Bet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.values import card_value
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules, Rate
from controller.core.house.rule import PROBE, ActGuard
from controller.core.words import Cents, RoundPhase


class Insure(HandAct, frozen=True):
    """A player insures a bet for this amount. `accepted`: False if the bank refuses, where permitted (mo.12.1)."""

    amount: Cents
    bettor: int | None = None
    accepted: bool | None = None


INSURANCE_IS_OFFERED: Final = PlayRule("insurance_is_offered")
INSURANCE_IS_IN_TIME: Final = PlayRule("insurance_is_in_time")
INSURANCE_REACHES_THE_LEAST: Final = PlayRule("insurance_reaches_the_least")
INSURANCE_IS_WITHIN_THE_MOST: Final = PlayRule("insurance_is_within_the_most")
HOLDER_INSURES: Final = PlayRule("holder_insures")
BANK_ACCEPTS_THE_INSURANCE: Final = PlayRule("bank_accepts_the_insurance")


def may_insure(amount: Cents, stake: Cents, up: Card, rules: HandRules, *, somebody_has_decided: bool) -> Answer:
    """Returns the rule that forbids insuring `stake` for `amount`; None if the insurance is permitted (pt.bj.33,
    mo.12.1, br.ins, house.15a). `up`: the bank's open card. `somebody_has_decided`: a player has already made a
    decision.
    """
    figures = rules.figures
    if card_value(up) != ACE:
        return INSURANCE_IS_OFFERED
    if somebody_has_decided:
        return INSURANCE_IS_IN_TIME
    if amount <= 0 or _reaches(amount, stake, figures.insurance_least) < 0:
        return INSURANCE_REACHES_THE_LEAST
    if _reaches(amount, stake, figures.insurance_most) > 0:
        return INSURANCE_IS_WITHIN_THE_MOST
    return None


def _reaches(amount: Cents, stake: Cents, rate: Rate) -> int:
    """Compares the amount with the part `rate` of the stake: above 0 if the amount is more, below 0 if less, 0 if
    equal.
    """
    return amount * rate.of - stake * rate.pays


def needs_accepting(rules: HandRules, *, is_accepted: bool) -> Answer:
    """Returns the rule that the bank must accept an insurance (mo.12.1). None if the bank has accepted it, or if the
    law does not demand that.
    """
    if rules.figures.insurance_needs_bank and not is_accepted:
        return BANK_ACCEPTS_THE_INSURANCE
    return None


def may_insure_with(rules: HandRules, *, holder_insures: bool) -> Answer:
    """Returns the rule that a bet on another player's hand is insured only together with that player (pt.bj.15c). None
    if that player insures (`holder_insures`), or if the profile has no such rule.
    """
    if holder_insures or rules.figures.others_insure_alone:
        return None
    return HOLDER_INSURES


def _insure(state: BlackjackState, played: PlayedHand, act: Insure) -> BlackjackState:
    bettor = act.bettor or played.holder
    others = tuple(one for one in played.insurances if one.bettor != bettor)
    return with_hand(state, replace(played, insurances=(*others, Insurance(bettor, act.amount))))


def _somebody_has_decided(state: BlackjackState) -> bool:
    """True if any player has stood, doubled, split, surrendered or drawn. Even money does not count."""
    ended = (one.end not in {None, HandEnd.EVEN_MONEY} for one in state.game.stakes.hands)
    decided = any(ended) or any(one.has_stood or one.is_doubled or one.is_split for one in state.game.stakes.hands)
    return decided or somebody_has_drawn(state)


def _stake_of(state: BlackjackState, act: Insure) -> Bet | None:
    """Returns the bet of the act's `bettor`, or of the player who decides for the hand if no bettor is named. None
    without such a bet.
    """
    played = None if state.table is None else state.table.of(HandId(act.seat))
    if played is None:
        return None
    return next((one for one in played.bets if one.bettor == (act.bettor or played.holder)), None)


BETTOR_HAS_A_BET_THERE = ActGuard[BlackjackState, Insure](
    "bettor_has_a_bet_there", lambda state, act: _stake_of(state, act) is not None
)


def _may_insure(state: BlackjackState, table: Table, act: Insure) -> Answer:
    played, up, bet = table.of(HandId(act.seat)), table.up, _stake_of(state, act)
    if played is None or bet is None or up is None:
        return None
    if played.end is not None:
        return HAND_IS_LIVE
    decided = _somebody_has_decided(state) or table.second_is_known
    return (
        may_insure(act.amount, bet.stake, up, table.rules, somebody_has_decided=decided)
        or _insures_with(played, bet.bettor, table.rules)
        or needs_accepting(table.rules, is_accepted=act.accepted is not False)
    )


def _insures_with(played: PlayedHand, bettor: int, rules: HandRules) -> Answer:
    holder_insures = any(one.bettor == played.holder for one in played.insurances)
    return None if bettor == played.holder else may_insure_with(rules, holder_insures=holder_insures)


INSURANCE_MAY_BE_LAID = while_played(
    _may_insure,
    HAND_IS_LIVE,
    INSURANCE_IS_OFFERED,
    INSURANCE_IS_IN_TIME,
    INSURANCE_REACHES_THE_LEAST,
    INSURANCE_IS_WITHIN_THE_MOST,
    HOLDER_INSURES,
    BANK_ACCEPTS_THE_INSURANCE,
)


def _most_of_each_bet(state: BlackjackState) -> tuple[Insure, ...]:
    """Returns one act for each bet, which insures the bet for the most that its stake allows."""
    rules = state.setup.hand_rules
    if rules is None:
        return ()
    most = rules.figures.insurance_most
    bets = ((hand.id.seat, bet) for hand in state.game.stakes.hands for bet in hand.bets)
    return tuple(Insure(*PROBE, seat, Cents(bet.stake * most.pays // most.of), bet.bettor) for seat, bet in bets)


INSURING: Final = decision(
    "insure",
    Insure,
    on_hand(_insure),
    BANKS_CARD_IS_KNOWN,
    BETTOR_HAS_A_BET_THERE,
    *INSURANCE_MAY_BE_LAID,
    probes=_most_of_each_bet,
)
INVITATION: Final = "insurance-is-invited"
"""The name of the reminder to invite all to insure; a card causes the reminder, not a step alone."""


def of_insurance(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns the reminder to invite all players to insure, if the bank's open card has just become an ace (pt.bj.33a);
    else [].
    """
    return [Notice(INVITATION)] if _shows_an_ace(after) and not _shows_an_ace(before) else []


def _shows_an_ace(state: BlackjackState) -> bool:
    if state.game.phase is not RoundPhase.PLAYING:
        return False
    up = next((one.card for one in state.placed if one.seat == BANK), None)
    return up is not None and card_value(up) == ACE
