"""What people say of bets and hands, where a table follows them: what each act changes, and its row."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from controller.core.custody.game import NEW_DECK_IS_MIXED
from controller.core.custody.round import NO_CARD_IS_OWED, RoundTrigger, of_the_round
from controller.core.custody.set_aside import give_set_aside
from controller.core.custody.shoe import SHOE_IS_NOT_OVER
from controller.core.custody.state import BANK
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import (
    ClaimFiveCards,
    DoubleDown,
    Insure,
    PlaceBet,
    PlaceSideBet,
    SplitPair,
    Stand,
    Surrender,
    TakeEvenMoney,
    TakeSideBetDown,
    WithdrawBet,
)
from controller.core.games.blackjack.bet_guards import (
    BET_LIES_THERE,
    PLACE_HAS_A_BET,
    PLACE_IS_BET_ON,
    SEAT_EXISTS,
    SIDE_BET_STAYS_UP,
    SIDE_BETTOR_HAS_BET,
    SIDE_IS_BET_ON,
    bettor_named,
    hand_of_next_pair,
    has_bet,
    place_now,
    stake_that_stays_up,
)
from controller.core.games.blackjack.bets import BettingPlace, Laid
from controller.core.games.blackjack.hand import HandEnd
from controller.core.games.blackjack.hand_guards import (
    BANKS_CARD_IS_KNOWN,
    BETTOR_HAS_A_BET_THERE,
    EVEN_MONEY_MAY_BE_TAKEN,
    FIVE_CARDS_MAY_BE_CLAIMED,
    HAND_EXISTS,
    HAND_IS_IN_TURN,
    HAND_IS_SHOWN_TO_CLAIM,
    HAND_MAY_BE_DOUBLED,
    HAND_MAY_BE_SURRENDERED,
    HAND_MAY_STAND,
    HANDS_ARE_FOLLOWED,
    INSURANCE_MAY_BE_LAID,
    PAIR_MAY_BE_SPLIT,
    hand_id,
)
from controller.core.games.blackjack.hands import (
    HandId,
    Insurance,
    PlayedHand,
    SideStake,
    Stakes,
    changed_hand,
    hands_of,
    settled_takings,
)
from controller.core.games.blackjack.jackpot_effects import chips_returned
from controller.core.games.blackjack.round_guards import A_CARD_IS_INSIDE, BETS_ARE_NOT_CLOSED, SEATS_HAVE_NO_CARD_YET
from controller.core.games.blackjack.settling import bets_of_doubled_hand, bets_of_new_hand
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.hold_table import P
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, DELIBERATE_MS, ActGuard, ActRule, R, S
from controller.core.house.state import round_moved, without_round
from controller.core.words import TableMs

ActT = TypeVar("ActT", bound=Act)


def _with(state: BlackjackState, stakes: Stakes) -> BlackjackState:
    return replace(state, game=replace(state.game, stakes=stakes))


def _laid(state: BlackjackState, places: tuple[BettingPlace, ...]) -> BlackjackState:
    """The round is played for these bets."""
    rules = state.setup.hand_rules
    if rules is None:
        return state
    places = tuple(sorted(places, key=lambda one: one.seat))
    stakes = replace(state.game.stakes, places=places, hands=hands_of(places, rules))
    return replace(state, game=replace(state.game, stakes=stakes, seats=tuple(one.seat for one in places)))


def _elsewhere(state: BlackjackState, seat: int) -> tuple[BettingPlace, ...]:
    return tuple(one for one in state.game.stakes.places if one.seat != seat)


def place_bet(state: BlackjackState, act: PlaceBet, _at_ms: TableMs) -> BlackjackState:
    laid = place_now(state, act.seat, Laid(bettor_named(state, act), act.amount))
    return _laid(state, (*_elsewhere(state, act.seat), laid))


def withdraw_bet(state: BlackjackState, act: WithdrawBet, _at_ms: TableMs) -> BlackjackState:
    """Side bets go back with the last bet of their hand or of their bettor; with the last of all there is no round."""
    place, bettor = place_now(state, act.seat), bettor_named(state, act)
    left = tuple(one for one in place.bets if one.bettor != bettor)
    state = _laid(state, (*_elsewhere(state, act.seat), *((replace(place, bets=left),) if left else ())))
    side = tuple(one for one in state.game.stakes.side if one.seat in state.game.seats and has_bet(state, one.bettor))
    state = chips_returned(_with(state, replace(state.game.stakes, side=side)))
    return state if state.game.seats else round_moved(without_round(state), RoundTrigger.BETS_CANCELLED)


def place_side_bet(state: BlackjackState, act: PlaceSideBet, _at_ms: TableMs) -> BlackjackState:
    stake = SideStake(act.seat, bettor_named(state, act).number, act.bet, act.amount)
    if state.table is not None and (next_pair := hand_of_next_pair(state)) is not None:
        stake = replace(stake, of=next_pair.index, hands=len(state.table.at(act.seat)))
    return _with(state, replace(state.game.stakes, side=(*state.game.stakes.side, stake)))


def take_side_bet_down(state: BlackjackState, act: TakeSideBetDown, _at_ms: TableMs) -> BlackjackState:
    """The pairs that have won are paid; no later one is."""
    meant, table = stake_that_stays_up(state, act), state.table
    if meant is None or table is None:
        return state
    down = replace(meant, pairs=table.pairs_won(meant))
    side = tuple(down if one is meant else one for one in state.game.stakes.side)
    return _with(state, replace(state.game.stakes, side=side))


def _on_hand(
    change: Callable[[BlackjackState, PlayedHand, ActT], BlackjackState],
) -> Callable[[BlackjackState, ActT, TableMs], BlackjackState]:
    """An effect on the hand that the act names."""

    def done(state: BlackjackState, act: ActT, _at_ms: TableMs) -> BlackjackState:
        meant = HandId(getattr(act, "seat", BANK), getattr(act, "hand", None) or 1)
        played = None if state.table is None else state.table.of(meant)
        return state if played is None else change(state, played, act)

    return of_the_round(done)


def _stand(state: BlackjackState, played: PlayedHand, _act: Stand) -> BlackjackState:
    return _with(state, changed_hand(state.game.stakes, replace(played, has_stood=True)))


def _double(state: BlackjackState, played: PlayedHand, act: DoubleDown) -> BlackjackState:
    rules = state.setup.hand_rules
    if rules is None:
        return state
    bets = bets_of_doubled_hand(played.bets, played.holder, act.others or (), rules)
    return _with(state, changed_hand(state.game.stakes, replace(played, is_doubled=True, bets=bets)))


def double_down(state: BlackjackState, act: DoubleDown, at_ms: TableMs) -> BlackjackState:
    """One card is owed to it, and no more; a card that lies aside is that card (pt.bj.18d)."""
    state, hand = _on_hand(_double)(state, act, at_ms), act.hand or 1
    if state.custody.set_aside is not None:
        return give_set_aside(state, act.seat, at_ms, hand)
    return replace(state, game=replace(state.game, requested=act.seat, requested_hand=hand))


def _split(state: BlackjackState, played: PlayedHand, act: SplitPair) -> BlackjackState:
    """The second card lies by itself and is a hand behind the first."""
    rules, table = state.setup.hand_rules, state.table
    if rules is None or table is None:
        return state
    index = max(one.id.index for one in table.at(act.seat)) + 1
    bets = bets_of_new_hand(played.bets, played.holder, act.others or (), rules)
    first = replace(played, is_split=True)
    stakes = changed_hand(
        state.game.stakes, first, PlayedHand(HandId(act.seat, index), bets, played.holder, is_split=True)
    )
    at = [n for n, one in enumerate(state.game.dealt) if (one.seat, one.hand) == (act.seat, played.id.index)][1]
    dealt = tuple(replace(one, hand=index) if n == at else one for n, one in enumerate(state.game.dealt))
    return replace(state, game=replace(state.game, stakes=stakes, dealt=dealt))


def _insure(state: BlackjackState, played: PlayedHand, act: Insure) -> BlackjackState:
    bettor = act.bettor or played.holder
    others = tuple(one for one in played.insurances if one.bettor != bettor)
    return _with(
        state, changed_hand(state.game.stakes, replace(played, insurances=(*others, Insurance(bettor, act.amount))))
    )


def _ended(end: HandEnd) -> Callable[[BlackjackState, PlayedHand, Act], BlackjackState]:
    return lambda state, played, _act: _at_its_end(state, played, end)


def _at_its_end(state: BlackjackState, played: PlayedHand, end: HandEnd) -> BlackjackState:
    """It takes nothing more, and is decided without the bank."""
    return _with(state, changed_hand(state.game.stakes, replace(played, end=end)))


def hands_kept(state: BlackjackState, gone: tuple[HandId, ...]) -> BlackjackState:
    """The cards of these hands stay known when they are taken away."""
    table, stakes = state.table, state.game.stakes
    for played in () if table is None else filter(None, map(table.of, gone)):
        stakes = changed_hand(stakes, replace(played, kept=table.cards(played.id) if table else None))
    return _with(state, stakes)


def money_settled(state: BlackjackState) -> BlackjackState:
    """What every stake has brought stands from now on."""
    if state.table is None:
        return state
    return replace(state, takings=settled_takings(state.takings, state.table.amounts(settled=True)))


def _others_have_bets(state: BlackjackState, act: DoubleDown | SplitPair) -> bool:
    """Who did not follow a split has none on its second hand (pt.bj.28b)."""
    played = None if state.table is None else state.table.of(hand_id(act))
    return played is None or set(act.others or ()) <= {one.bettor for one in played.bets}


OTHERS_HAVE_BETS_THERE = ActGuard[BlackjackState, DoubleDown | SplitPair]("others_have_bets_there", _others_have_bets)
OTHERS_HAVE_BETS_AT_THE_SPLIT = ActGuard[BlackjackState, DoubleDown | SplitPair](
    "others_have_bets_there", _others_have_bets, rule="others_have_bets_at_the_split"
)


# --- rows

HAND_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-bet",
        PlaceBet,
        DEALER,
        of_the_round(place_bet),
        (
            HANDS_ARE_FOLLOWED,
            SEAT_EXISTS,
            BETS_ARE_NOT_CLOSED,
            SEATS_HAVE_NO_CARD_YET,
            *PLACE_IS_BET_ON,
            SHOE_IS_NOT_OVER,
        ),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "withdraw-bet",
        WithdrawBet,
        DEALER,
        of_the_round(withdraw_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BET_LIES_THERE),
        in_round=(R.BETTING,),
        money=Money.LAID,
    ),
    ActRule(
        "place-side-bet",
        PlaceSideBet,
        DEALER,
        of_the_round(place_side_bet),
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, SIDE_BETTOR_HAS_BET, PLACE_HAS_A_BET, *SIDE_IS_BET_ON),
        in_session=(S.IN_PLAY,),
        in_round=(R.BETTING, R.DEALING, R.PLAYING),
        needs=P.BET,
        money=Money.LAID,
    ),
    ActRule(
        "take-side-bet-down",
        TakeSideBetDown,
        DEALER,
        of_the_round(take_side_bet_down),
        (HANDS_ARE_FOLLOWED, SIDE_BET_STAYS_UP),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
    ActRule(
        "insure",
        Insure,
        DEALER,
        _on_hand(_insure),
        (
            HANDS_ARE_FOLLOWED,
            HAND_EXISTS,
            NO_CARD_IS_OWED,
            BANKS_CARD_IS_KNOWN,
            BETTOR_HAS_A_BET_THERE,
            *INSURANCE_MAY_BE_LAID,
        ),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
    ActRule(
        "take-even-money",
        TakeEvenMoney,
        DEALER,
        _on_hand(_ended(HandEnd.EVEN_MONEY)),
        (
            HANDS_ARE_FOLLOWED,
            HAND_EXISTS,
            NO_CARD_IS_OWED,
            HAND_IS_SHOWN_TO_CLAIM,
            BANKS_CARD_IS_KNOWN,
            *EVEN_MONEY_MAY_BE_TAKEN,
        ),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
    ActRule(
        "surrender",
        Surrender,
        DEALER,
        _on_hand(_ended(HandEnd.SURRENDERED)),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, BANKS_CARD_IS_KNOWN, *HAND_MAY_BE_SURRENDERED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        hold_ms=DELIBERATE_MS,
        money=Money.DECIDED,
    ),
    ActRule(
        "stand",
        Stand,
        DEALER,
        _on_hand(_stand),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, *HAND_MAY_STAND, HAND_IS_IN_TURN),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
    ActRule(
        "split-pair",
        SplitPair,
        DEALER,
        _on_hand(_split),
        (
            HANDS_ARE_FOLLOWED,
            HAND_EXISTS,
            NO_CARD_IS_OWED,
            HAND_IS_SHOWN_TO_CLAIM,
            OTHERS_HAVE_BETS_AT_THE_SPLIT,
            *PAIR_MAY_BE_SPLIT,
            HAND_IS_IN_TURN,
        ),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
    ActRule(
        "double-down",
        DoubleDown,
        DEALER,
        of_the_round(double_down),
        (
            HANDS_ARE_FOLLOWED,
            HAND_EXISTS,
            NO_CARD_IS_OWED,
            A_CARD_IS_INSIDE,
            NEW_DECK_IS_MIXED,
            HAND_IS_SHOWN_TO_CLAIM,
            OTHERS_HAVE_BETS_THERE,
            *HAND_MAY_BE_DOUBLED,
            HAND_IS_IN_TURN,
        ),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
        money=Money.DECIDED,
    ),
    ActRule(
        "claim-five-cards",
        ClaimFiveCards,
        DEALER,
        _on_hand(_ended(HandEnd.FIVE_CARDS)),
        (
            HANDS_ARE_FOLLOWED,
            HAND_EXISTS,
            NO_CARD_IS_OWED,
            HAND_IS_SHOWN_TO_CLAIM,
            BANKS_CARD_IS_KNOWN,
            *FIVE_CARDS_MAY_BE_CLAIMED,
        ),
        in_round=(R.PLAYING,),
        needs=P.BET,
        money=Money.DECIDED,
    ),
)
