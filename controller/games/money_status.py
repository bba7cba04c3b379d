"""Bets, hands and money in the status: the hand in turn, the stakes, the amounts due and their reasons. No card's face
and no hand's total is among them.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from msgspec import Struct

from controller.config.notice_clauses import clause_behind
from controller.core.choices import Delivery, EvenMoney, OthersFollow, Surrender
from controller.core.engine.decision import Refusal
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.amounts import unpayable
from controller.core.games.blackjack.bets.side import SIDE_BET_EXISTS, may_bet_aside
from controller.core.games.blackjack.hands import Brings, HandId, PlayedHand, shown
from controller.core.games.blackjack.money import payable, rule_of
from controller.core.games.blackjack.settlement import is_out
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.games.blackjack.worth import Table
from controller.core.house.round_log import RoundLog, read_as
from controller.core.money import in_units, units
from controller.core.words import RoundPhase
from controller.protocol.money_status import (
    AmountStatus,
    BetStatus,
    LaidStatus,
    LimitsStatus,
    MoneyStatus,
    SideStakeStatus,
    StakedHandStatus,
)
from controller.protocol.suggestion import Suggestion
from controller.runtime.act_values import asked_values, parse_values
from controller.screen.suggestions import Way, suggestions
from controller.screen.who_may import refusal_with


def money_status(state: BlackjackState) -> MoneyStatus | None:
    """Returns the money of the round. None if the table does not follow hands."""
    table = state.table
    if table is None:
        return None
    is_played = state.game.phase is RoundPhase.PLAYING
    is_decided = is_played and table.is_decided
    amounts = _amounts(state, table, is_decided=is_decided) if is_played else state.takings.last
    bank, limits = state.takings.bank, table.rules.limits
    step = limits.minimum if table.rules.figures.bets_in_multiples else limits.smallest_chip
    return MoneyStatus(
        turn=_turn(table) if is_played else "",
        hands=[_hand(table, played) for played in table.stakes.hands],
        amounts=[_amount(one, state.setup.profile) for one in amounts],
        bank=in_units(Fraction(bank.pays, bank.of)),
        is_decided=is_decided,
        limits=LimitsStatus(limits.minimum, limits.maximum, limits.smallest_chip, step),
        choices=list(_choices(table, state.setup.delivery)),
        side_bets=[bet.value for bet in SideBet if may_bet_aside(bet, (), table.rules, cards=0) is not SIDE_BET_EXISTS],
        side=[SideStakeStatus(one.seat, one.bettor, one.kind.value, one.stake) for one in state.game.stakes.side],
        last=_last_bets(state.log) if state.log.is_over else None,
    )


def _amounts(state: BlackjackState, table: Table, *, is_decided: bool) -> tuple[Brings, ...]:
    return table.amounts(settled=True) if is_decided else state.at_once()


class _Bet(Struct):
    """The values read from the entry of a bet, its change or its withdrawal: seat, player, cents (0: withdrawn)."""

    seat: int
    bettor: int | None = None
    amount: int = 0


_BETS: Final = frozenset(("place-bet", "change-bet", "withdraw-bet"))


def _last_bets(log: RoundLog) -> list[LaidStatus]:
    """Returns each player's bets of the logged round by seat, after all entries and corrections."""
    found: dict[tuple[int, int], int] = {}
    for one in log.events:
        if one.is_back or one.name not in _BETS:
            continue
        bet = read_as(one.event, _Bet)
        place = bet.seat, bet.bettor or bet.seat
        found[place] = bet.amount + (found.get(place, 0) if one.name == "place-bet" else 0)
    return [LaidStatus(*place, cents) for place, cents in found.items() if cents]


def _choices(table: Table, delivery: Delivery) -> Iterator[str]:
    """Yields the name of every decision that the table's rules can permit, the commonest first."""
    figures = table.rules.figures
    yield from ("draw-card",) if delivery is Delivery.EJECTS else ()
    yield from ("stand", "double-down", "split-pair")
    yield from ("surrender",) if figures.surrender is not Surrender.NEVER else ()
    yield "insure"
    yield from ("take-even-money",) if figures.even_money is not EvenMoney.NEVER else ()
    yield from ("claim-five-cards",) if figures.five_cards else ()


def decisions(state: BlackjackState) -> list[Suggestion]:
    """Returns the decisions possible now. Empty if the table does not follow hands.

    First come the decisions of the hand in turn or the bank, then those of other hands. Last come the amounts that
    people must decide because no chips make them up.
    """
    table = state.table
    if table is None:
        return []
    is_played = state.game.phase is RoundPhase.PLAYING
    wanted = (*(_ways(state, table) if is_played else ()), *_unpayable(state, table))
    found = (one for way in wanted for one in suggestions(TABLE, state, way))
    return [replace(one, asks=["others"]) if _others_choose(table, one) else one for one in found]


def closed(state: BlackjackState, choices: Sequence[str], open_now: Sequence[Suggestion]) -> dict[str, str]:
    """Returns, for each act in `choices` that the hand in turn may not take, the guard that refuses it.

    Empty if no hand is in turn. `open_now`: the decisions possible now.
    """
    turn = state.table.turn if state.table is not None and state.game.phase is RoundPhase.PLAYING else None
    if turn is None:
        return {}
    mine = {one.act for one in open_now if _is_of(one, turn)}
    refused = ((act, _refusal(state, turn, act)) for act in choices if act not in mine)
    return {act: refusal.guard for act, refusal in refused if refusal is not None}


def _is_of(one: Suggestion, hand: PlayedHand) -> bool:
    return (one.values.get("seat"), one.values.get("hand", "1")) == (str(hand.id.seat), str(hand.id.index))


def _refusal(state: BlackjackState, turn: PlayedHand, act: str) -> Refusal | None:
    rule = TABLE.act_named[act]
    known = {"seat": str(turn.id.seat), "hand": str(turn.id.index), "amount": units(turn.bets[0].stake // 2)}
    fields = parse_values(rule.act, {name: text for name, text in known.items() if name in asked_values(rule.act)})
    return None if isinstance(fields, list) else refusal_with(state, rule, fields)


def _others_choose(table: Table, one: Suggestion) -> bool:
    """True if other players have bets on the hand and may choose to follow its decision (pt.bj.28a, pt.bj.30)."""
    figures = table.rules.figures
    follow = {"split-pair": figures.others_split, "double-down": figures.others_double}.get(one.act)
    if follow is None or follow is OthersFollow.ALWAYS:
        return False
    played = table.of(HandId(int(one.values["seat"]), int(one.values.get("hand", "1"))))
    return played is not None and len(played.bets) > 1


_OF_THE_HAND_IN_TURN: Final = ("stand", "double-down", "split-pair", "claim-five-cards", "surrender")
_OUT_OF_TURN: Final = ("claim-five-cards", "take-even-money")


def _ways(state: BlackjackState, table: Table) -> Iterator[Way]:
    """Yields the decisions to suggest for each hand and the bank, before any guard is asked."""
    turn = table.turn
    drawn = ("draw-card",) if state.setup.delivery is Delivery.EJECTS else ()
    if turn is None:
        yield from (Way(act, {"seat": "bank"}) for act in drawn)
    else:
        yield from _of(turn, (*drawn, *_OF_THE_HAND_IN_TURN))
    for played in table.stakes.hands:
        is_other = played != turn and table.rules.figures.surrender is Surrender.BEFORE_ANY_CARD
        yield from _of(played, _OUT_OF_TURN[played == turn :] + ("surrender",) * is_other)
        yield from _insurances(played)


def _unpayable(state: BlackjackState, table: Table) -> Iterator[Way]:
    """Yields two suggestions for each bet with an amount that chips cannot make up: to pay the next lower or the next
    higher amount that chips make up.
    """
    asked: set[tuple[HandId, int]] = set()
    for one in (one for one in unpayable(state) if one.paid is None):
        at = one.hand, one.bettor
        for cents in payable(one.amount, table.rules) if at not in asked else ():
            values = {"seat": str(one.hand.seat), "amount": in_units(Fraction(cents)).lstrip("+")}
            values |= {"hand": str(one.hand.index)} if one.hand.index > 1 else {}
            yield Way("decide-amount", values | ({} if one.bettor == one.hand.seat else {"bettor": str(one.bettor)}))
        asked.add(at)


def _of(played: PlayedHand, acts: Sequence[str]) -> Iterator[Way]:
    """Yields each act for this hand. For a seat's second or later hand, only the acts that can name a hand."""
    seat, index = str(played.id.seat), played.id.index
    for act in acts:
        if index == 1:
            yield Way(act, {"seat": seat})
        elif "hand" in asked_values(TABLE.act_named[act].act):
            yield Way(act, {"seat": seat, "hand": str(index)})


def _insurances(played: PlayedHand) -> Iterator[Way]:
    """Yields, for each uninsured bet on the hand, the insurance for half its stake, rounded down. Yields nothing for a
    hand that was split off.
    """
    insured = {one.bettor for one in played.insurances}
    for bet in played.bets if played.id.index == 1 else ():
        if bet.bettor not in insured:
            amount = units(bet.stake // 2)
            whose = {} if bet.bettor == played.holder else {"bettor": str(bet.bettor)}
            yield Way("insure", {"seat": str(played.id.seat), "amount": amount, **whose})


def _turn(table: Table) -> str:
    return "bank" if table.turn is None else shown(table.turn.id)


def _hand(table: Table, played: PlayedHand) -> StakedHandStatus:
    return StakedHandStatus(
        hand=shown(played.id),
        decides=played.holder,
        bets=[BetStatus(bet.bettor, bet.stake, bet.is_doubled) for bet in played.bets],
        insured_cents=sum(one.amount for one in played.insurances),
        is_over=table.is_over(played),
        is_collected=played.kept is not None,
        is_out=is_out(table, played),
    )


def _amount(one: Brings, profile: str) -> AmountStatus:
    amount = one.amount
    return AmountStatus(
        hand=shown(one.hand),
        bettor=one.bettor,
        payment=amount.payment.value,
        stake_cents=amount.stake,
        rate=f"{amount.rate.pays}:{amount.rate.of}",
        amount=in_units(amount.exact),
        clause=clause_behind(profile, rule_of(amount.payment)),
        flag=None if amount.flag is None else amount.flag.value,
        decided="" if one.paid is None else in_units(one.brought),
    )
