"""Suggests the values that a form offers for acts at a blackjack table: positions, hands, moved cards, amounts."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from controller.core.choices import OthersBets
from controller.core.custody.books import in_place
from controller.core.custody.complaints import RecordComplaint
from controller.core.custody.counting import StateCardsMoved
from controller.core.custody.rulings import MakeRuling
from controller.core.engine.act import Act
from controller.core.games.blackjack.bets.place import ChangeBet, PlaceBet, WithdrawBet
from controller.core.games.blackjack.bets.seats import TakeBets
from controller.core.games.blackjack.bets.side import (
    SIDE_BET_EXISTS,
    PlaceSideBet,
    TakeSideBetDown,
    WithdrawSideBet,
    may_bet_aside,
)
from controller.core.games.blackjack.decisions.insurance import Insure
from controller.core.games.blackjack.jackpot.bets import PlaceJackpotBet
from controller.core.games.blackjack.jackpot.unseen import StateUnseenCards
from controller.core.games.blackjack.side_bets import SideBet
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.table import TABLE
from controller.core.words import Place
from controller.games.unseen_offers import cards_to_state
from controller.runtime.act_values import Field
from controller.screen.offers import GameOffers
from controller.screen.who_may import Fields


def _numbers(state: BlackjackState, name: str) -> Sequence[Field]:
    match name:
        case "position":
            return range(1, 1 + max((_cards_at(state, seat) for seat in range(state.setup.seats + 1)), default=0))
        case "hand":
            return (None, *range(2, 1 + max((hand.id.index for hand in state.game.stakes.hands), default=1)))
        case "others":
            bets = (bet for hand in state.game.stakes.hands for bet in hand.bets if bet.bettor != hand.holder)
            return tuple(dict.fromkeys(bet.bettor for bet in bets))
        case "consent" if state.setup.hand_rules is not None:
            return (True,) if state.setup.hand_rules.figures.others_bets is OthersBets.CONSENT else ()
        case "bet" if state.setup.hand_rules is not None:
            rules = state.setup.hand_rules
            return [one.value for one in SideBet if may_bet_aside(one, (), rules, cards=0) is not SIDE_BET_EXISTS]
        case _:
            return ()


def _cards_at(state: BlackjackState, seat: int) -> int:
    return sum(1 for dealt in state.game.dealt if dealt.seat == seat)


def _tries(state: BlackjackState, act: type[Act], fields: Fields) -> Iterator[Fields]:
    if act is StateCardsMoved:  # all cards in that place, or one card
        there = in_place(state.custody.book, Place(str(fields["source"])))
        yield from (fields | {"count": count} for count in dict.fromkeys((there, 1)))
        return
    yield fields
    if act is PlaceBet:  # the rest of the place, by its own player or by another's (pt.bj.15a)
        yield from _completions(state, fields)
    if act is Insure:  # half of the stake of a bet at the seat
        bets = (bet for hand in state.game.stakes.hands if hand.id.seat == fields["seat"] for bet in hand.bets)
        yield from (fields | {"amount": bet.stake // 2} for bet in bets)
    if act in {PlaceSideBet, PlaceJackpotBet}:  # by a player with a bet, where the seat's own player has none
        yield from (fields | {"bettor": bettor} for bettor in _bettors(state))
    if act in {ChangeBet, WithdrawBet}:  # another player's, with the amount that lies there
        lying = (laid for place in state.game.stakes.places if place.seat == fields["seat"] for laid in place.bets)
        amounts = ("amount",) if act is ChangeBet else ()
        yield from (fields | {"bettor": one.bettor.number} | dict.fromkeys(amounts, one.amount) for one in lying)
    if act in {TakeSideBetDown, WithdrawSideBet}:  # by a player of another seat
        yield from (fields | {"bettor": one.bettor} for one in state.game.stakes.side)
    if act is StateUnseenCards and isinstance(at := fields["seat"], int):  # cards that win, and those that are known
        yield from (fields | {"cards": cards} for cards in cards_to_state(state, at))
    if act is TakeBets and isinstance(seat := fields["seats"], tuple):  # a late bet, besides the present bets
        yield {"seats": tuple(dict.fromkeys((*state.game.seats, *map(int, seat))))}


def _completions(state: BlackjackState, fields: Fields) -> Iterator[Fields]:
    lying = next((one.sum_of(None) for one in state.game.stakes.places if one.seat == fields["seat"]), 0)
    if lying and state.setup.hand_rules is not None:
        rest = {"amount": state.setup.hand_rules.limits.maximum - lying, "consent": True}
        yield from (fields | rest | {"bettor": bettor} for bettor in (None, *_bettors(state)))


def _bettors(state: BlackjackState) -> Iterable[int]:
    return dict.fromkeys(laid.bettor.number for place in state.game.stakes.places for laid in place.bets)


def _amount(state: BlackjackState, act: type[Act]) -> int:
    """Returns the amount, in cents, that a form suggests: half of the first bet for an insurance, the table's minimum
    for any other act.
    """
    minimum = 0 if state.setup.hand_rules is None else state.setup.hand_rules.limits.minimum
    stakes = [bet.stake for hand in state.game.stakes.hands for bet in hand.bets]
    return stakes[0] // 2 if act is Insure and stakes else minimum


def _default(state: BlackjackState, act: type[Act], name: str) -> str | None:
    """Returns the value that a form shows first: for a complaint the number of the last round. None for any other
    value, and before the first round.
    """
    is_round = act is RecordComplaint and name == "round" and state.game.number > 0
    return str(state.game.number) if is_round else None


_DECISIONS: Final = (
    *("draw-card", "stand", "double-down", "split-pair", "surrender", "insure", "take-even-money"),
    "claim-five-cards",
)
_BETS: Final = ("place-bet", "place-side-bet", "place-jackpot-bet", "insure")


def _adds(state: BlackjackState) -> Mapping[str, type[Act]]:
    """Returns the acts that may be added to a round: each bet that this table has, and the players' decisions."""
    has = {"place-side-bet": bool(_numbers(state, "bet")), "place-jackpot-bet": state.setup.jackpot is not None}
    return {name: TABLE.act_named[name].act for name in (*_BETS, *_DECISIONS) if has.get(name, True)}


OFFERS: Final = GameOffers[BlackjackState](
    _numbers,
    _tries,
    _amount,
    _default,
    counts=("hand", "bet", "consent", "others"),
    spare=(MakeRuling,),
    of_few=("seats", "seen"),
    instead=_DECISIONS,
    adds=_adds,
)
