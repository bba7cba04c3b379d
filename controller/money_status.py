"""Bets, hands and money in the status: whose turn it is, what was bet, what is due and why. No face and no total."""

from fractions import Fraction

from controller.core.games.blackjack.hands import Brings, PlayedHand, Table, in_units, shown
from controller.core.games.blackjack.state import BlackjackState
from controller.core.words import RoundPhase
from controller.protocol.status import AmountStatus, BetStatus, MoneyStatus, StakedHandStatus


def money_status(state: BlackjackState) -> MoneyStatus | None:
    """None where the table follows cards alone."""
    table = state.table
    if table is None:
        return None
    is_played = state.game.phase is RoundPhase.PLAYING
    amounts = tuple(table.amounts(settled=False)) if is_played else state.takings.last
    bank = state.takings.bank
    return MoneyStatus(
        turn=_turn(table) if is_played else "",
        hands=[_hand(table, played) for played in table.stakes.hands],
        amounts=[_amount(one) for one in amounts],
        bank=in_units(Fraction(bank.pays, bank.of)),
    )


def _turn(table: Table) -> str:
    return "bank" if table.turn is None else shown(table.turn.id)


def _hand(table: Table, played: PlayedHand) -> StakedHandStatus:
    return StakedHandStatus(
        hand=shown(played.id),
        decides=played.holder,
        bets=[BetStatus(bet.bettor, bet.stake, bet.is_doubled) for bet in played.bets],
        insured_cents=sum(one.amount for one in played.insurances),
        is_over=table.is_over(played),
    )


def _amount(one: Brings) -> AmountStatus:
    amount = one.amount
    return AmountStatus(
        hand=shown(one.hand),
        bettor=one.bettor,
        payment=amount.payment.value,
        stake_cents=amount.stake,
        rate=f"{amount.rate.pays}:{amount.rate.of}",
        amount=in_units(amount.exact),
        clause=amount.clause or None,
        flag=None if amount.flag is None else amount.flag.value,
    )
