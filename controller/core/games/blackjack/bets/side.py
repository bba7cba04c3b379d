"""Side bets on a place (mo.13), laid in addition to a main bet; a stake on "any pair" may also be taken down."""

from typing import Any, Final

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.round import NO_CARD_IS_COMING, of_the_round
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bets.place import SEAT_EXISTS, bettor_named, has_bet
from controller.core.games.blackjack.decisions.one_hand import HANDS_ARE_FOLLOWED, as_the_rules_say
from controller.core.games.blackjack.hand import Answer, PlayRule
from controller.core.games.blackjack.hands import HandId, SideStake
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.state import BlackjackState, with_stakes
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandFigures, HandRules, Rate
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, ActGuard, ActRule, P, R, S
from controller.core.house.undoing import BY_ENTRY
from controller.core.money import units
from controller.core.words import Cents, OutageOutcome, RoundPhase, TableMs


class PlaceSideBet(Act, frozen=True):
    """A player makes a side bet on a place (mo.13)."""

    seat: int
    bet: SideBet
    amount: Cents
    bettor: int | None = None


class WithdrawSideBet(Act, frozen=True):
    """A player takes a side bet on a place back before the announcement. His other bets stay."""

    seat: int
    bet: SideBet
    bettor: int | None = None


class TakeSideBetDown(Act, frozen=True):
    """A player removes his winning stake on any pair. The stake does not play for later pairs (mo.13.1.2)."""

    seat: int
    bettor: int | None = None


SIDE_BET_EXISTS: Final = PlayRule("side_bet_exists")
SIDE_BET_IS_IN_TIME: Final = PlayRule("side_bet_is_in_time")
SEVENS_ARE_IN_TIME: Final = PlayRule("sevens_are_in_time")
OVER_UNDER_IS_IN_TIME: Final = PlayRule("over_under_is_in_time")
SIDE_BET_IS_OF_ONE_KIND: Final = PlayRule("side_bet_is_of_one_kind")

_KINDS = {SideBet.OVER: "over-under", SideBet.UNDER: "over-under"}
_IN_TIME = {
    SideBet.ANY_PAIR: SIDE_BET_IS_IN_TIME,
    SideBet.SEVENS: SEVENS_ARE_IN_TIME,
    SideBet.OVER: OVER_UNDER_IS_IN_TIME,
    SideBet.UNDER: OVER_UNDER_IS_IN_TIME,
}
"""The rule on the time of each side bet; the law has its own rule for the last three (mo.13.2, mo.13.3)."""


def may_bet_aside(bet: SideBet, placed: tuple[SideBet, ...], rules: HandRules, *, cards: int, pairs: int = 0) -> Answer:
    """Returns the rule that forbids the side bet; None if the bet is allowed (mo.13, mo.13.2, mo.13.3). `placed`: the
    player's other side bets. `cards`: the number of cards dealt. `pairs`: the number of times that the place's pair was
    split. This number matters if the profile offers a new stake on each next pair (mo.13.1.2).
    """
    if _rate(bet, rules.figures).is_none:
        return SIDE_BET_EXISTS
    is_for_next_pair = bet is SideBet.ANY_PAIR and pairs > 0 and cards == 1 and rules.figures.any_pair_new_stake
    if cards and not is_for_next_pair:
        return _IN_TIME[bet]
    others = {_KINDS.get(one, one.value) for one in placed} - {_KINDS.get(bet, bet.value)}
    return SIDE_BET_IS_OF_ONE_KIND if others else None


def _rate(bet: SideBet, figures: HandFigures) -> Rate:
    match bet:
        case SideBet.ANY_PAIR:
            return figures.any_pair_pays
        case SideBet.SEVENS:
            return figures.sevens_pays
        case SideBet.OVER | SideBet.UNDER:
            return figures.over_under_pays


def place_side_bet(state: BlackjackState, act: PlaceSideBet, _at_ms: TableMs) -> BlackjackState:
    stake = SideStake(act.seat, bettor_named(state, act).number, act.bet, act.amount)
    if state.table is not None and (next_pair := hand_of_next_pair(state)) is not None:
        stake = replace(stake, of=next_pair.index, hands=len(state.table.at(act.seat)))
    return with_stakes(state, side=(*state.game.stakes.side, stake))


def withdraw_side_bet(state: BlackjackState, act: WithdrawSideBet, _at_ms: TableMs) -> BlackjackState:
    side = tuple(one for one in state.game.stakes.side if not _is_meant(state, act, one))
    return with_stakes(state, side=side)


def _is_meant(state: BlackjackState, act: WithdrawSideBet, one: SideStake) -> bool:
    return (one.seat, one.bettor, one.kind) == (act.seat, bettor_named(state, act).number, act.bet)


def take_side_bet_down(state: BlackjackState, act: TakeSideBetDown, _at_ms: TableMs) -> BlackjackState:
    """Returns the state in which the stake is paid for the pairs that it has won, and not for later ones. Unchanged
    without such a stake.
    """
    meant, table = stake_that_stays_up(state, act), state.table
    if meant is None or table is None:
        return state
    down = replace(meant, pairs=table.pairs_won(meant))
    side = tuple(down if one is meant else one for one in state.game.stakes.side)
    return with_stakes(state, side=side)


PLACE_HAS_A_BET = ActGuard[BlackjackState, PlaceSideBet](
    "place_has_a_bet", lambda state, act: act.seat in state.game.seats
)
STAKE_IS_LAID = ActGuard[BlackjackState, PlaceSideBet]("stake_is_laid", lambda _state, act: act.amount > 0)
SIDE_BET_LIES_THERE = ActGuard[BlackjackState, WithdrawSideBet](
    "side_bet_lies_there",
    lambda state, act: any(_is_meant(state, act, one) for one in state.game.stakes.side),
    possible=lambda state: bool(state.game.stakes.side),
)
SIDE_BETTOR_HAS_BET = ActGuard[BlackjackState, PlaceSideBet](
    "side_bettor_has_bet", lambda state, act: has_bet(state, bettor_named(state, act).number)
)


def stake_that_stays_up(state: BlackjackState, act: TakeSideBetDown) -> SideStake | None:
    """Returns the player's winning stake on any pair that still plays for later pairs (mo.13.1.2). None without such a
    stake.
    """
    meant = act.seat, act.bettor or act.seat
    return next((one for one in _stakes_up(state) if (one.seat, one.bettor) == meant), None)


def _stakes_up(state: BlackjackState) -> tuple[SideStake, ...]:
    table = state.table
    up = (one for one in state.game.stakes.side if one.kind is SideBet.ANY_PAIR and one.pairs is None)
    if table is None or table.rules.figures.any_pair_new_stake:
        return ()  # each pair has a stake of its own
    return tuple(one for one in up if table.pairs_won(one))


SIDE_BET_STAYS_UP = ActGuard[BlackjackState, TakeSideBetDown](
    "side_bet_stays_up",
    lambda state, act: stake_that_stays_up(state, act) is not None,
    possible=lambda state: bool(_stakes_up(state)),
)


def _may_bet_aside(state: BlackjackState, table: Table, act: PlaceSideBet) -> Answer:
    number, next_pair = bettor_named(state, act).number, hand_of_next_pair(state)
    placed = tuple(one.kind for one in state.game.stakes.side if one.bettor == number)
    if next_pair is None or next_pair.seat != act.seat:
        return may_bet_aside(act.bet, placed, table.rules, cards=len(state.game.dealt))
    return may_bet_aside(act.bet, placed, table.rules, cards=1, pairs=len(table.at(act.seat)) - 1)


def hand_of_next_pair(state: BlackjackState) -> HandId | None:
    """Returns the hand in turn if that hand came from a split and has only one card; None otherwise (mo.13.1.2)."""
    turn = None if state.table is None else state.table.turn
    if turn is None or not turn.is_split or state.table is None:
        return None
    return turn.id if len(state.table.cards(turn.id) or ()) == 1 else None


def _side_bets_are_open(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    if not state.game.dealt or rules is None:
        return True
    return rules.figures.any_pair_new_stake and hand_of_next_pair(state) is not None


def _has_side_bets(state: BlackjackState) -> bool:
    rules = state.setup.hand_rules
    return rules is None or not all(_rate(bet, rules.figures).is_none for bet in SideBet)


SIDE_IS_BET_ON = (
    *as_the_rules_say(_may_bet_aside, SIDE_BET_EXISTS, possible=_has_side_bets),
    *as_the_rules_say(_may_bet_aside, SIDE_BET_IS_IN_TIME, possible=_side_bets_are_open),
    *as_the_rules_say(_may_bet_aside, SEVENS_ARE_IN_TIME, OVER_UNDER_IS_IN_TIME, SIDE_BET_IS_OF_ONE_KIND),
)


SIDE_BET_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-side-bet",
        PlaceSideBet,
        DEALER,
        of_the_round(place_side_bet),
        (
            *(HANDS_ARE_FOLLOWED, SEAT_EXISTS, SIDE_BETTOR_HAS_BET, PLACE_HAS_A_BET, *SIDE_IS_BET_ON),
            *(NO_CARD_IS_COMING, STAKE_IS_LAID),
        ),
        in_session=(S.IN_PLAY,),
        in_round=(R.BETTING, R.DEALING, R.PLAYING),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "withdraw-side-bet",
        WithdrawSideBet,
        DEALER,
        of_the_round(withdraw_side_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, SIDE_BET_LIES_THERE),
        in_round=(R.BETTING,),
        undone=BY_ENTRY,
        money=Money.LAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "take-side-bet-down",
        TakeSideBetDown,
        DEALER,
        of_the_round(take_side_bet_down),
        (HANDS_ARE_FOLLOWED, SIDE_BET_STAYS_UP, NO_CARD_IS_COMING, DIFFERENCES_ARE_SETTLED, CORRECTIONS_ARE_AGREED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        undone=BY_ENTRY,
        money=Money.DECIDED,
        manner=Manner.DOES,
    ),
)


# --- notices


def of_side_bets_back(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each side bet that goes back because a main bet was withdrawn, or all bets were cancelled
    (mo.13). None for a round that people finished by hand: its side bets were played for.
    """
    was, now = before.game, after.game
    is_before_the_deal = was.phase is RoundPhase.BETTING and now.phase in {RoundPhase.BETTING, RoundPhase.IDLE}
    is_finished = now.phase is RoundPhase.IDLE and before.house.outage_said is OutageOutcome.FINISHED
    if not is_before_the_deal or is_finished or was.stakes.places == now.stakes.places:
        return []
    return [Notice("side-bet-returned", _told(one)) for one in was.stakes.side if one not in now.stakes.side]


def _told(one: SideStake) -> Values:
    return ("seat", str(one.seat)), ("player", str(one.bettor)), ("bet", one.kind.value), ("amount", units(one.stake))
