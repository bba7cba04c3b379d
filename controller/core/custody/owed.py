"""Which card is owed, and whether it may be drawn now (pt.bj.10, pt.bj.17a)."""

from controller.core.custody.game import BURN, Owed, game_of
from controller.core.custody.state import CardState
from controller.core.house.holds import forbidding
from controller.core.setup import Setup
from controller.core.words import Permission, Purpose, SessionPhase


def next_owed(state: CardState) -> Owed | None:
    """The card that the procedure owes now, whatever holds may forbid; None while the last one is being joined."""
    if state.custody.join.counted_ms is not None:
        return None
    if state.house.session is SessionPhase.LOADED:
        return BURN if state.custody.burned < burns_at_start(state.setup) else None
    return game_of(state).owed(state) if state.house.session is SessionPhase.IN_PLAY else None


def burns_at_start(setup: Setup) -> int:
    """Cards burnt after a loading (pt.bj.10; mo.4.1.1 and mo.4.1.2: one for each deck, or one)."""
    return setup.decks if setup.procedure.burn_each_deck else setup.parameters.burn_cards


def lies_face_up(state: CardState, purpose: Purpose) -> bool:
    """Whether a card that was owed for this lies open."""
    return game_of(state).lies_face_up(state, purpose)


def may_draw(state: CardState) -> bool:
    """Whether the mouth may open for the card that is owed."""
    return (
        next_owed(state) is not None
        and forbidding(state, Permission.DRAW) is None
        and devices_are_ready(state)
        and not state.devices.reader.missing  # a late identity must not meet the next card
        and not state.house.journal_failed
    )


def devices_are_ready(state: CardState) -> bool:
    """Shuffler with known counts, and the reader where the table has one, are connected."""
    status = state.devices.shuffler.status
    shuffler_ready = not state.setup.has_shuffler or (
        state.devices.shuffler.link.connected and status is not None and status.counts_known
    )
    return shuffler_ready and (state.devices.reader.link.connected or not state.setup.has_reader)
