"""The cards and wins of a round's jackpot bets: which cards count for a chip, when they are final, and what it wins.

A player's first cards count in the order in which they arrived, even if a split has moved them (pt.bj.42). An annulled
card has left the table and never counts (pt.bj.18f).
"""

from collections.abc import Iterator

from controller.core.custody.state import Card, last_dealt
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.hands import HandId
from controller.core.games.blackjack.jackpot.round import Chip, KeptCard, collection_is_owed
from controller.core.games.blackjack.state import BlackjackState, with_jackpot
from controller.core.games.blackjack.worth import Table
from controller.core.house.pool import Pool, Win, hit
from controller.core.house.state import with_house
from controller.core.jackpot_rules import AS_THE_TEXT_HAS_IT, JackpotConditions, JackpotRules, is_made_of
from controller.core.words import RoundPhase


def played_for(state: BlackjackState) -> Pool | None:
    """Returns the pool of the jackpot bets. None without a pool, and if the table tracks only cards."""
    return state.house.pool if state.setup.jackpot is not None and state.table is not None else None


def conditions(state: BlackjackState) -> JackpotConditions:
    """Returns the conditions of the present pool. Later approved conditions apply after its reset (pt.bj.40)."""
    pool = played_for(state)
    return AS_THE_TEXT_HAS_IT if pool is None else pool.rules.conditions


def is_to_be_collected(state: BlackjackState) -> bool:
    """True if bets are closed and the jackpot chips are still to be collected."""
    return state.game.phase is RoundPhase.DEALING and collection_is_owed(state.game.jackpot)


def seats_with_chips(state: BlackjackState) -> tuple[int, ...]:
    return tuple(sorted(dict.fromkeys(chip.seat for chip in state.game.jackpot.chips)))


def first_cards(state: BlackjackState, seat: int, most: int) -> tuple[Card | None, ...]:
    """Returns the first cards dealt to the seat, at most `most`, including collected cards. None in the result is an
    unknown card, or a card that left the table and is owed again.
    """
    cards = [one.card for one in state.placed if one.seat == seat]
    kept = (one for one in state.game.jackpot.kept if one.seat == seat)
    for one in sorted(kept, key=lambda one: one.at):
        cards.insert(one.at, one.card)  # behind all others, where a count has found fewer before it
    return tuple(cards[:most])


def wins(state: BlackjackState, pool: Pool) -> tuple[Win, ...]:
    """Returns the wins of all chips by the cards known so far (pt.bj.42, 43a, 43b, 46)."""
    return tuple(win for chip in state.game.jackpot.chips for win in _of_chip(state, pool.rules, chip))


def _of_chip(state: BlackjackState, rules: JackpotRules, chip: Chip) -> Iterator[Win]:
    """Yields the wins of one chip, the highest first; only the highest if the conditions pay one prize per chip."""
    cards = first_cards(state, chip.seat, rules.cards)
    for prize in reversed(rules.prizes):
        known = [card for card in cards[: prize.cards] if card is not None]
        if len(known) == prize.cards and is_made_of(prize.combination, known):
            yield Win(chip.seat, chip.bettor, prize.rank, prize.cents, prize.part_ppm)
            if rules.conditions.jackpot_one_prize:
                return


def seats_that_win(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose cards must stay on the table: the cards win, or the seat is still to get a prize
    (pt.bj.49).
    """
    pool = state.house.pool
    if pool is None or not state.game.jackpot.chips:
        return ()
    if state.game.jackpot.is_hit:
        return tuple(one.seat for one in pool.owed)
    return tuple(dict.fromkeys(win.seat for win in wins(state, pool))) if state.game.jackpot.is_collected else ()


def are_final(state: BlackjackState, pool: Pool, table: Table) -> bool:
    """True if no later card can change the cards that count for any chip (pt.bj.50a)."""
    return all(is_final(state, pool.rules.cards, table, seat) for seat in seats_with_chips(state))


def is_final(state: BlackjackState, most: int, table: Table, seat: int) -> bool:
    """True if the seat's first `most` cards are all known, and no later card can be one of them."""
    cards = first_cards(state, seat, most)
    if None in cards:
        return False
    return len(cards) == most or _takes_no_more(state, table, seat)


def _takes_no_more(state: BlackjackState, table: Table, seat: int) -> bool:
    return state.game.phase is RoundPhase.PLAYING and all(map(table.is_over, table.at(seat)))


def settled_wins(state: BlackjackState) -> BlackjackState:
    """Returns the state in which the pool owes the prizes that this round has won.

    Unchanged without a win, before the chips are collected, while a later card may change a win, and if the pool
    already owes or has paid the prizes.
    """
    pool, table = played_for(state), state.table
    if pool is None or table is None or state.game.jackpot.is_hit or not state.game.jackpot.is_collected:
        return state
    won = wins(state, pool)
    if not won or not are_final(state, pool, table):
        return state
    state = with_house(state, pool=hit(pool, won))
    return with_jackpot(state, is_hit=True)


def may_be_corrected(state: BlackjackState, pool: Pool) -> bool:
    """True if the last card dealt counts for a chip and may still be reported as misdealt."""
    if not (state.game.provisional and state.game.dealt):
        return False
    seat = last_dealt(state).seat
    counted = sum(one.seat == seat for one in state.game.dealt)
    return seat in seats_with_chips(state) and counted <= pool.rules.cards


def cards_kept(state: BlackjackState, seat: int, gone: tuple[HandId, ...]) -> BlackjackState:
    """Returns the state with the cards of the hands `gone` recorded for the jackpot, before they are collected.
    Unchanged for a seat without a chip.
    """
    jackpot = state.game.jackpot
    if seat not in seats_with_chips(state):
        return state
    known = [one.at for one in jackpot.kept if one.seat == seat]
    lying = [one for one in state.game.dealt if one.seat == seat]
    places = [at for at in range(len(known) + len(lying)) if at not in known]
    kept = (
        KeptCard(seat, at, one.card) for at, one in zip(places, lying, strict=False) if HandId(seat, one.hand) in gone
    )
    return with_jackpot(state, kept=(*jackpot.kept, *kept))


def kept_move_up(state: BlackjackState, seat: int, at: int) -> BlackjackState:
    """Returns the state after the seat has lost the card at this index of the dealt cards without a replacement.
    Collected cards that came after it move up by one place.
    """
    kept = state.game.jackpot.kept
    known = {one.at for one in kept if one.seat == seat}
    if not known:
        return state
    before = sum(one.seat == seat for one in state.game.dealt[:at])
    gone = [place for place in range(before + len(known) + 1) if place not in known][before]
    return with_jackpot(
        state, kept=tuple(replace(one, at=one.at - 1) if one.seat == seat and one.at > gone else one for one in kept)
    )
