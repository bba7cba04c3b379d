"""The common part of all acts about one hand: the act names a hand, and each rule of a decision becomes a guard. A
table that tracks only cards does not apply these rules.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

from controller.core.custody.game import asked_further, bank_has_begun, lies_face_down
from controller.core.custody.round import NO_CARD_IS_OWED, of_the_round
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED
from controller.core.custody.state import BANK
from controller.core.engine.act import Act
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hand import HAND_IS_LIVE, Answer, Hand, HandEnd, PlayRule, is_bust
from controller.core.games.blackjack.hands import HandId, PlayedHand, changed_hand, shown
from controller.core.games.blackjack.state import BlackjackState, with_game
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandRules
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, PROBE, ActGuard, ActRule, AnyGuard, Case, Guard, P, R, SecondPerson
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import Permission, RoundPhase, TableMs


class HandAct(Act, frozen=True):
    """An act about one hand. `hand`: the hand's number at the seat; None for the seat's first hand."""

    seat: int


class FollowedAct(HandAct, frozen=True):
    """An act on a hand that other players with bets on it may follow. `others`: the players who follow."""

    hand: int | None = None
    others: tuple[int, ...] | None = None


HandActT = TypeVar("HandActT", bound=HandAct)


def hand_id(act: HandAct) -> HandId:
    """Returns the hand that `act` names, or the seat's first hand if `act` names only the seat."""
    return HandId(act.seat, getattr(act, "hand", None) or 1)


def hand_meant(table: Table, act: HandAct) -> tuple[PlayedHand, Hand] | None:
    """Returns the hand of `act` twice: the record of the hand, and the hand with its cards as the rules judge it. None
    if there is no such hand, or if a card of the hand is unknown.
    """
    played = table.of(hand_id(act))
    hand = None if played is None else table.hand(played)
    return None if played is None or hand is None else (played, hand)


def somebody_has_drawn(state: BlackjackState) -> bool:
    """True if any player has got a card after the deal."""
    return any(seat != BANK for seat in asked_further(state))


def on_hand(
    change: Callable[[BlackjackState, PlayedHand, HandActT], BlackjackState],
) -> Callable[[BlackjackState, HandActT, TableMs], BlackjackState]:
    """Returns an effect that applies `change` to the act's hand. Without such a hand the effect changes nothing."""

    def done(state: BlackjackState, act: HandActT, _at_ms: TableMs) -> BlackjackState:
        played = None if state.table is None else state.table.of(hand_id(act))
        return state if played is None else change(state, played, act)

    return of_the_round(done)


def with_hand(state: BlackjackState, changed: PlayedHand) -> BlackjackState:
    """Returns the state with `changed` in place of the hand that has the same id."""
    return with_game(state, stakes=changed_hand(state.game.stakes, changed))


def ended_by(end: HandEnd) -> Callable[[BlackjackState, HandAct, TableMs], BlackjackState]:
    """Returns an effect that ends the act's hand with `end`. The hand gets no more cards, and the bank's cards do not
    matter to it.
    """
    return on_hand(lambda state, played, _act: _at_its_end(state, played, end))


def _at_its_end(state: BlackjackState, played: PlayedHand, end: HandEnd) -> BlackjackState:
    return with_hand(state, replace(played, end=end))


# --- guards

Answering: TypeAlias = Callable[[BlackjackState, Table, Any], Answer]
"""A function that returns the rule against an act, or None if the rules allow it."""


def as_the_rules_say(
    answer: Answering,
    *rules: PlayRule,
    possible: Callable[[BlackjackState], bool] = lambda _state: True,
    against_all: Callable[[BlackjackState], Answer] = lambda _state: None,
) -> tuple[AnyGuard[BlackjackState, Any], ...]:
    """Returns one guard for each of `rules`. The guard refuses an act for which `answer` returns its rule. At a table
    that tracks only cards no guard refuses. `possible`: True if some act could pass all these guards. `against_all`:
    returns the rule against every such act, or None.
    """

    def answered(state: BlackjackState, act: Act) -> Answer:
        table = state.table
        return None if table is None else answer(state, table, act)

    def unless(rule: PlayRule) -> ActGuard[BlackjackState, Act]:
        def holds(state: BlackjackState, act: Act) -> bool:
            return answered(state, act) != rule

        def some(state: BlackjackState) -> bool:
            return possible(state) and against_all(state) != rule

        return ActGuard[BlackjackState, Any](rule, holds, possible=some, case=_CASES.get(rule), answered=answered)

    return tuple(map(unless, rules))


def _is_not_beyond_21(state: BlackjackState, act: HandAct) -> bool:
    meant = None if state.table is None else hand_meant(state.table, act)
    return meant is not None and not is_bust(meant[1])


_CASES: Final = {HAND_IS_LIVE: Case[BlackjackState, Any]("decided", _is_not_beyond_21)}
"""The case of a hand that was paid, surrendered or doubled; the clauses on ended hands cover lost hands."""


def while_played(
    answer: Answering, *rules: PlayRule, against_all: Callable[[BlackjackState], Answer] = lambda _state: None
) -> tuple[AnyGuard[BlackjackState, Any], ...]:
    """Returns guards like those of `as_the_rules_say`, which refuse only while hands are played. In other phases
    another guard refuses.
    """

    def answered(state: BlackjackState, table: Table, act: Act) -> Answer:
        return answer(state, table, act) if state.game.phase is RoundPhase.PLAYING else None

    return as_the_rules_say(answered, *rules, against_all=against_all)


def of_the_hand(answer: Callable[[Hand, HandRules, BlackjackState, Table], Answer]) -> Answering:
    """Returns a function that applies `answer` to the hand of an act, or returns None if a card of the hand is
    unknown.
    """

    def answered(state: BlackjackState, table: Table, act: HandAct) -> Answer:
        meant = hand_meant(table, act)
        return None if meant is None else answer(meant[1], table.rules, state, table)

    return answered


HANDS_ARE_FOLLOWED = Guard[BlackjackState]("hands_are_followed", lambda state: state.setup.hand_rules is not None)
HAND_EXISTS = ActGuard[BlackjackState, HandAct](
    "hand_exists",
    lambda state, act: state.table is None or state.table.of(hand_id(act)) is not None,
    possible=lambda state: bool(state.game.stakes.hands),
)
HAND_IS_SHOWN_TO_CLAIM = ActGuard[BlackjackState, HandAct](  # mo.10.3 and others: applied when the cards are shown
    "claimed_hand_is_shown",
    lambda state, act: not _lies_face_down(state, hand_id(act)),
)
BANKS_CARD_IS_KNOWN = Guard[BlackjackState](
    "banks_card_is_known",
    lambda state: state.table is None or state.game.phase is not RoundPhase.PLAYING or state.table.up is not None,
)


def _lies_face_down(state: BlackjackState, meant: HandId) -> bool:
    return any(lies_face_down(one) for one in state.game.dealt if HandId(one.seat, one.hand) == meant)


def _in_turn(state: BlackjackState, act: HandAct) -> bool:
    """True for the hand in turn, and for the bank after all hands. Always True at a table that tracks only cards."""
    table, meant = state.table, hand_id(act)
    if table is None:
        return True
    turn = table.turn
    return meant.seat == BANK if turn is None else turn.id == meant


HAND_IS_IN_TURN = ActGuard[BlackjackState, HandAct](
    "hand_is_in_turn",
    _in_turn,
    lambda state, _act: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "bank"),),
)


def asked_so_far(state: BlackjackState, _act: object = None) -> tuple[tuple[str, str], ...]:
    """Returns the seats that have asked for further cards, as a value of a guard's sentences."""
    return (("asked", ", ".join(str(seat) for seat in asked_further(state)) or "-"),)


PLAYERS_ASK_BEFORE_THE_BANK = Guard[BlackjackState](  # pt.bj.18c: a new name can give a hand its turn later, too
    "place_is_in_turn",
    lambda state: not bank_has_begun(state),
    asked_so_far,
)


def is_left_to_the_bank(table: Table, played: PlayedHand) -> bool:
    """True if only the bank's cards still decide the hand `played`: the hand has stood, or the bank's second card is
    known (pt.bj.36b, mo.18.2, mo.19.2).
    """
    return played.has_stood or table.second_is_known


def others_have_bets(rule: str = "") -> ActGuard[BlackjackState, FollowedAct]:
    """Returns a guard that each of an act's `others` has a bet on the hand. After a split a player may lack a bet on
    the second hand (pt.bj.28b). `rule`: the rule that a refusal names, or "" for the guard's name.
    """

    def holds(state: BlackjackState, act: FollowedAct) -> bool:
        played = None if state.table is None else state.table.of(hand_id(act))
        return played is None or set(act.others or ()) <= {one.bettor for one in played.bets}

    return ActGuard("others_have_bets_there", holds, rule=rule)


def _each_hand(state: BlackjackState) -> list[HandId]:
    return [one.id for one in state.game.stakes.hands]


def in_turn_or_each(state: BlackjackState) -> list[HandId]:
    """Returns the hand in turn alone, or all hands of the round if none is in turn."""
    turn = None if state.table is None else state.table.turn
    return _each_hand(state) if turn is None else [turn.id]


def _tried(state: BlackjackState, guards: tuple[AnyGuard[BlackjackState, Any], ...]) -> list[HandId]:
    return in_turn_or_each(state) if HAND_IS_IN_TURN in guards else _each_hand(state)


def _about(act: type[HandAct], hand: HandId) -> HandAct:
    more = [hand.index] if "hand" in act.__struct_fields__ else []
    return act(*PROBE, hand.seat, *more)


def decision(
    name: str,
    act: type[HandAct],
    effect: Callable[[BlackjackState, Any, TableMs], BlackjackState],
    *guards: AnyGuard[BlackjackState, Any],
    needs: Permission = P.BET,
    hold_ms: int = 0,
    second: SecondPerson[BlackjackState, Any] | None = None,
    falls_away: Callable[[BlackjackState, Any], bool] | None = None,
    probes: Callable[[BlackjackState], tuple[Act, ...]] | None = None,
) -> ActRule[BlackjackState, Any]:
    """Returns the row of a decision, which the dealer enters while hands are played and no card is owed.

    `second`: the second person, for a decision that pays the hand before the settlement. `falls_away`: as in `ActRule`.
    `probes`: gives the acts to try. Without it the act is tried for the hand in turn, or for each hand if the turn does
    not matter.
    """
    return ActRule(
        name,
        act,
        DEALER,
        effect,
        (HANDS_ARE_FOLLOWED, HAND_EXISTS, NO_CARD_IS_OWED, *guards),
        in_round=(R.PLAYING,),
        needs=needs,
        last=(LAST_ROUND_IS_ANNOUNCED,),
        hold_ms=hold_ms,
        second=second,
        falls_away=falls_away,
        probes=probes or (lambda state: tuple(_about(act, one) for one in _tried(state, guards))),
        undone=BY_ENTRY,
        money=Money.DECIDED if second is None else Money.AT_ONCE,
        manner=Manner.DOES,
    )
