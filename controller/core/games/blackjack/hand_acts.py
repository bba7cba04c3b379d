"""What people say of bets and hands, where a table follows them: each act with its guards, its effect and its row.

Whether a decision is open to a hand the pure rules say (decisions.py, bets.py, bank.py): each rule that may close it is
a guard of its own, with the clause of this table's law.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from controller.core.custody.shoe_guards import SHOE_IS_NOT_OVER
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import CollectHand, ConfirmSettled, DrawCard
from controller.core.games.blackjack.bank import may_bank_draw, may_bank_stand
from controller.core.games.blackjack.bets import BettingPlace, Bettor, Laid, Offer, may_bet
from controller.core.games.blackjack.deal import asked_further
from controller.core.games.blackjack.decisions import (
    is_pair,
    may_claim_five_cards,
    may_double,
    may_draw,
    may_insure,
    may_insure_with,
    may_split,
    may_stand,
    may_surrender,
    may_take_even_money,
    needs_accepting,
)
from controller.core.games.blackjack.hand import Hand, HandEnd, is_bust
from controller.core.games.blackjack.hands import (
    BANK,
    HandId,
    Insurance,
    PlayedHand,
    SideStake,
    Stakes,
    Table,
    changed_hand,
    hands_of,
    settled_takings,
    shown,
)
from controller.core.games.blackjack.play_rules import Answer, PlayRule, clause_of
from controller.core.games.blackjack.round_guards import A_CARD_IS_INSIDE, NO_CARD_IS_OWED
from controller.core.games.blackjack.round_table import RoundTrigger
from controller.core.games.blackjack.settling import Bet, bets_of_doubled_hand, bets_of_new_hand
from controller.core.games.blackjack.side_bets import SideBet, may_bet_aside
from controller.core.games.blackjack.state import BlackjackState
from controller.core.hand_rules import HandRules, Law
from controller.core.house.act_rule import DEALER, DELIBERATE_MS, ActRule, R, S
from controller.core.house.guard import ActGuard, AnyGuard, Guard
from controller.core.house.hold_table import P
from controller.core.words import Cents, RoundPhase, TableMs

# --- acts


class PlaceBet(Act, frozen=True):
    """A bet on a place. `bettor`: the seat of who lays it, or a number above the seats for one who stands.

    None: who sits there. `consent`: of who sits there.
    """

    seat: int
    amount: Cents
    bettor: int | None = None
    consent: bool | None = None


class WithdrawBet(Act, frozen=True):
    """A player's bets on a place are taken back before the announcement."""

    seat: int
    bettor: int | None = None


class PlaceSideBet(Act, frozen=True):
    """A side bet on a place (mo.13)."""

    seat: int
    bet: SideBet
    amount: Cents
    bettor: int | None = None


class Stand(Act, frozen=True):
    """No further card for this hand."""

    seat: int
    hand: int | None = None


class DoubleDown(Act, frozen=True):
    """The stake once more, for one card; `others`: players with bets on the place who double theirs, too."""

    seat: int
    hand: int | None = None
    others: tuple[int, ...] | None = None


class SplitPair(Act, frozen=True):
    """Two hands of a pair; `others`: players with bets on the place who lay a second one, too."""

    seat: int
    hand: int | None = None
    others: tuple[int, ...] | None = None


class Insure(Act, frozen=True):
    """So much against the bank's blackjack; `accepted`: by the bank, where it may refuse (mo.12.1)."""

    seat: int
    amount: Cents
    bettor: int | None = None
    accepted: bool | None = None


class TakeEvenMoney(Act, frozen=True):
    """An amount like the stake for a blackjack, at once."""

    seat: int


class Surrender(Act, frozen=True):
    """Half of the stake for the hand."""

    seat: int


class ClaimFiveCards(Act, frozen=True):
    """Half of the stake for five cards; the hand ends (mo.19.1)."""

    seat: int
    hand: int | None = None


OfAHand: TypeAlias = Stand | DoubleDown | SplitPair | ClaimFiveCards | TakeEvenMoney | Surrender | Insure | DrawCard
OfBets: TypeAlias = PlaceBet | PlaceSideBet | WithdrawBet
ActT = TypeVar("ActT", bound=Act)


# --- what an act is about


def hand_id(act: OfAHand) -> HandId:
    """The hand that an act names; a seat alone means its first."""
    return HandId(act.seat, getattr(act, "hand", None) or 1)


def _meant(table: Table, act: OfAHand) -> tuple[PlayedHand, Hand] | None:
    """The hand of this act as it is recorded and as the rules see it; None where a card of it is not known."""
    played = table.of(hand_id(act))
    hand = None if played is None else table.hand(played)
    return None if played is None or hand is None else (played, hand)


def _place(state: BlackjackState, seat: int) -> BettingPlace:
    """The place as it is bet on now; who sits there has bet, or was said to sit there."""
    laid = next((one.bets for one in state.game.stakes.places if one.seat == seat), ())
    sits = seat in (state.custody.shoe_game.players or ()) or any(one.bettor.seat == seat for one in laid)
    return BettingPlace(seat, Bettor(seat, seat) if sits else None, laid)


def _bettor(state: BlackjackState, act: OfBets) -> Bettor:
    number = act.bettor or act.seat
    return Bettor(number, number if number <= state.setup.seats else None)


def somebody_has_drawn(state: BlackjackState) -> bool:
    """A player has a card beyond the deal."""
    return any(seat != BANK for seat in asked_further(state))


def _somebody_has_decided(state: BlackjackState) -> bool:
    """A hand was stood on, doubled, separated, given up or drawn to."""
    decided = any(one.has_stood or one.is_doubled or one.is_split or one.end for one in state.game.stakes.hands)
    return decided or somebody_has_drawn(state)


# --- guards

Answering: TypeAlias = Callable[[BlackjackState, Table, Any], Answer]
"""What the pure rules say to an act; None: nothing against it."""


def _cites(rule: PlayRule) -> Callable[[BlackjackState], str]:
    def clause(state: BlackjackState) -> str:
        return clause_of(rule, Law.PT if state.setup.hand_rules is None else state.setup.hand_rules.law)

    return clause


def _as_the_rules_say(answer: Answering, *rules: PlayRule) -> tuple[AnyGuard[BlackjackState, Any], ...]:
    """A guard for each rule that may close this act; where a table follows no hands nothing is asked."""

    def unless(rule: PlayRule) -> ActGuard[BlackjackState, Act]:
        def holds(state: BlackjackState, act: Act) -> bool:
            table = state.table
            found = None if table is None else answer(state, table, act)
            return found is None or found.rule is not rule

        return ActGuard[BlackjackState, Act](rule.value, clause_of(rule, Law.PT), holds, cites=_cites(rule))

    return tuple(map(unless, rules))


def _of_the_hand(answer: Callable[[Hand, HandRules, BlackjackState, Table], Answer]) -> Answering:
    """Asked of the hand that the act names, where its cards are known."""

    def answered(state: BlackjackState, table: Table, act: OfAHand) -> Answer:
        meant = _meant(table, act)
        return None if meant is None else answer(meant[1], table.rules, state, table)

    return answered


HANDS_ARE_FOLLOWED = Guard[BlackjackState]("hands_are_followed", "", lambda state: state.setup.hand_rules is not None)
BETS_ARE_LAID_ONE_BY_ONE = Guard[BlackjackState](
    "bets_are_laid_one_by_one", "", lambda state: state.setup.hand_rules is None
)
SEAT_EXISTS = ActGuard[BlackjackState, OfBets](
    "seats_exist",
    "pt.bj.2",
    lambda state, act: 1 <= act.seat <= state.setup.seats,
    lambda state, _act: (("seats", str(state.setup.seats)),),
)
BETS_ARE_OPEN = Guard[BlackjackState](
    "bets_are_not_closed", "pt.bj.13", lambda state: state.game.phase in {RoundPhase.IDLE, RoundPhase.BETTING}
)
PLACE_HAS_A_BET = ActGuard[BlackjackState, PlaceSideBet](
    "place_has_a_bet", "mo.13", lambda state, act: act.seat in state.game.seats
)
BETTOR_HAS_A_BET_THERE = ActGuard[BlackjackState, Insure](
    "bettor_has_a_bet_there", "pt.bj.33b", lambda state, act: _stake_of(state, act) is not None
)
BET_LIES_THERE = ActGuard[BlackjackState, WithdrawBet](
    "bet_lies_there",
    "",
    lambda state, act: _place(state, act.seat).sum_of(_bettor(state, act)) > 0,
    possible=lambda state: bool(state.game.stakes.places),
)
HAND_EXISTS = ActGuard[BlackjackState, OfAHand](
    "hand_exists",
    "",
    lambda state, act: state.table is None or state.table.of(hand_id(act)) is not None,
    possible=lambda state: bool(state.game.stakes.hands),
)


def _in_turn(state: BlackjackState, act: OfAHand) -> bool:
    table, meant = state.table, hand_id(act)
    if table is None or (table.second_is_known and meant.seat == BANK):
        return True
    turn = table.turn
    return meant.seat == BANK if turn is None else turn.id == meant or meant == _given_back(state)


def _given_back(state: BlackjackState) -> HandId | None:
    """A hand that was passed over by mistake and may ask all the same, as was ruled."""
    return HandId(state.game.turn_back) if state.game.turn_back else None


HAND_IS_IN_TURN = ActGuard[BlackjackState, OfAHand](
    "hand_is_in_turn",
    "pt.bj.18c",
    _in_turn,
    lambda state, _act: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "bank"),),
    elsewhere=(("mo", "mo.5.2.2.2"), ("br", "br.play.1")),
)


def _may_draw(state: BlackjackState, table: Table, act: DrawCard) -> Answer:
    if act.seat != BANK:
        return _of_the_hand(lambda hand, rules, _state, _table: may_draw(hand, rules))(state, table, act)
    bank = table.bank
    return None if bank is None else may_bank_draw(bank, table.judged, table.rules, is_insured=table.is_insured)


def _may_settle(_state: BlackjackState, table: Table, _act: ConfirmSettled) -> Answer:
    bank = table.bank
    return None if bank is None else may_bank_stand(bank, table.judged, table.rules, is_insured=table.is_insured)


def _may_insure(state: BlackjackState, table: Table, act: Insure) -> Answer:
    played, up, bet = table.of(HandId(act.seat)), table.up, _stake_of(state, act)
    if played is None or bet is None or up is None:
        return None
    decided = _somebody_has_decided(state)
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


def _may_take_even_money(hand: Hand, rules: HandRules, _state: BlackjackState, table: Table) -> Answer:
    if table.up is None:
        return None
    return may_take_even_money(hand, table.up, rules, second_is_known=table.second_is_known)


def _may_surrender(hand: Hand, rules: HandRules, state: BlackjackState, table: Table) -> Answer:
    if table.up is None:
        return None
    return may_surrender(hand, table.up, rules, somebody_has_drawn=somebody_has_drawn(state))


def _may_claim(hand: Hand, rules: HandRules, _state: BlackjackState, table: Table) -> Answer:
    return None if table.up is None else may_claim_five_cards(hand, table.up, rules)


def _may_bet(state: BlackjackState, table: Table, act: PlaceBet) -> Answer:
    bettor = _bettor(state, act)
    places = sum(one.sum_of(bettor) > 0 for one in state.game.stakes.places if one.seat != act.seat)
    place = _place(state, act.seat)
    holder = place.holder or (bettor if bettor.seat == act.seat else None)
    offer = Offer(bettor, act.amount, has_consent=act.consent is True, places=places)
    return may_bet(offer, replace(place, holder=holder), table.rules)


def _may_bet_aside(state: BlackjackState, table: Table, act: PlaceSideBet) -> Answer:
    number = _bettor(state, act).number
    placed = tuple(one.kind for one in state.game.stakes.side if one.bettor == number)
    return may_bet_aside(act.bet, placed, table.rules, cards=len(state.game.dealt))


def _hand_has_ended(state: BlackjackState, act: CollectHand) -> bool:
    """Its cards go at once where it is lost, paid or given up; nothing else is taken away before the settlement."""
    table = state.table
    if table is None:
        return True
    found = [table.hand(played) for played in table.at(act.seat)]
    return all(hand is not None and (hand.end is not None or is_bust(hand)) for hand in found)


Q = PlayRule
PLACE_IS_BET_ON = _as_the_rules_say(
    _may_bet,
    Q.BET_REACHES_THE_MINIMUM,
    Q.BET_IS_A_MULTIPLE,
    Q.BET_IS_WITHIN_THE_MAXIMUM,
    Q.PLACE_IS_WITHIN_THE_MAXIMUM,
    Q.HOLDER_HAS_BET,
    Q.HOLDER_CONSENTS,
    Q.BETTOR_IS_SEATED,
    Q.PLACE_HAS_ROOM,
    Q.BETTOR_HAS_A_PLACE_LEFT,
)
SIDE_IS_BET_ON = _as_the_rules_say(_may_bet_aside, Q.SIDE_BET_EXISTS, Q.SIDE_BET_IS_IN_TIME, Q.SIDE_BET_IS_OF_ONE_KIND)
CARD_MAY_BE_DRAWN = _as_the_rules_say(
    _may_draw,
    Q.DOUBLED_HAND_LACKS_ITS_CARD,
    Q.SPLIT_ACE_LACKS_ITS_CARD,
    Q.HAND_IS_NO_BLACKJACK,
    Q.TOTAL_IS_BELOW_21,
    Q.SOMEBODY_IS_IN_PLAY,
    Q.BANK_IS_BELOW_ITS_TOTAL,
)
HAND_MAY_STAND = _as_the_rules_say(
    _of_the_hand(lambda hand, rules, _state, _table: may_stand(hand, rules)),
    Q.HAND_IS_IN_PLAY,
    Q.HAND_HAS_TWO_CARDS,
    Q.DOUBLED_HAND_HAS_ITS_CARD,
    Q.TOTAL_SUFFICES_TO_STAND,
)
HAND_MAY_BE_DOUBLED = _as_the_rules_say(
    _of_the_hand(lambda hand, rules, _state, _table: may_double(hand, rules)),
    Q.HAND_IS_IN_PLAY,
    Q.DOUBLE_IS_OF_TWO_CARDS,
    Q.SPLIT_ACE_LACKS_ITS_CARD,
    Q.HAND_IS_NO_BLACKJACK,
    Q.TOTAL_IS_BELOW_21,
    Q.DOUBLE_AFTER_SPLIT_IS_ALLOWED,
    Q.TOTAL_MAY_BE_DOUBLED,
)
PAIR_MAY_BE_SPLIT = _as_the_rules_say(
    _of_the_hand(lambda hand, rules, state, table: may_split(hand, _hands_there(state, hand, table), rules)),
    Q.HAND_IS_IN_PLAY,
    Q.CARDS_ARE_A_PAIR,
    Q.PAIR_MAY_BE_SPLIT_AGAIN,
    Q.ACES_MAY_BE_SPLIT_AGAIN,
    Q.PAIR_WAS_NOT_DECLINED,
    Q.HANDS_ARE_FEW_ENOUGH,
)
INSURANCE_MAY_BE_LAID = _as_the_rules_say(
    _may_insure,
    Q.INSURANCE_IS_OFFERED,
    Q.INSURANCE_IS_IN_TIME,
    Q.INSURANCE_REACHES_THE_LEAST,
    Q.INSURANCE_IS_WITHIN_THE_MOST,
    Q.HOLDER_INSURES,
    Q.BANK_ACCEPTS_THE_INSURANCE,
)
EVEN_MONEY_MAY_BE_TAKEN = _as_the_rules_say(
    _of_the_hand(_may_take_even_money), Q.EVEN_MONEY_IS_OFFERED, Q.HAND_IS_A_BLACKJACK, Q.BANKS_SECOND_IS_UNKNOWN
)
HAND_MAY_BE_SURRENDERED = _as_the_rules_say(
    _of_the_hand(_may_surrender), Q.SURRENDER_IS_OFFERED, Q.HAND_IS_AS_DEALT, Q.NOBODY_HAS_DRAWN
)
FIVE_CARDS_MAY_BE_CLAIMED = _as_the_rules_say(
    _of_the_hand(_may_claim), Q.FIVE_CARDS_ARE_PAID_HERE, Q.HAND_HAS_FIVE_CARDS, Q.FIVE_CARDS_ARE_OFFERED
)
BANK_HAS_PLAYED = _as_the_rules_say(_may_settle, Q.BANK_HAS_ITS_TOTAL)
EVERY_HAND_IS_OVER = Guard[BlackjackState](
    "every_hand_is_over",
    "pt.bj.19c",
    lambda state: state.table is None or state.table.turn is None,
    lambda state: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "-"),),
)
HAND_HAS_ENDED = ActGuard[BlackjackState, CollectHand]("hand_has_ended", "pt.bj.58", _hand_has_ended)


def _hands_there(state: BlackjackState, hand: Hand, table: Table) -> int:
    """How many hands the place of this one has."""
    seat = next((one.id.seat for one in state.game.stakes.hands if table.hand(one) == hand), BANK)
    return len(table.at(seat))


# --- effects


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
    place, bettor = _place(state, act.seat), _bettor(state, act)
    holder = place.holder or (bettor if bettor.seat == act.seat else None)
    laid = BettingPlace(act.seat, holder, (*place.bets, Laid(bettor, act.amount)))
    return _laid(state, (*_elsewhere(state, act.seat), laid))


def withdraw_bet(state: BlackjackState, act: WithdrawBet, _at_ms: TableMs) -> BlackjackState:
    """Whoever has bet on the side there loses that bet with it."""
    place, bettor = _place(state, act.seat), _bettor(state, act)
    left = tuple(one for one in place.bets if one.bettor != bettor)
    state = _laid(state, (*_elsewhere(state, act.seat), *((replace(place, bets=left),) if left else ())))
    side = tuple(one for one in state.game.stakes.side if left or one.seat != act.seat)
    return _with(state, replace(state.game.stakes, side=side))


def place_side_bet(state: BlackjackState, act: PlaceSideBet, _at_ms: TableMs) -> BlackjackState:
    stake = SideStake(act.seat, _bettor(state, act).number, act.bet, act.amount)
    return _with(state, replace(state.game.stakes, side=(*state.game.stakes.side, stake)))


def _on_hand(
    change: Callable[[BlackjackState, PlayedHand, ActT], BlackjackState],
) -> Callable[[BlackjackState, ActT, TableMs], BlackjackState]:
    """An effect on the hand that the act names."""

    def done(state: BlackjackState, act: ActT, _at_ms: TableMs) -> BlackjackState:
        meant = HandId(getattr(act, "seat", BANK), getattr(act, "hand", None) or 1)
        played = None if state.table is None else state.table.of(meant)
        return state if played is None else change(state, played, act)

    return done


def _stand(state: BlackjackState, played: PlayedHand, _act: Stand) -> BlackjackState:
    return _with(state, changed_hand(state.game.stakes, replace(played, has_stood=True)))


def _double(state: BlackjackState, played: PlayedHand, act: DoubleDown) -> BlackjackState:
    """One card is owed to it, and no more."""
    rules = state.setup.hand_rules
    if rules is None:
        return state
    bets = bets_of_doubled_hand(played.bets, played.holder, act.others or (), rules)
    stakes = changed_hand(state.game.stakes, replace(played, is_doubled=True, bets=bets))
    game = replace(state.game, stakes=stakes, requested=act.seat, requested_hand=played.id.index)
    return replace(state, game=game)


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
    def change(state: BlackjackState, played: PlayedHand, _act: Act) -> BlackjackState:
        return _with(state, changed_hand(state.game.stakes, replace(played, end=end)))

    return change


def drawn_to(state: BlackjackState, act: DrawCard) -> BlackjackState:
    """A pair that is drawn to was not separated (mo.16.5)."""
    table = state.table
    meant = None if table is None else _meant(table, act)
    if table is None or meant is None or not is_pair(meant[1].cards, table.rules.figures):
        return state
    return _with(state, changed_hand(state.game.stakes, replace(meant[0], has_declined=True)))


def hands_kept(state: BlackjackState, seat: int) -> BlackjackState:
    """The cards of a seat's hands stay known when they are taken away."""
    table, stakes = state.table, state.game.stakes
    for played in () if table is None else table.at(seat):
        stakes = changed_hand(stakes, replace(played, kept=table.cards(played.id) if table else None))
    return _with(state, stakes)


def money_settled(state: BlackjackState) -> BlackjackState:
    """What every stake has brought stands from now on."""
    if state.table is None:
        return state
    return replace(state, takings=settled_takings(state.takings, tuple(state.table.amounts(settled=True))))


# --- rows

HAND_RULES: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "place-bet",
        PlaceBet,
        DEALER,
        "pt.bj.13",
        place_bet,
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BETS_ARE_OPEN, *PLACE_IS_BET_ON, SHOE_IS_NOT_OVER),
        round=RoundTrigger.BETS_TAKEN,
        in_session=(S.LOADED, S.IN_PLAY),
        needs=P.BET,
    ),
    ActRule(
        "withdraw-bet",
        WithdrawBet,
        DEALER,
        "pt.bj.13",
        withdraw_bet,
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, BET_LIES_THERE),
        in_session=(S.LOADED, S.IN_PLAY),
        in_round=(R.BETTING,),
    ),
    ActRule(
        "place-side-bet",
        PlaceSideBet,
        DEALER,
        "mo.13",
        place_side_bet,
        (HANDS_ARE_FOLLOWED, SEAT_EXISTS, PLACE_HAS_A_BET, *SIDE_IS_BET_ON),
        in_session=(S.IN_PLAY,),
        in_round=(R.BETTING, R.DEALING),
        needs=P.BET,
    ),
    ActRule(
        "insure",
        Insure,
        DEALER,
        "pt.bj.33a",
        _on_hand(_insure),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, BETTOR_HAS_A_BET_THERE, *INSURANCE_MAY_BE_LAID),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(
        "take-even-money",
        TakeEvenMoney,
        DEALER,
        "pt.bj.34",
        _on_hand(_ended(HandEnd.EVEN_MONEY)),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, *EVEN_MONEY_MAY_BE_TAKEN),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(
        "surrender",
        Surrender,
        DEALER,
        "pt.bj.36a",
        _on_hand(_ended(HandEnd.SURRENDERED)),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, *HAND_MAY_BE_SURRENDERED),
        in_round=(R.PLAYING,),
        needs=P.BET,
        hold_ms=DELIBERATE_MS,
    ),
    ActRule(
        "stand",
        Stand,
        DEALER,
        "pt.bj.18a",
        _on_hand(_stand),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, HAND_IS_IN_TURN, *HAND_MAY_STAND),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(
        "split-pair",
        SplitPair,
        DEALER,
        "pt.bj.26a",
        _on_hand(_split),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, HAND_IS_IN_TURN, *PAIR_MAY_BE_SPLIT),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
    ActRule(
        "double-down",
        DoubleDown,
        DEALER,
        "pt.bj.29a",
        _on_hand(_double),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, A_CARD_IS_INSIDE, HAND_IS_IN_TURN, *HAND_MAY_BE_DOUBLED),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
    ),
    ActRule(
        "claim-five-cards",
        ClaimFiveCards,
        DEALER,
        "mo.19.1",
        _on_hand(_ended(HandEnd.FIVE_CARDS)),
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, *FIVE_CARDS_MAY_BE_CLAIMED),
        in_round=(R.PLAYING,),
        needs=P.BET,
    ),
)
