"""Facts of the shuffler besides its counts: jams, lid, retries, recounts."""

from controller.core.custody.books import feed_source, move
from controller.core.custody.cards_moving import follow_counts
from controller.core.custody.facts import (
    CardCountedIn,
    CardCountedOut,
    CardRetried,
    JamPathCleared,
    JamReleased,
    LidClosed,
    LidOpened,
    ShufflerJammed,
    ShufflerRecounted,
    ShufflerStarted,
)
from controller.core.custody.state import Book, CardState, CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.holds import holds_of, raise_hold, update_hold
from controller.core.house.people import chief_is_present
from controller.core.words import Device, HoldKind, HoldPhase, JamPlace, Operation, SessionPhase, TableMs

ShufflerFact = (
    CardCountedOut
    | CardCountedIn
    | ShufflerJammed
    | JamPathCleared
    | JamReleased
    | CardRetried
    | LidOpened
    | LidClosed
    | ShufflerRecounted
    | ShufflerStarted
)


def counts_moved(state: CardStateT, event: ShufflerFact, at_ms: TableMs) -> CardStateT:
    """The book follows the counts that every event of the shuffler carries."""
    return follow_counts(state, event.source, event.status, at_ms)


def card_retried(state: CardStateT, event: CardRetried, at_ms: TableMs) -> CardStateT:
    state = counts_moved(state, event, at_ms)
    return replace(
        state, house=replace(state.house, tally=replace(state.house.tally, retried=state.house.tally.retried + 1))
    )


def shuffler_jammed(state: CardStateT, event: ShufflerJammed, at_ms: TableMs) -> CardStateT:
    return jammed(counts_moved(state, event, at_ms), at_ms, event.place, event.cards)


def shuffler_opened(state: CardStateT, event: LidOpened, at_ms: TableMs) -> CardStateT:
    return lid_opened(counts_moved(state, event, at_ms), at_ms)


def jammed(state: CardStateT, at_ms: TableMs, place: JamPlace, cards: int) -> CardStateT:
    """A card jams: lamp, call, everything stops (pt.bj.51c). The stuck cards have a place of their own.

    The device numbers its jams: a status that ran ahead of the event and the event itself are one jam.
    """
    if state.house.session is not SessionPhase.CLOSED:
        state = replace(state, custody=replace(state.custody, book=_stuck(state, place, cards)))
    number = state.devices.jams_seen if state.devices.shuffler.status is None else state.devices.shuffler.status.jams
    standing = holds_of(state, HoldKind.JAM)
    if standing and number == state.devices.jams_seen:
        return update_hold(state, replace(standing[0], place=place))
    state = replace(
        state,
        devices=replace(state.devices, jams_seen=number),
        house=replace(state.house, tally=replace(state.house.tally, jams_raised=state.house.tally.jams_raised + 1)),
    )
    return raise_hold(state, HoldKind.JAM, at_ms, device=Device.SHUFFLER, place=place)


def _stuck(state: CardState, place: JamPlace, cards: int) -> Book:
    if place is JamPlace.FEED:  # not yet counted in
        source = feed_source(state) or "outside"
        return move(state.custody.book, source, "jammed_feed", min(cards, getattr(state.custody.book, source)))
    return move(state.custody.book, "inside", "jammed_inside", min(cards, state.custody.book.inside))


def lid_opened(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """Expected while a chief supervisor attends a jam or the lid; otherwise an alarm of its own (pt.bj.51d).

    Other holds do not end with a closed lid and a recount, so an opening under them is held for itself.
    """
    attended = any(
        hold.phase is HoldPhase.ATTENDED for kind in (HoldKind.JAM, HoldKind.LID) for hold in holds_of(state, kind)
    ) and chief_is_present(state, Operation.HOLD)
    if attended:
        return state
    present = "yes" if chief_is_present(state, Operation.HOLD) else "no"
    return raise_hold(state, HoldKind.LID, at_ms, device=Device.SHUFFLER, details=(("supervisor_present", present),))
