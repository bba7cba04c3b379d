"""The settlement: hands that have ended may be collected early, and at the end each bet's amount becomes final."""

from fractions import Fraction
from typing import Any, Final

from controller.core.custody.agreement import CORRECTIONS_ARE_AGREED
from controller.core.custody.books import move
from controller.core.custody.game import (
    asked_further,
    discard_set_aside,
    hands_that_lie,
    laid_away,
    lies_face_down,
    seats_in_play,
)
from controller.core.custody.putting_back import NO_JACKPOT_IS_OWED
from controller.core.custody.round import NO_CARD_IS_OWED, RoundTrigger, of_the_round
from controller.core.custody.shoe import LAST_ROUND_IS_ANNOUNCED
from controller.core.custody.state import Dealt, with_custody
from controller.core.custody.turning import PLAYERS_CARDS_ARE_SHOWN
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.at_once import fallen_with_last, netted
from controller.core.games.blackjack.bank import BANK_HAS_ITS_TOTAL, may_bank_stand
from controller.core.games.blackjack.decisions.one_hand import as_the_rules_say
from controller.core.games.blackjack.decisions.turns import EVERY_HAND_IS_OVER
from controller.core.games.blackjack.hand import Answer, is_live
from controller.core.games.blackjack.hands import (
    Brings,
    HandId,
    PlayedHand,
    changed_hand,
    settled_takings,
    shown,
    without,
)
from controller.core.games.blackjack.jackpot.cards import cards_kept, seats_that_win
from controller.core.games.blackjack.jackpot.linked import seats_that_hit
from controller.core.games.blackjack.money import rule_of
from controller.core.games.blackjack.paying import collection_takes_two, sees_the_seat, settlement_takes_two
from controller.core.games.blackjack.state import BlackjackState, with_game
from controller.core.games.blackjack.worth import Table
from controller.core.house.correct_entry import DIFFERENCES_ARE_SETTLED
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import DEALER, PROBE, SUPERVISORS, ActGuard, ActRule, Guard, P, R, SecondPerson
from controller.core.house.state import with_tally
from controller.core.house.undoing import BY_ENTRY
from controller.core.money import in_units
from controller.core.words import RoundPhase, TableMs


class ConfirmSettled(Act, frozen=True):
    pass


class CollectHand(Act, frozen=True):
    """The dealer moves ended hands of this seat to the discard rack while other hands play on (pt.bj.58).

    `hand`: one hand alone; None for all ended hands of the seat.
    """

    seat: int
    hand: int | None = None


def is_out(table: Table, played: PlayedHand) -> bool:
    """True if the hand `played` is lost, paid or surrendered and its cards still lie on the table."""
    hand = table.hand(played) if played.kept is None else None
    return hand is not None and not is_live(hand)


def out_of_play(state: BlackjackState, act: CollectHand) -> tuple[HandId, ...]:
    """Returns the ended hands that this act collects. At a table that tracks only cards: the seat's only hand."""
    table = state.table
    if table is None:
        return (HandId(act.seat),)
    return tuple(one.id for one in table.at(act.seat) if act.hand in {None, one.id.index} and is_out(table, one))


def hands_kept(state: BlackjackState, gone: tuple[HandId, ...]) -> BlackjackState:
    """Returns the state with the cards of the hands `gone` kept in their records, before the cards are collected."""
    table, stakes = state.table, state.game.stakes
    for played in () if table is None else filter(None, map(table.of, gone)):
        stakes = changed_hand(stakes, replace(played, kept=table.cards(played.id) if table else None))
    return with_game(state, stakes=stakes)


def money_settled(state: BlackjackState) -> BlackjackState:
    """Returns the state with all amounts of the round final and added to the takings. Unchanged if the table tracks
    only cards.
    """
    if state.table is None:
        return state
    return replace(state, takings=settled_takings(state.takings, state.table.amounts(settled=True)))


def confirm_settled(state: BlackjackState, _act: ConfirmSettled, _at_ms: TableMs) -> BlackjackState:
    """Returns the state after the settlement: the amounts are final, the round is counted, and a card set aside only
    for this round is discarded.
    """
    state = money_settled(state)
    if state.custody.set_aside is not None and not state.custody.set_aside.outlives_round:
        state = discard_set_aside(state)
    return with_tally(state, rounds=state.house.tally.rounds + 1)


def collect_hand(state: BlackjackState, act: CollectHand, _at_ms: TableMs) -> BlackjackState:
    """Returns the state with the cards of the act's ended hands moved from the table to the rack.

    The record of which seats asked for further cards stays (pt.bj.18c, 22a).
    """
    seat, gone = act.seat, out_of_play(state, act)
    asked = state.game.asked if seat not in asked_further(state) else tuple(sorted({*state.game.asked, seat}))
    state = hands_kept(cards_kept(state, seat, gone), gone)
    left = tuple(dealt for dealt in state.game.dealt if HandId(dealt.seat, dealt.hand) not in gone)
    state = laid_away(state, tuple(dealt for dealt in state.game.dealt if HandId(dealt.seat, dealt.hand) in gone))
    book = move(state.custody.book, "table", "rack", len(state.game.dealt) - len(left))
    is_whole = all(dealt.seat != seat for dealt in left)
    collected = tuple(sorted({*state.game.collected, seat})) if is_whole else state.game.collected
    return with_game(with_custody(state, book=book), dealt=left, collected=collected, asked=asked)


def _cards_of(state: BlackjackState, act: CollectHand) -> tuple[Dealt, ...]:
    return tuple(one for one in state.game.dealt if one.seat == act.seat and act.hand in {None, one.hand})


HAND_LIES_ON_THE_TABLE = ActGuard[BlackjackState, CollectHand](
    "hand_lies_on_the_table",
    lambda state, act: act.seat in seats_in_play(state) and (act.hand is None or bool(_cards_of(state, act))),
    possible=lambda state: bool(seats_in_play(state)),
)
HAND_IS_SHOWN = ActGuard[BlackjackState, CollectHand](  # cards are shown first: on a bust, a claim or at the settlement
    "hand_is_shown", lambda state, act: not any(map(lies_face_down, _cards_of(state, act)))
)


def _may_settle(_state: BlackjackState, table: Table, _act: ConfirmSettled) -> Answer:
    bank = table.bank
    return None if bank is None else may_bank_stand(bank, table.waiting, table.rules, is_insured=table.is_insured)


BANK_HAS_PLAYED = as_the_rules_say(_may_settle, BANK_HAS_ITS_TOTAL)
CARDS_ARE_KNOWN = Guard[BlackjackState](
    "cards_are_known",
    lambda state: state.table is None or state.table.is_known,
)
HAND_HAS_ENDED = ActGuard[BlackjackState, CollectHand](
    "hand_has_ended", lambda state, act: bool(out_of_play(state, act))
)


CARDS_ARE_NOT_TO_STAY = ActGuard[BlackjackState, CollectHand](
    "cards_are_not_to_stay", lambda state, act: act.seat not in {*seats_that_win(state), *seats_that_hit(state)}
)


SETTLING_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        "confirm-settled",
        ConfirmSettled,
        DEALER,
        of_the_round(confirm_settled),
        (
            CORRECTIONS_ARE_AGREED,
            NO_JACKPOT_IS_OWED,
            DIFFERENCES_ARE_SETTLED,
            NO_CARD_IS_OWED,
            PLAYERS_CARDS_ARE_SHOWN,
            EVERY_HAND_IS_OVER,
            CARDS_ARE_KNOWN,
            *BANK_HAS_PLAYED,
            LAST_ROUND_IS_ANNOUNCED,
        ),
        round=RoundTrigger.SETTLED,
        needs=P.BET,
        second=SecondPerson(SUPERVISORS, "payment", settlement_takes_two),
        probes=lambda _state: (ConfirmSettled(*PROBE),),
        undone=BY_ENTRY,
        money=Money.PAID,
        manner=Manner.DOES,
    ),
    ActRule(
        "collect-hand",
        CollectHand,
        DEALER,
        of_the_round(collect_hand),
        (
            HAND_LIES_ON_THE_TABLE,
            NO_CARD_IS_OWED,
            DIFFERENCES_ARE_SETTLED,
            HAND_IS_SHOWN,
            HAND_HAS_ENDED,
            CARDS_ARE_NOT_TO_STAY,
            CORRECTIONS_ARE_AGREED,  # also for a lost hand: the second person looks at its cards
        ),
        in_round=(R.PLAYING,),
        needs=P.BET,
        second=SecondPerson(
            SUPERVISORS,
            "payment",
            lambda state, act: collection_takes_two(state, out_of_play(state, act)),
            sees_the_seat,
        ),
        probes=lambda state: tuple(CollectHand(*PROBE, seat, hand) for seat, hand in hands_that_lie(state) if seat),
        undone=BY_ENTRY,
        money=Money.AT_ONCE,
        manner=Manner.DOES,
    ),
)


# --- notices

UNPAYABLE: Final = "amount-unpayable"
"""The name of the notice of an amount that no chips make up, so that people decide what is paid."""


def of_money(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each amount that became due or was decided between `before` and `after`, with the amount's
    hand and reason. Each of several equal amounts has a notice of its own, and so has each amount that falls with a
    misdealt card.

    An amount that is part of a waiting difference has no notice: the notice of the difference includes it. After a
    correction of an entry, only the amounts that people decide have a notice.
    """
    new = without(without(_due(after), _due(before), as_decided=True), netted(before, after), as_decided=True)
    if after.log.corrected > before.log.corrected:
        new = tuple(one for one in new if _key(one) == UNPAYABLE)
    fallen = [Notice("amount-falls", _told(one)) for one in fallen_with_last(before, after)]
    return [*fallen, *(Notice(_key(one), _told(one), rule_of(one.amount.payment)) for one in new)]


def of_void_round(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns a notice for each amount that was paid in a round that is void now. A corrected entry has its own."""
    if after.house.tally.voided <= before.house.tally.voided or after.log.corrected > before.log.corrected:
        return []
    return [Notice("amount-falls", _told(one)) for one in without(_due(before), _due(after)) if one.brought > 0]


def _key(one: Brings) -> str:
    if one.paid is not None:
        return "amount-decided"
    return "amount" if one.amount.flag is None else UNPAYABLE


def _due(state: BlackjackState) -> tuple[Brings, ...]:
    if state.table is None or state.game.phase is RoundPhase.IDLE:
        return ()
    if state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}:
        return state.at_once()
    return state.takings.last if state.game.phase is RoundPhase.SETTLED else ()


def _told(one: Brings) -> Values:
    amount = one.amount
    return (
        ("hand", shown(one.hand)),
        ("player", str(one.bettor)),
        ("payment", amount.payment.value),
        ("amount", in_units(amount.exact)),
        ("stake", in_units(Fraction(amount.stake)).lstrip("+")),
        ("rate", f"{amount.rate.pays}:{amount.rate.of}"),
        ("paid", in_units(one.brought).lstrip("+-")),
    )
