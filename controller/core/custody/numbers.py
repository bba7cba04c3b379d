"""The shuffler's own numbers of cards, jams and recounts never go back (PROTOCOL.md, section 9).

Where they do, another memory is behind them: what was released, ended and asked for under the old numbers means nothing
any more. They begin anew with the lower ones at once, and the table holds until people have counted.
"""

from controller.core.custody.books import COUNTER_SPAN, NUMBER_SPAN, is_older
from controller.core.custody.state import CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.facts import ShufflerStatus
from controller.core.house.holds import raise_hold
from controller.core.house.state import ShufflerKnown
from controller.core.words import HoldKind, SessionPhase, TableMs


def followed(known: ShufflerKnown, status: ShufflerStatus) -> ShufflerKnown:
    """The book has followed the shuffler's numbers up to these."""
    return replace(
        known,
        counted_in=status.cards_in,
        counted_out=status.cards_out,
        counted_jams=status.jams,
        counted_recounts=status.recounts,
    )


def event_went_back(known: ShufflerKnown, status: ShufflerStatus) -> bool:
    """Whether an event's numbers are lower than those of the event before it."""
    return (
        is_older(status.cards_in, known.counted_in, COUNTER_SPAN)
        or is_older(status.cards_out, known.counted_out, COUNTER_SPAN)
        or is_older(status.jams, known.counted_jams, NUMBER_SPAN)
        or is_older(status.recounts, known.counted_recounts, NUMBER_SPAN)
    )


def status_went_back(known: ShufflerKnown, status: ShufflerStatus) -> bool:
    """Whether the present numbers are lower than any before, which an event on its way may still tell of."""
    return event_went_back(known, status) or (
        known.status is not None and event_went_back(followed(known, known.status), status)
    )


def begin_anew(state: CardStateT, status: ShufflerStatus, at_ms: TableMs) -> CardStateT:
    """After numbers that went back. A shuffler that says itself that it has forgotten is held for that instead."""
    state = numbered_from(
        replace(state, devices=replace(state.devices, shuffler=followed(state.devices.shuffler, status))), status
    )
    if not status.counts_known:
        return state
    by_people = state.house.session is not SessionPhase.CLOSED  # then there is no deck set that they could count
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "went-back"),), needs_count=by_people)


def numbered_from(state: CardStateT, status: ShufflerStatus) -> CardStateT:
    """No jam of these numbers is seen or ended that is latched still; of recounts one is owed where counts are gone."""
    before = (status.jams - status.jammed) % NUMBER_SPAN
    owed = (status.recounts + (not status.counts_known)) % NUMBER_SPAN
    return replace(state, devices=replace(state.devices, jams_seen=before, jams_ended=before, recount_request=owed))
