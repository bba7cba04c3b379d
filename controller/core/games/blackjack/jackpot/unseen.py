"""Prizes of a round that people finished by hand while the controller was down, won by cards that no device has told.

act                 by whom, and who else           undone by                        growth of state or journal
state-unseen-cards  chief supervisor; room manager  the same act with other cards,   an entry each time
                    asks for the same               until the prize is paid

The cards that the table knew stand: people state only those that came after them. The table computes the prizes, and
they are paid like all others. No card is stated any more once jackpot chips are collected again, since the pool then
has other players' money, nor after the session.
"""

from typing import Any, Final

from msgspec import UnsetType

from controller.core.custody.state import DECK, Card
from controller.core.engine.act import Act
from controller.core.engine.decision import Notice, Values
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.jackpot.bets import all_collected
from controller.core.games.blackjack.jackpot.cards import first_cards, is_final, played_for, seats_with_chips
from controller.core.games.blackjack.jackpot.linked import seats_made_of
from controller.core.games.blackjack.jackpot.prizes import hold_for_prizes, known_wins_owed, owed_anew
from controller.core.games.blackjack.jackpot.round import FirstCards, KeptCard, RoundJackpot, Unseen
from controller.core.games.blackjack.state import BlackjackState, Round, with_unseen
from controller.core.house.linked_acts import linked_of
from controller.core.house.linked_pool import hit_by
from controller.core.house.manner import Manner
from controller.core.house.money_at_stake import Money
from controller.core.house.rule import CHIEF, DELIBERATE_MS, ActGuard, ActRule, Guard, R, S, SecondPerson, always
from controller.core.house.state import with_house
from controller.core.house.undoing import AGAIN
from controller.core.words import Role, RoundPhase, TableMs

STATE_UNSEEN_CARDS: Final = "state-unseen-cards"


class StateUnseenCards(Act, frozen=True):
    """The first cards of a seat with a jackpot chip, in a round that people finished while the controller was down.

    `cards`: in the order in which they were dealt, those that the table knows among them.
    """

    seat: int
    cards: tuple[Card, ...]


_UNSEEN_FROM: Final = frozenset((RoundPhase.BETTING, RoundPhase.DEALING, RoundPhase.PLAYING))


def finished_by_hand(state: BlackjackState) -> BlackjackState:
    """Returns the state in which the prizes of the known cards are owed, and people may state the cards of other chips.
    Chips that were still to be collected count as collected by hand.
    """
    if state.game.jackpot.chips and not state.game.jackpot.is_collected and state.game.phase in _UNSEEN_FROM:
        state = all_collected(state)
    state = known_wins_owed(state)
    jackpot, number = state.game.jackpot, (state.house.session_number, state.game.number)
    if not jackpot.is_collected or state.game.phase not in _UNSEEN_FROM:
        return state
    seen = tuple(_seen_at(state, seat) for seat in seats_with_chips(state))
    return replace(state, unseen=Unseen(jackpot.chips, seen, paid=jackpot.paid, of_round=number))


def _seen_at(state: BlackjackState, seat: int) -> FirstCards:
    most, table = _most(state), state.table
    is_whole = table is not None and is_final(state, most, table, seat)
    return FirstCards(seat, first_cards(state, seat, most), is_whole)


def _most(state: BlackjackState) -> int:
    """Returns the number of first cards that count for the own pool or the linked one."""
    pool, linked = played_for(state), state.setup.linked
    own = 0 if pool is None else pool.rules.cards
    return own if isinstance(linked, UnsetType) else max(own, len(linked.combination.ranks))


def _open_seats(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose cards people may state. Empty without a pool, and after the session of that round."""
    unseen = state.unseen
    if played_for(state) is None or unseen.of_round[0] != state.house.session_number:
        return ()
    return tuple(one.seat for one in unseen.seen if not one.is_whole)


def seen_cards(state: BlackjackState, seat: int) -> tuple[Card | None, ...]:
    """Returns the first cards of the seat in the unseen round, None for a card that the table does not know."""
    return next((one.cards for one in state.unseen.seen if one.seat == seat), ())


def _as_played(state: BlackjackState) -> BlackjackState:
    """Returns the state as if the unseen round stood now, with its chips, their cards as known or stated, and its
    payments.
    """
    unseen = state.unseen
    cards = {one.seat: one.cards for one in (*unseen.seen, *unseen.stated)}
    kept = tuple(KeptCard(seat, at, card) for seat, some in cards.items() for at, card in enumerate(some))
    jackpot = RoundJackpot(unseen.chips, is_collected=True, kept=kept, is_hit=True, paid=unseen.paid)
    return replace(state, game=Round(number=state.game.number, jackpot=jackpot))


def _stated(state: BlackjackState, act: StateUnseenCards) -> BlackjackState:
    """Returns the state in which the own pool, and the linked one, owe the prizes that these cards have won."""
    others = tuple(one for one in state.unseen.stated if one.seat != act.seat)
    state = with_unseen(state, stated=(*others, FirstCards(act.seat, act.cards, is_whole=True)))
    pool = played_for(state)
    state = state if pool is None else with_house(state, pool=owed_anew(pool, _as_played(state)))
    return _linked_hit(state)


def _linked_hit(state: BlackjackState) -> BlackjackState:
    linked, of_round = linked_of(state), state.unseen.of_round
    if linked is None or linked.round == of_round:
        return state
    won = seats_made_of(_as_played(state))
    return with_house(state, linked=hit_by(linked, won, of_round)) if won else state


def state_unseen_cards(state: BlackjackState, act: StateUnseenCards, at_ms: TableMs) -> BlackjackState:
    state = _stated(state, act)
    pool = state.house.pool
    return hold_for_prizes(state, () if pool is None else tuple(one.seat for one in pool.owed), at_ms)


# --- guards


def _says_seats(state: BlackjackState, _act: Act | None = None) -> Values:
    return (("seats", ", ".join(map(str, _open_seats(state))) or "-"),)


def _are_as_seen(state: BlackjackState, act: StateUnseenCards) -> bool:
    """True if these are cards of a deck, no more than count, and as the table knows them where it knows them."""
    seen = seen_cards(state, act.seat)
    if not (len(seen) <= len(act.cards) <= _most(state) and set(act.cards) <= set(DECK)):
        return False
    return all(known in {None, said} for known, said in zip(seen, act.cards, strict=False))


def _says_seen(state: BlackjackState, act: Act | None) -> Values:
    seen = seen_cards(state, act.seat) if isinstance(act, StateUnseenCards) else ()
    return ("cards", ", ".join(card or "?" for card in seen) or "-"), ("most", str(_most(state)))


def _are_unpaid(state: BlackjackState, act: StateUnseenCards) -> bool:
    return not any(one.owed.seat == act.seat or one.owed.cents is None for one in state.unseen.paid)


def _changes_a_prize(state: BlackjackState, act: StateUnseenCards) -> bool:
    after = _stated(state, act)
    return (after.house.pool, after.house.linked) != (state.house.pool, state.house.linked)


CARDS_CAME_UNSEEN = Guard[BlackjackState]("cards_came_unseen", lambda state: bool(_open_seats(state)))
SEAT_HAS_UNSEEN_CARDS = ActGuard[BlackjackState, StateUnseenCards](
    "seat_has_unseen_cards", lambda state, act: act.seat in _open_seats(state), _says_seats
)
CARDS_ARE_AS_SEEN = ActGuard[BlackjackState, StateUnseenCards]("cards_are_as_seen", _are_as_seen, _says_seen)
UNSEEN_PRIZES_ARE_UNPAID = ActGuard[BlackjackState, StateUnseenCards]("unseen_prizes_are_unpaid", _are_unpaid)
CARDS_CHANGE_A_PRIZE = ActGuard[BlackjackState, StateUnseenCards]("cards_change_a_prize", _changes_a_prize)


# --- notices and row


def of_unseen(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns the notice that a round was finished by hand. People must then state a winning combination of its unseen
    cards.
    """
    is_news = after.unseen.of_round != before.unseen.of_round and bool(_open_seats(after))
    seats = (("seats", " ".join(map(str, _open_seats(after)))),)
    return [Notice("jackpot-cards-unseen", seats)] if is_news else []


UNSEEN_ACTS: Final[tuple[ActRule[Any, Any], ...]] = (
    ActRule(
        STATE_UNSEEN_CARDS,
        StateUnseenCards,
        CHIEF,
        state_unseen_cards,
        (
            *(CARDS_CAME_UNSEEN, SEAT_HAS_UNSEEN_CARDS, CARDS_ARE_AS_SEEN, UNSEEN_PRIZES_ARE_UNPAID),
            CARDS_CHANGE_A_PRIZE,
        ),
        in_session=(S.LOADED, S.IN_PLAY, S.CLOSING),
        in_round=(R.IDLE, R.BETTING),
        second=SecondPerson((Role.ROOM_MANAGER,), "unseen", always),
        hold_ms=DELIBERATE_MS,
        undone=AGAIN,
        money=Money.PRIZE,
        manner=Manner.ATTESTS,
    ),
)
