"""Which card is owed, to whom, and whether it may be drawn now (pt.bj.10, pt.bj.17a, pt.bj.17b)."""

from dataclasses import dataclass
from functools import lru_cache

from controller.core.holds import forbidding
from controller.core.state import State
from controller.core.words import Permission, Purpose, RoundPhase, SessionPhase

BANK = 0
"""The bank's number where a seat is meant."""


@dataclass(frozen=True, slots=True)
class Owed:
    """The next card's purpose; seat 0 is the bank, None the burn."""

    purpose: Purpose
    seat: int | None


@lru_cache(maxsize=128)  # of few values, and asked several times for each card
def deal_order(seats: tuple[int, ...]) -> tuple[Owed, ...]:
    """Seats ascending then the bank, twice; the bank's second card face down (pt.bj.17a-b)."""
    players = tuple(Owed(Purpose.SEAT, seat) for seat in seats)
    return (*players, Owed(Purpose.BANK, BANK), *players, Owed(Purpose.HOLE, BANK))


def order_of(state: State) -> tuple[Owed, ...]:
    """The cards of this round's deal, in their order."""
    return deal_order(state.seats)


def next_owed(state: State) -> Owed | None:
    """The card that the procedure owes now, whatever holds may forbid; None while the last one is being joined."""
    if state.join.counted_ms is not None:
        return None
    if state.session is SessionPhase.LOADED:
        return Owed(Purpose.BURN, None) if state.burned < state.setup.parameters.burn_cards else None
    if state.session is not SessionPhase.IN_PLAY:
        return None
    if state.round is RoundPhase.DEALING:
        order = deal_order(state.seats)
        return order[len(state.dealt)] if len(state.dealt) < len(order) else None
    if state.round is RoundPhase.PLAYING and state.requested is not None:
        purpose = Purpose.BANK if state.requested == BANK else Purpose.SEAT
        return Owed(purpose, state.requested)
    return None


def may_draw(state: State) -> bool:
    """Whether the mouth may open for the card that is owed."""
    return (
        next_owed(state) is not None
        and forbidding(state, Permission.DRAW) is None
        and devices_are_ready(state)
        and not state.reader.missing  # a late identity must not meet the next card
        and not state.journal_failed
    )


def devices_are_ready(state: State) -> bool:
    """Shuffler with known counts, and the reader where the table has one, are connected."""
    status = state.shuffler.status
    shuffler_ready = state.shuffler.link.connected and status is not None and status.counts_known
    return shuffler_ready and (state.reader.link.connected or not state.setup.has_reader)
