"""Facts of a reader whose wire keeps nothing: what nobody heard is not told again, and its game is not the table's.

DESIGN 3.4: our restart, time without the port or a gap in the numbering is an event of its own. Where the shuffler's
counter proves how many cards came out, a card without an identity is an unread card and nothing else is to be done;
otherwise the table holds until people have counted.
"""

from controller.core.custody.books import NOTHING_LOADED
from controller.core.custody.device_facts import matters, taken
from controller.core.custody.facts import CardReversed, CardsMayHavePassed, PresetChanged, ReaderRestarted
from controller.core.custody.outage import after_sealing, interrupted
from controller.core.custody.owed import next_owed
from controller.core.custody.state import CardState, CardStateT
from controller.core.engine.replacing import replace
from controller.core.house.facts import ControllerStarted
from controller.core.house.holds import raise_hold
from controller.core.words import Device, HoldKind, RoundPhase, SessionPhase, TableMs


def cards_may_have_passed(state: CardStateT, event: CardsMayHavePassed, at_ms: TableMs) -> CardStateT:
    """Nobody knows what the reader would have told."""
    if state.house.session in NOTHING_LOADED or not matters(state, event.device) or _shuffler_counts(state):
        return state
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "cards-unseen"),), needs_count=True)


def after_blind_time(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """People alone say what was dealt, and nobody could be told: where a card was due, the cards are counted."""
    was_due = next_owed(state) is not None or state.game.phase in {RoundPhase.DEALING, RoundPhase.PLAYING}
    if not state.setup.is_dealt_by_word or not was_due:
        return state
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "dealt-unseen"),), needs_count=True)


def _shuffler_counts(state: CardState) -> bool:
    """Its counts are cumulative and kept: should it be away just now, they will tell when it is back."""
    status = state.devices.shuffler.status
    return state.setup.has_shuffler and status is not None and status.counts_known


def reader_restarted(state: CardStateT, event: ReaderRestarted, at_ms: TableMs) -> CardStateT:
    """The reader says that it begins anew: somebody must see why (pt.bj.51e)."""
    state = taken(state, Device.SHOE, event.source)
    return _reader_to_be_looked_at(state, "rebooted", at_ms)


def preset_changed(state: CardStateT, event: PresetChanged, at_ms: TableMs) -> CardStateT:
    """Nobody changes a reader's settings during a session."""
    state = taken(state, Device.SHOE, event.source)
    return _reader_to_be_looked_at(state, "preset-changed", at_ms)


def card_reversed(state: CardStateT, event: CardReversed, at_ms: TableMs) -> CardStateT:
    """A card was moved backwards past the reader: where it is now, people must see."""
    state = taken(state, Device.SHOE, event.source)
    if state.house.session in NOTHING_LOADED or not matters(state, Device.SHOE):
        return state
    details = (("cause", "reversed"),)
    return raise_hold(state, HoldKind.UNEXPECTED_CARD, at_ms, device=Device.SHOE, details=details, needs_count=True)


def _reader_to_be_looked_at(state: CardStateT, reason: str, at_ms: TableMs) -> CardStateT:
    if not matters(state, Device.SHOE):
        return state
    return raise_hold(state, HoldKind.DEVICE_LOST, at_ms, device=Device.SHOE, details=(("reason", reason),))


def started(state: CardStateT, event: ControllerStarted, at_ms: TableMs) -> CardStateT:
    """What a start means to the cards: a round may have gone on, cards may have passed, entries may be lost."""
    state = after_sealing(interrupted(state, at_ms), event.findings, at_ms)
    state = after_blind_time(state, at_ms)
    return _fresh_book(state) if state.house.session is SessionPhase.CLOSED else state


def _fresh_book(state: CardStateT) -> CardStateT:
    elsewhere = state.custody.book.total - state.custody.book.outside
    return replace(
        state,
        custody=replace(state.custody, book=replace(state.custody.book, outside=max(0, state.setup.cards - elsewhere))),
    )
