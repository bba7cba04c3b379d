"""The turn of a hand or of the bank: drawing a card, and standing."""

from typing import Any, Final

from controller.core.custody.game import SEAT_PLAYS, asked_further, bank_has_begun
from controller.core.custody.round import NO_CARD_IS_OWED, of_the_round
from controller.core.custody.set_aside import give_set_aside, turn_taken
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED
from controller.core.custody.state import BANK, last_dealt, with_round
from controller.core.custody.turning import HOLE_CARD_IS_FACE_DOWN, players_cards_face_down
from controller.core.engine.decision import Notice
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.bank import BANK_IS_BELOW_ITS_TOTAL, SOMEBODY_IS_IN_PLAY, may_bank_draw
from controller.core.games.blackjack.decisions.one_hand import (
    HAND_IS_IN_TURN,
    HandAct,
    asked_so_far,
    decision,
    hand_id,
    in_turn_or_each,
    of_the_hand,
    on_hand,
    while_played,
    with_hand,
)
from controller.core.games.blackjack.hand import (
    DOUBLED_HAND_LACKS_ITS_CARD,
    GIVING_UP_STANDS,
    HAND_IS_LIVE,
    HAND_IS_NO_BLACKJACK,
    SPLIT_ACE_LACKS_ITS_CARD,
    TOTAL_IS_BELOW_21,
    Answer,
    Hand,
    PlayRule,
    ended,
    is_live,
    may_draw,
    points,
)
from controller.core.games.blackjack.hands import HandId, PlayedHand, shown
from controller.core.games.blackjack.state import BlackjackState
from controller.core.games.blackjack.worth import Table
from controller.core.hand_rules import HandFigures, HandRules
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, PROBE, ActGuard, ActRule, Guard, P, R, S
from controller.core.house.undoing import BY_ENTRY
from controller.core.words import RoundPhase, TableMs


class DrawCard(HandAct, frozen=True):
    """A player or the bank asks for a further card. `seat`: 0 for the bank. `hand`: None for the seat's first hand."""

    hand: int | None = None


class Stand(HandAct, frozen=True):
    """A player wants no further card for this hand. `hand`: None for the seat's first hand."""

    hand: int | None = None


HAND_HAS_TWO_CARDS: Final = PlayRule("hand_has_two_cards")
DOUBLED_HAND_HAS_ITS_CARD: Final = PlayRule("doubled_hand_has_its_card")
TOTAL_SUFFICES_TO_STAND: Final = PlayRule("total_suffices_to_stand")


def may_stand(hand: Hand, rules: HandRules) -> Answer:
    """Returns the rule that forbids standing on this hand; None if standing is permitted (pt.bj.18a, mo.6.2, br.play.4,
    house.9b).
    """
    return _against_standing(hand, rules.figures)


def _against_standing(hand: Hand, figures: HandFigures) -> Answer:
    if not is_live(hand):
        return ended(hand)
    if len(hand.cards) < 2:
        return HAND_HAS_TWO_CARDS
    if hand.is_doubled:
        has_its_card = len(hand.cards) >= 2 + figures.double_cards
        return None if has_its_card else DOUBLED_HAND_HAS_ITS_CARD
    if hand.is_of_aces and len(hand.cards) > figures.split_ace_cards:
        return None
    return TOTAL_SUFFICES_TO_STAND if points(hand, figures) < figures.stand_from else None


def must_draw(table: Table, played: PlayedHand) -> bool:
    """True if the hand `played` must get a card: a doubled hand that lacks its card, a hand from a split that lacks its
    second card, or a known total too low to stand on (pt.bj.18a, 26b, 29b, house.9b).
    """
    hand, lying = table.hand(played), sum(HandId(one.seat, one.hand) == played.id for one in table.dealt)
    if (played.is_split and lying < 2) or (played.is_doubled and lying < 2 + table.rules.figures.double_cards):
        return True
    return hand is not None and may_stand(hand, table.rules) == TOTAL_SUFFICES_TO_STAND


def passed_by(table: Table, seat: int) -> tuple[PlayedHand, ...]:
    """Returns the hands of the seat that must draw, and have not ended."""
    return tuple(one for one in table.at(seat) if not table.is_over(one) and must_draw(table, one))


def draw_card(state: BlackjackState, act: DrawCard, _at_ms: TableMs) -> BlackjackState:
    state = turn_taken(state, act.seat)
    return with_round(state, requested=act.seat, requested_hand=_hand_of(act))


def _hand_of(act: DrawCard) -> int:
    """Returns the number of the hand that draws; 1 for the bank."""
    return 1 if act.seat == BANK else act.hand or 1


def deal_card_set_aside(state: BlackjackState, act: DrawCard, at_ms: TableMs) -> BlackjackState | None:
    """Returns the state in which the hand gets the card set aside (pt.bj.18d). None if no card is set aside."""
    return None if state.custody.set_aside is None else give_set_aside(state, act.seat, at_ms, _hand_of(act))


def _stand(state: BlackjackState, played: PlayedHand, _act: Stand) -> BlackjackState:
    return with_hand(state, replace(played, has_stood=True))


def _place_is_in_turn(state: BlackjackState, act: DrawCard) -> bool:
    """True if the seat may ask for a card now. Always True for the bank.

    Before the bank plays, a seat may ask if it is in turn, if no later seat has drawn, or if a ruling has given its
    turn back. Once the bank plays, only a hand that must draw and has got its turn back may ask. A card moved to a
    later seat does not end the turn of a hand that the table knows to be in turn (mo.5.1.2a).
    """
    if act.seat == BANK:
        return True
    table = state.table
    if bank_has_begun(state):
        return table is not None and any(one.id == hand_id(act) and one.waits for one in passed_by(table, act.seat))
    turn = None if table is None else table.turn
    is_on = turn is not None and turn.id.seat == act.seat
    in_order = is_on or all(seat <= act.seat for seat in asked_further(state))
    return in_order or state.game.turn_back == act.seat


def _hole_card_is_turned(state: BlackjackState, act: DrawCard) -> bool:
    return act.seat != BANK or not HOLE_CARD_IS_FACE_DOWN.holds(state)


PLACE_IS_IN_TURN = ActGuard[BlackjackState, DrawCard](
    "place_is_in_turn",
    _place_is_in_turn,
    asked_so_far,
)
HOLE_CARD_IS_TURNED = ActGuard[BlackjackState, DrawCard](
    "hole_card_is_turned",
    _hole_card_is_turned,
    possible=lambda state: (
        state.table is None or state.table.turn is not None or not HOLE_CARD_IS_FACE_DOWN.holds(state)
    ),
)
HAND_IS_IN_PLAY = ActGuard[BlackjackState, DrawCard](
    "hand_is_in_play",
    lambda state, act: act.seat not in state.game.collected,
    lambda _state, act: (("seat", str(act.seat) if act else "-"),),
)
A_CARD_IS_INSIDE = Guard[BlackjackState]("a_card_is_inside", lambda state: state.custody.book.inside > 0)


def _against_card(table: Table, meant: HandId) -> Answer:
    """Returns the rule that forbids a further card for this hand or the bank. None if a card is permitted, or if one of
    the hand's cards is unknown.
    """
    if meant.seat == BANK:
        bank = table.bank
        return None if bank is None else may_bank_draw(bank, table.waiting, table.rules, is_insured=table.is_insured)
    played = table.of(meant)
    hand = None if played is None else table.hand(played)
    return None if hand is None else may_draw(hand, table.rules)


def _may_draw(_state: BlackjackState, table: Table, act: DrawCard) -> Answer:
    return _against_card(table, hand_id(act))


def _against_all(state: BlackjackState) -> Answer:
    """Returns the rule that now forbids a further card for every hand; None if a hand may have one. The rule is that of
    the hand in turn, or of the bank after all hands: no other hand can get a card.
    """
    table = state.table
    if table is None or state.game.phase is not RoundPhase.PLAYING:
        return None
    return _against_card(table, HandId(BANK) if table.turn is None else table.turn.id)


def _without_the_last(state: BlackjackState) -> BlackjackState:
    last = last_dealt(state)
    return with_round(state, dealt=tuple(one for one in state.game.dealt if one is not last))


def may_take_last(state: BlackjackState, seat: int, hand: int) -> bool:
    """True if the card dealt last may be a further card of this hand (mo.5.1.2a). Always True at a table that tracks
    only cards. The rules judge the hand without that card. The bank may have the card only if all players' hands are
    over before it.
    """
    before = _without_the_last(state)
    table = before.table
    if table is None:
        return True
    if _against_card(table, HandId(seat, hand)) is not None:
        return False
    if seat != BANK:
        played = table.of(HandId(seat, hand))
        return played is not None and not played.has_stood
    return table.turn is None and not HOLE_CARD_IS_FACE_DOWN.holds(state)


def was_due(state: BlackjackState) -> bool:
    """True if the rules obliged the hand of the card dealt last to get that card. Always False at a table that tracks
    only cards, and while a card of the bank is unknown.

    The rules oblige the bank below its total (pt.bj.19c, mo.6.1a, br.play.8a), a doubled hand, a hand from a split with
    a single card, and a hand that may not stand yet (pt.bj.18a, house.9b).
    """
    table, last = _without_the_last(state).table, last_dealt(state)
    if table is None:
        return False
    if last.seat == BANK:
        return table.bank is not None and _against_card(table, HandId(BANK)) is None
    played = table.of(HandId(last.seat, last.hand))
    return played is not None and must_draw(table, played)


CARD_MAY_BE_DRAWN = while_played(
    _may_draw,
    HAND_IS_LIVE,
    GIVING_UP_STANDS,
    DOUBLED_HAND_LACKS_ITS_CARD,
    SPLIT_ACE_LACKS_ITS_CARD,
    HAND_IS_NO_BLACKJACK,
    TOTAL_IS_BELOW_21,
    SOMEBODY_IS_IN_PLAY,
    BANK_IS_BELOW_ITS_TOTAL,
    against_all=_against_all,
)
HAND_MAY_STAND = while_played(
    of_the_hand(lambda hand, rules, _state, _table: may_stand(hand, rules)),
    HAND_IS_LIVE,
    GIVING_UP_STANDS,
    HAND_HAS_TWO_CARDS,
    DOUBLED_HAND_HAS_ITS_CARD,
    TOTAL_SUFFICES_TO_STAND,
)
EVERY_HAND_IS_OVER = Guard[BlackjackState](
    "every_hand_is_over",
    lambda state: state.table is None or state.table.turn is None,
    lambda state: (("turn", shown(state.table.turn.id) if state.table and state.table.turn else "-"),),
)


def _of_each_hand_and_the_bank(state: BlackjackState) -> tuple[DrawCard, ...]:
    """Returns a request for a card for the hand in turn, or for each hand or seat if none is in turn, and one for the
    bank.
    """
    hands = in_turn_or_each(state) or [HandId(seat) for seat in state.game.seats]
    return tuple(DrawCard(*PROBE, one.seat, one.index) for one in (*hands, HandId(BANK)))


DRAWING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "draw-card",
        DrawCard,
        DEALER,
        of_the_round(draw_card),
        (
            SEAT_PLAYS,
            HAND_IS_IN_PLAY,
            NO_CARD_IS_OWED,
            A_CARD_IS_INSIDE,
            PLACE_IS_IN_TURN,
            HOLE_CARD_IS_TURNED,
            *CARD_MAY_BE_DRAWN,
            HAND_IS_IN_TURN,
        ),
        in_session=(S.IN_PLAY,),
        in_round=(R.PLAYING,),
        needs=P.DRAW,
        instead=deal_card_set_aside,
        probes=_of_each_hand_and_the_bank,
        last=(LAST_ROUND_IS_ANNOUNCED,),
        undone=BY_ENTRY,
        money=Money.DECIDED,
        manner=Manner.DOES,
    ),
)


def _is_over(state: BlackjackState, act: Stand) -> bool:
    """True if the hand is over even without this stand, which then has no effect."""
    played = None if state.table is None else state.table.of(hand_id(act))
    return played is not None and state.table is not None and state.table.is_over(played)


STANDING: Final = decision("stand", Stand, on_hand(_stand), *HAND_MAY_STAND, HAND_IS_IN_TURN, falls_away=_is_over)


SHOWING: Final = "who-goes-beyond-21-shows-his-cards"
"""The name of the reminder to show a hand above 21; a card causes the reminder, not a step alone."""


def of_covered_hands(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a reminder after a player whose cards lie face down got a further card; else []. Only that player sees if
    the hand exceeds 21 and must be shown (mo.6.2).
    """
    if len(after.game.dealt) <= len(before.game.dealt):
        return []
    seat, is_further = last_dealt(after).seat, before.game.phase is RoundPhase.PLAYING
    if not is_further or all(one.seat != seat for one in players_cards_face_down(after)):
        return []
    return [Notice(SHOWING, (("seat", str(seat)),))]
