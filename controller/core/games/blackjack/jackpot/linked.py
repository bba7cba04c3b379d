"""Jackpot chips that also play for a pool linked with other tables: counting chips for the floor, returning chips, and
hits.
"""

from msgspec import UnsetType

from controller.core.engine.decision import Notice
from controller.core.games.blackjack.jackpot.cards import first_cards, is_final, may_be_corrected, seats_with_chips
from controller.core.games.blackjack.state import BlackjackState, with_jackpot
from controller.core.house.linked_acts import hold_for_hits, linked_of
from controller.core.house.linked_pool import hit_by, with_bets
from controller.core.house.pool import Level, MoveKind, moves_between
from controller.core.house.state import with_house
from controller.core.jackpot_rules import is_made_of
from controller.core.linked_rules import BetsWhenAway
from controller.core.words import RoundPhase, TableMs

_COUNTS = {MoveKind.BETS_COLLECTED: 1, MoveKind.BETS_RETURNED: -1}


def watch_linked(before: BlackjackState, after: BlackjackState, at_ms: TableMs) -> BlackjackState:
    """Returns the state with new bets counted for the floor, and a hold for a hit.

    The chips go back while the floor is away, unless the casino has chosen `PLAY_ON`.
    """
    after = _bets_back(_with_bets(before, after))
    pool = after.house.pool
    if pool is not None and not may_be_corrected(after, pool):
        after = hit_linked(after)
    return hold_for_hits(after, at_ms)


def _with_bets(before: BlackjackState, after: BlackjackState) -> BlackjackState:
    pool, linked = after.house.pool, linked_of(after)
    moves = moves_between(before.house.pool, pool)
    bets = sum(_COUNTS.get(move.kind, 0) * move.bets for move in moves if move.level is Level.POOL)
    if pool is None or linked is None or not bets:
        return after
    of_round = (before.house.session_number, before.game.number)
    return with_house(after, linked=with_bets(linked, bets, pool.rules, of_round))


def _bets_back(state: BlackjackState) -> BlackjackState:
    rules, linked, jackpot = state.setup.linked, linked_of(state), state.game.jackpot
    if isinstance(rules, UnsetType) or linked is None or not linked.is_away:
        return state
    if not jackpot.chips or jackpot.is_collected or rules.bets_when_away is BetsWhenAway.PLAY_ON:
        return state
    return with_jackpot(state, chips=(), marked=())


def hit_linked(state: BlackjackState, *, is_void: bool = False) -> BlackjackState:
    """Returns the state with the hit of the linked pool, once the cards of all chips are final.

    All chips that hit share it. Corrections of cards must be agreed first, since the floor decides a hit at once.
    `is_void`: the round is void, so no further card is awaited; a hit made before stays.
    """
    linked, is_agreed = linked_of(state), is_void or not state.game.corrected_by
    won = _won(state, is_void=is_void) if is_agreed else ()
    return state if linked is None or not won else with_house(state, linked=hit_by(linked, won, _this_round(state)))


def _this_round(state: BlackjackState) -> tuple[int, int]:
    return state.house.session_number, state.game.number


def _won(state: BlackjackState, *, is_void: bool = False) -> tuple[int, ...]:
    """Returns the seats whose cards hit the linked pool. Empty if this round's hit is recorded already."""
    rules, linked, table = state.setup.linked, linked_of(state), state.table
    if isinstance(rules, UnsetType) or linked is None or table is None or linked.round == _this_round(state):
        return ()
    if not state.game.jackpot.is_collected or state.game.phase not in {RoundPhase.DEALING, RoundPhase.PLAYING}:
        return ()
    seats, count = seats_with_chips(state), len(rules.combination.ranks)
    if not is_void and not all(is_final(state, count, table, seat) for seat in seats):
        return ()
    return seats_made_of(state)


def seats_made_of(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats with a chip whose known first cards make the linked pool's combination."""
    rules = state.setup.linked
    if isinstance(rules, UnsetType):
        return ()
    combination, count = rules.combination, len(rules.combination.ranks)
    cards = {seat: first_cards(state, seat, count) for seat in seats_with_chips(state)}
    return tuple(seat for seat, some in cards.items() if is_made_of(combination, [one for one in some if one]))


def seats_that_hit(state: BlackjackState) -> tuple[int, ...]:
    """Returns the seats whose cards must stay on the table until the linked prize is paid.

    These seats have hit the pool in this round, or will have once people agree to a correction.
    """
    linked = linked_of(state)
    if linked is None or linked.round != _this_round(state):
        return _won(state) if state.game.corrected_by else ()
    return tuple(seat for hit in linked.hits[-1:] for seat in hit.seats)


def of_linked(before: BlackjackState, after: BlackjackState) -> list[Notice]:
    """Returns notices that the floor is away or heard again, and that chips go back while the floor is away."""
    was, now = linked_of(before), linked_of(after)
    if was is None or now is None:
        return []
    if now.is_heard:
        return [] if was.is_heard else [Notice("linked-heard")]
    if was.is_away or not now.is_away:
        return []
    gone = [str(one.seat) for one in before.game.jackpot.chips if one not in after.game.jackpot.chips]
    back = [Notice("linked-chips-back", (("seats", " ".join(gone)),))] if gone else []
    return [Notice("linked-away"), *back]
