"""The cards that the screen offers for `state-unseen-cards`: those by which a seat wins, and those that are known."""

from collections.abc import Iterator
from itertools import permutations

from msgspec import UnsetType

from controller.core.custody.state import DECK, RANKS, Card, rank_of, suit_of
from controller.core.engine.act import value_names
from controller.core.games.blackjack.jackpot.cards import played_for
from controller.core.games.blackjack.jackpot.unseen import STATE_UNSEEN_CARDS, StateUnseenCards, seen_cards
from controller.core.games.blackjack.state import BlackjackState


def cards_to_state(state: BlackjackState, seat: int) -> Iterator[tuple[Card, ...]]:
    """Yields the seat's cards in a request that waits for a second person. Then, for each winning combination, yields
    one set of cards by which the seat would have it, in several orders. Last come the cards that the table knows, by
    which a statement is taken back.
    """
    yield from _waiting(state, seat)
    seen = seen_cards(state, seat)
    known = next((card for card in seen if card is not None), DECK[-1])
    pool, linked = played_for(state), state.setup.linked
    combinations = () if pool is None else tuple(prize.combination for prize in pool.rules.prizes)
    for combination in combinations if isinstance(linked, UnsetType) else (*combinations, linked.combination):
        for ranks in dict.fromkeys(permutations(combination.ranks)):
            cards = tuple(Card((rank if rank in RANKS else rank_of(known)) + suit_of(known)) for rank in ranks)
            yield _where_known(seen, cards + tuple(known for _ in seen[len(cards) :]))
    yield _where_known(seen, tuple(known for _ in seen))


def _waiting(state: BlackjackState, seat: int) -> Iterator[tuple[Card, ...]]:
    requests = (one.values for one in state.house.waiting if one.act == STATE_UNSEEN_CARDS)
    for said in (dict(zip(value_names(StateUnseenCards), values, strict=True)) for values in requests):
        if said["seat"] == str(seat):
            yield tuple(map(Card, said["cards"].split(",")))


def _where_known(seen: tuple[Card | None, ...], cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """Returns `cards` with the cards that the table knows at their places."""
    known = (*seen, *(None for _ in cards[len(seen) :]))
    return tuple(one or card for one, card in zip(known, cards, strict=True))
