"""What an allowed act changes in a round besides its step."""

from controller.core.choices import PutBack
from controller.core.custody.books import move
from controller.core.custody.game import asked_further, discard_set_aside, laid_away
from controller.core.custody.round import RoundTrigger
from controller.core.custody.shoe import counted_last
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import (
    AnnounceNoMoreBets,
    BeginPuttingBack,
    CancelBets,
    CollectCards,
    CollectHand,
    ConfirmSettled,
    DrawCard,
    EndPuttingBack,
    LeaveInRack,
    TakeBets,
)
from controller.core.games.blackjack.corrections import (
    deal_set_aside,
    give_set_aside,
    leftovers_hold_the_round,
    ruling_on_leftovers,
    turn_taken,
)
from controller.core.games.blackjack.hand_acts import hands_kept, money_settled
from controller.core.games.blackjack.hand_guards import out_of_play
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.jackpot import cards_kept
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.holds import (
    end_holds,
    owes_leftovers,
    raise_hold,
)
from controller.core.house.state import round_moved, without_round
from controller.core.words import HoldKind, RoundPhase, TableMs


def take_bets(state: BlackjackState, act: TakeBets, _at_ms: TableMs) -> BlackjackState:
    late = state.game.seats if state.game.phase is RoundPhase.DEALING else ()  # those who bet before still do (house.4)
    return replace(state, game=replace(state.game, seats=tuple(sorted({*late, *act.seats}))))


def cancel_bets(state: BlackjackState, _act: CancelBets, _at_ms: TableMs) -> BlackjackState:
    return without_round(state)


def announce_no_more_bets(state: BlackjackState, _act: AnnounceNoMoreBets, at_ms: TableMs) -> BlackjackState:
    """A round begins; what the reader never saw of the last one lies in the rack by now."""
    reader = replace(state.devices.reader, unseen=0)
    state = counted_last(
        replace(
            state, game=replace(state.game, number=state.game.number + 1), devices=replace(state.devices, reader=reader)
        )
    )
    return deal_set_aside(state, at_ms)


def draw_card(state: BlackjackState, act: DrawCard, _at_ms: TableMs) -> BlackjackState:
    state = turn_taken(state, act.seat)
    return replace(state, game=replace(state.game, requested=act.seat, requested_hand=act.hand or 1))


def deal_card_set_aside(state: BlackjackState, act: DrawCard, at_ms: TableMs) -> BlackjackState | None:
    """The card that lies aside, where one does, instead of one from the machine (pt.bj.18d)."""
    return None if state.custody.set_aside is None else give_set_aside(state, act.seat, at_ms, act.hand or 1)


def confirm_settled(state: BlackjackState, _act: ConfirmSettled, _at_ms: TableMs) -> BlackjackState:
    """After the bank's hand nobody asks any more: a card that lies aside for this round goes to the rack."""
    state = money_settled(state)
    if state.custody.set_aside is not None and not state.custody.set_aside.outlives_round:
        state = discard_set_aside(state)
    return replace(
        state, house=replace(state.house, tally=replace(state.house.tally, rounds=state.house.tally.rounds + 1))
    )


def collect_cards(state: BlackjackState, _act: CollectCards, _at_ms: TableMs) -> BlackjackState:
    """Every card of the round lies in the rack; where nothing is put back the round is over."""
    state = laid_away(state, state.game.dealt if state.custody.book.table == len(state.game.dealt) else ())
    book = move(state.custody.book, "table", "rack", state.custody.book.table)
    if state.setup.procedure.put_back is PutBack.AFTER_EACH_ROUND:
        return replace(
            state, custody=replace(state.custody, book=move(book, "burnt", "rack", book.burnt))
        )  # burnt cards with the used ones
    over = round_moved(state, RoundTrigger.LEFT_IN_RACK)
    return without_round(replace(over, custody=replace(state.custody, book=book)))


def begin_putting_back(state: BlackjackState, _act: BeginPuttingBack, _at_ms: TableMs) -> BlackjackState:
    return replace(state, game=replace(state.game, put_back_due=state.custody.book.rack))


def end_putting_back(state: BlackjackState, _act: EndPuttingBack, _at_ms: TableMs) -> BlackjackState:
    return without_round(end_holds(state, owes_leftovers))


def putting_back_is_short(state: BlackjackState, _act: EndPuttingBack, at_ms: TableMs) -> BlackjackState | None:
    """The dealer says that all is in, the shuffler counted otherwise: hold (pt.bj.59b)."""
    if state.game.phase is RoundPhase.IDLE:
        return state  # it was over with its last card
    if state.game.put_back == state.game.put_back_due:
        return None
    figures = (("cause", "put-back"), ("counted", str(state.game.put_back)), ("expected", str(state.game.put_back_due)))
    return raise_hold(state, HoldKind.COUNT, at_ms, details=figures, needs_count=True)


def leave_in_rack(state: BlackjackState, _act: LeaveInRack, at_ms: TableMs) -> BlackjackState:
    """The round is over with its cards in the rack; where no rule carries them over a ruling is owed (mo.2.2.4)."""
    state = ruling_on_leftovers(state, at_ms) if leftovers_hold_the_round(state) else state
    return without_round(state)


def collect_hand(state: BlackjackState, act: CollectHand, _at_ms: TableMs) -> BlackjackState:
    """Its cards leave the order of the deal; who has asked so far stays known (pt.bj.18c, 22a)."""
    seat, gone = act.seat, out_of_play(state, act)
    asked = state.game.asked if seat not in asked_further(state) else tuple(sorted({*state.game.asked, seat}))
    state = hands_kept(cards_kept(state, seat, gone), gone)
    left = tuple(dealt for dealt in state.game.dealt if HandId(dealt.seat, dealt.hand) not in gone)
    state = laid_away(state, tuple(dealt for dealt in state.game.dealt if HandId(dealt.seat, dealt.hand) in gone))
    book = move(state.custody.book, "table", "rack", len(state.game.dealt) - len(left))
    is_whole = all(dealt.seat != seat for dealt in left)
    collected = tuple(sorted({*state.game.collected, seat})) if is_whole else state.game.collected
    return replace(
        state,
        game=replace(state.game, dealt=left, collected=collected, asked=asked),
        custody=replace(state.custody, book=book),
    )
