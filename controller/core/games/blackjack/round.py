"""What an allowed act changes in a round besides its step."""

from controller.core.custody.books import move
from controller.core.custody.game import asked_further, discard_set_aside, laid_away
from controller.core.custody.set_aside import deal_set_aside
from controller.core.custody.shoe import counted_last
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.acts import AnnounceNoMoreBets, CancelBets, CollectHand, ConfirmSettled, TakeBets
from controller.core.games.blackjack.hand_acts import hands_kept, money_settled
from controller.core.games.blackjack.hand_guards import out_of_play
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.jackpot import cards_kept
from controller.core.games.blackjack.state import BlackjackState
from controller.core.house.state import without_round
from controller.core.words import RoundPhase, TableMs


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


def confirm_settled(state: BlackjackState, _act: ConfirmSettled, _at_ms: TableMs) -> BlackjackState:
    """After the bank's hand nobody asks any more: a card that lies aside for this round goes to the rack."""
    state = money_settled(state)
    if state.custody.set_aside is not None and not state.custody.set_aside.outlives_round:
        state = discard_set_aside(state)
    return replace(
        state, house=replace(state.house, tally=replace(state.house.tally, rounds=state.house.tally.rounds + 1))
    )


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
