"""Facts of devices: connected, lost, replaced, events lost; the shuffler's jams, lid, retries and recounts."""

from typing import Any

from controller.core.custody.books import (
    COUNTER_SPAN,
    NOTHING_LOADED,
    NUMBER_SPAN,
    begin_anew,
    feed_source,
    followed,
    hold_for_count,
    is_older,
    move,
    numbered_from,
    status_went_back,
)
from controller.core.custody.doubt import reopened
from controller.core.custody.drawing import ShufflerFact, follow_counts
from controller.core.custody.state import Book, CardState, CardStateT, with_custody, with_shoe_game
from controller.core.engine.act import Fact, Source
from controller.core.engine.replacing import replace
from controller.core.house.facts import (
    CommandUndone,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DeviceStarted,
    EventsAwaited,
    EventsMissed,
    ShufflerStatus,
)
from controller.core.house.hold_table import hold_rule
from controller.core.house.holds import holds_of, raise_hold, update_hold
from controller.core.house.people import chief_is_present, machine_is_watched
from controller.core.house.registry import Deadline, FactRule
from controller.core.house.sign import SIGN_FACTS, with_sign_report
from controller.core.house.slots import SLOTS_FACTS, with_slots_report
from controller.core.house.state import (
    link_of,
    link_to,
    with_devices,
    with_house,
    with_link,
    with_reader,
    with_shuffler,
    with_tally,
)
from controller.core.words import (
    Device,
    HoldCause,
    HoldKind,
    HoldPhase,
    JamPlace,
    LostReason,
    Operation,
    SessionPhase,
    TableMs,
    Timer,
)

ASKED_AGAIN = 1
"""The number of failures of one command that do not hold the table yet: the device is asked again once."""


class CardCountedOut(ShufflerFact, frozen=True):
    """A card left the shuffler by its mouth."""


class CardCountedIn(ShufflerFact, frozen=True):
    """A card entered the shuffler by its feed."""


class ShufflerJammed(ShufflerFact, frozen=True):
    """A card is stuck. `cards`: the number of cards at `place`."""

    place: JamPlace
    cards: int


class JamPathCleared(ShufflerFact, frozen=True):
    """The path of the cards is free again."""


class JamReleased(ShufflerFact, frozen=True):
    """The device has left its jammed state on command."""


class CardRetried(ShufflerFact, frozen=True):
    """The shuffler freed a stuck card by itself after `tries` tries. The event is no jam, but counts for reports."""

    place: JamPlace
    tries: int


class LidOpened(ShufflerFact, frozen=True):
    """The shuffler's lid was opened."""


class LidClosed(ShufflerFact, frozen=True):
    """The shuffler's lid was closed."""


class ShufflerRecounted(ShufflerFact, frozen=True):
    """The shuffler counted the cards in its own slots, as request number `request` asked."""

    request: int
    inside: int


class ShufflerStarted(ShufflerFact, frozen=True):
    """The shuffler has started. `cause`: the reason of the start, such as power-on."""

    cause: str


class ShufflerStatusHeard(Fact, frozen=True):
    """The shuffler reported, without an event, figures that differ from the last known figures."""

    status: ShufflerStatus


def card_retried(state: CardStateT, event: CardRetried, at_ms: TableMs) -> CardStateT:
    state = follow_counts(state, event, at_ms)
    return with_tally(state, retried=state.house.tally.retried + 1)


def shuffler_jammed(state: CardStateT, event: ShufflerJammed, at_ms: TableMs) -> CardStateT:
    return jammed(follow_counts(state, event, at_ms), at_ms, event.place, event.cards)


def shuffler_opened(state: CardStateT, event: LidOpened, at_ms: TableMs) -> CardStateT:
    return lid_opened(follow_counts(state, event, at_ms), at_ms)


def jammed(state: CardStateT, at_ms: TableMs, place: JamPlace, cards: int) -> CardStateT:
    """The state with a hold for a jam. At an open table the book counts the stuck cards as jammed (pt.bj.51c)."""
    if state.house.session is not SessionPhase.CLOSED:
        state = with_custody(state, book=_stuck(state, place, cards))
    number = state.devices.jams_seen if state.devices.shuffler.status is None else state.devices.shuffler.status.jams
    standing = holds_of(state, HoldKind.JAM)
    if standing and number == state.devices.jams_seen:  # a status reported this jam before its event
        return update_hold(state, replace(standing[0], place=place))
    if not is_older(state.devices.jams_ended, number, NUMBER_SPAN):  # people ended an earlier jam, not this one
        state = with_devices(state, jams_ended=(number - 1) % NUMBER_SPAN)
    state = with_tally(with_devices(state, jams_seen=number), jams_raised=state.house.tally.jams_raised + 1)
    return raise_hold(state, HoldKind.JAM, at_ms, device=Device.SHUFFLER, place=place)


def _stuck(state: CardState, place: JamPlace, cards: int) -> Book:
    if place is JamPlace.FEED:  # the card was not counted in yet
        source = feed_source(state) or "outside"
        return move(state.custody.book, source, "jammed_feed", min(cards, getattr(state.custody.book, source)))
    return move(state.custody.book, "inside", "jammed_inside", min(cards, state.custody.book.inside))


def lid_opened(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a hold for an open lid, unless a chief supervisor attends a jam or an open lid (pt.bj.51d). The
    lid gets a hold of its own beside other holds: other holds may end without a closed lid and a recount.
    """
    is_present = chief_is_present(state, Operation.HOLD)
    attended = [h for h in state.house.holds if hold_rule(h.kind).opens_machine and h.phase is HoldPhase.ATTENDED]
    if attended and is_present:
        return state
    details = (("supervisor_present", "yes" if is_present or machine_is_watched(state) else "no"),)
    return raise_hold(state, HoldKind.LID, at_ms, device=Device.SHUFFLER, details=details)


def taken(state: CardStateT, device: Device, source: Source) -> CardStateT:
    """The state with the event `source` noted as the device's last recorded one, so that an event is recorded once."""
    return with_link(state, device, replace(link_of(state, device), boot=source.boot, taken=source.number))


def connected(state: CardStateT, event: DeviceConnected, at_ms: TableMs) -> CardStateT:
    """The state with the device connected, and its counts compared with the record.

    A hold is raised if a needed device was replaced, has restarted, has another version or has lost its count.
    """
    before = link_of(state, event.device)
    other_boot = before.boot not in {0, event.boot}
    other_device = before.serial not in {"", event.serial}
    link = link_to(event, before)
    state = with_link(state, event.device, link)
    if other_boot or other_device:
        reason = LostReason.REPLACED if other_device else LostReason.REBOOTED
        state = hold_for_device(state, event.device, reason, at_ms)
    if not (other_device or event.approved) and before.version not in {"", link.version}:
        state = _of_another_version(state, event.device, at_ms)
    if event.shuffler is not None:
        state = _shuffler_connected(state, event.shuffler, at_ms, other_device=other_device)
    if event.device is Device.SHOE and not other_device:
        state = _passages_compared(state, event, at_ms)
    if event.device is Device.SHOE and link.taken == 0:  # the reader's own figure begins anew
        state = with_reader(state, passages=event.passages, missing=0, heard=None)
    if event.device is Device.SHOE:
        state = reopened(with_reader(state, keeps_events=event.keeps_events), at_ms)
        state = _shoe_connected(state, event, at_ms, other_device=other_device)
    state = with_slots_report(with_sign_report(state, event.sign), event.slots, are_others=other_device)
    return _devices_are_here(_join_begins_anew(spare_has_come(state, event), at_ms))


def _of_another_version(state: CardStateT, device: Device, at_ms: TableMs) -> CardStateT:
    """The state with a hold until a technician attests the device's new model or firmware. Unchanged if it is not
    needed.
    """
    if device not in _needed(state):
        return state
    details = (("reason", LostReason.OTHER_VERSION.value),)
    state = raise_hold(state, HoldKind.DEVICE_LOST, at_ms, device=device, details=details)
    (hold,) = [hold for hold in holds_of(state, HoldKind.DEVICE_LOST) if hold.device is device]
    return update_hold(state, replace(hold, technician_called=True, technician=None))


def spare_has_come(state: CardStateT, event: DeviceConnected) -> CardStateT:
    """If `event` connects the awaited spare, returns the state in which no other device waits for a spare (pt.bj.51e).
    Returns `state` otherwise.
    """
    waiting = [hold for hold in state.house.holds if hold.device is event.device and hold.not_serial]
    if all(hold.not_serial == event.serial for hold in waiting):
        return state
    holds = tuple(hold if hold.device is event.device else replace(hold, not_serial="") for hold in state.house.holds)
    return with_house(state, holds=holds)


def _passages_compared(state: CardStateT, event: DeviceConnected, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a count if a needed reader's number of passages has decreased; else unchanged."""
    before, now = state.devices.reader.passages, event.passages
    if before is None or now is None or not is_older(now, before, COUNTER_SPAN) or not matters(state, Device.SHOE):
        return state
    return hold_for_count(state, at_ms, HoldCause.WENT_BACK)


def _shoe_connected(state: CardStateT, event: DeviceConnected, at_ms: TableMs, *, other_device: bool) -> CardStateT:
    """The state with a hold for a count if a loaded shoe was exchanged or has lost its count.

    Unchanged at a table with a shuffler, and for the same shoe with its count.
    """
    knows = event.passages is not None or not event.keeps_events
    if state.setup.has_shuffler or (knows and not other_device):
        return state
    state = with_shoe_game(state, filled_at=None)
    nothing_loaded = state.house.session in NOTHING_LOADED
    return state if nothing_loaded else hold_for_count(state, at_ms, HoldCause.COUNTS_UNKNOWN)


def _join_begins_anew(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state with a new time for joining a count and a reading, since the device may still report one."""
    join = state.custody.join
    if join.counted_ms is not None:
        return with_custody(state, join=replace(join, counted_ms=at_ms))
    return state if join.read_ms is None else with_custody(state, join=replace(join, read_ms=at_ms))


def _shuffler_connected(state: CardStateT, status: ShufflerStatus, at_ms: TableMs, *, other_device: bool) -> CardStateT:
    """The state with the figures of a shuffler that has connected.

    If it is another shuffler, or lost its counts while nothing is loaded, the record begins anew with these figures. A
    hold for a count is raised if cards are loaded, and the shuffler is another one or does not know its counts.
    """
    nothing_loaded = state.house.session in NOTHING_LOADED
    is_other = other_device or state.devices.shuffler.status is None
    if is_other or (nothing_loaded and not status.counts_known):
        state = _new_baseline(state, status, other_device=is_other)
    elif status_went_back(state.devices.shuffler, status):
        state = begin_anew(state, status, at_ms)
    if not nothing_loaded and (other_device or not status.counts_known):
        state = hold_for_count(state, at_ms, HoldCause.COUNTS_UNKNOWN)
    return _shown(state, status, at_ms)


def _new_baseline(state: CardStateT, status: ShufflerStatus, *, other_device: bool) -> CardStateT:
    """The state whose record of the shuffler begins anew with its present counts.

    A jam that the same shuffler still reports stays open, unless its counts have decreased.
    """
    went_back = status_went_back(state.devices.shuffler, status)
    state = with_devices(state, shuffler=followed(state.devices.shuffler, status))
    if other_device or went_back or not status.jammed:
        return numbered_from(state, status)
    seen, ended = state.devices.jams_seen, state.devices.jams_ended
    state = numbered_from(state, status)
    return with_devices(state, jams_seen=seen, jams_ended=ended)


def status_heard(state: CardStateT, event: ShufflerStatusHeard, at_ms: TableMs) -> CardStateT:
    """The state with the shuffler's new figures. If a count has decreased, the book continues from the lower count."""
    if status_went_back(state.devices.shuffler, event.status):
        state = begin_anew(state, event.status, at_ms)
    return _shown(state, event.status, at_ms)


def _shown(state: CardStateT, status: ShufflerStatus, at_ms: TableMs) -> CardStateT:
    """The state with the shuffler's figures. A hold is raised for a jam or a newly opened lid in them."""
    before = state.devices.shuffler.status
    state = with_shuffler(state, status=status)
    if status.lid_open and (before is None or not before.lid_open):
        state = lid_opened(state, at_ms)
    if status.jammed and (status.jams != state.devices.jams_seen or not holds_of(state, HoldKind.JAM)):
        return jammed(state, at_ms, JamPlace.CAROUSEL, 0)
    return state


def lost(state: CardStateT, event: DeviceLost, at_ms: TableMs) -> CardStateT:
    """The state with this device noted as disconnected, and a hold if the session needs the device."""
    state = with_link(state, event.device, replace(link_of(state, event.device), connected=False))
    return hold_for_device(state, event.device, event.reason, at_ms)


def hold_for_device(state: CardStateT, device: Device, reason: str, at_ms: TableMs) -> CardStateT:
    """The state with a hold for a lost, returned or changed device. Unchanged if the device is not needed now."""
    if not matters(state, device):
        return state
    return raise_hold(state, HoldKind.DEVICE_LOST, at_ms, device=device, details=(("reason", str(reason)),))


def refused(state: CardStateT, event: DeviceRefused, at_ms: TableMs) -> CardStateT:
    """The state in which the configured device counts as lost, since another device answers in its place."""
    return lost(state, DeviceLost(event.device, f"{event.what} {event.expected}/{event.found}"), at_ms)


def missed(state: CardStateT, event: EventsMissed, at_ms: TableMs) -> CardStateT:
    """The state after lost events. A hold for a count is raised if they may have changed the count of the cards."""
    state = with_link(state, event.device, replace(link_of(state, event.device), taken=event.last))
    if event.device is Device.SHOE:
        state = with_reader(state, passages=None)
    if state.house.session in NOTHING_LOADED or not matters(state, event.device):
        return state
    if event.device is Device.SHOE and state.house.session in {SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}:
        return state  # the shuffler counts; unread faces are found when the decks are ordered
    return hold_for_count(state, at_ms, HoldCause.EVENTS_MISSED)


def awaited(state: CardStateT, event: EventsAwaited, _at_ms: TableMs) -> CardStateT:
    """The state with the number of the device's last overdue event. Until that event comes, book and device differ."""
    return with_link(state, event.device, replace(link_of(state, event.device), awaited=event.last))


def undone(state: CardStateT, event: CommandUndone, at_ms: TableMs) -> CardStateT:
    """The state after a command that the device did not execute. A hold is raised after the second failure."""
    state = with_link(state, event.device, replace(link_of(state, event.device), undone=event.times))
    return hold_for_device(state, event.device, LostReason.DISOBEYS, at_ms) if event.times > ASKED_AGAIN else state


def devices_overdue(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """The state in which each needed device that has not connected in time after a start counts as lost."""
    state = with_devices(state, devices_due_ms=None)
    for device in _needed(state):
        if not link_of(state, device).connected:
            state = lost(state, DeviceLost(device, LostReason.NOT_FOUND.value), at_ms)
    return state


def _devices_are_here(state: CardStateT) -> CardStateT:
    here = all(link_of(state, device).connected for device in _needed(state))
    return with_devices(state, devices_due_ms=None) if here else state


def _needed(state: CardState) -> tuple[Device, ...]:
    shuffler = (Device.SHUFFLER,) if state.setup.has_shuffler else ()
    return (*shuffler, Device.SHOE) if state.setup.has_reader else shuffler


def matters(state: CardState, device: Device) -> bool:
    """True if the procedure needs the device, a shuffler or a reader, at the present step of the session."""
    over = (SessionPhase.CLOSED, SessionPhase.CHECKING)
    return state.house.session not in over and device in _needed(state)


def _device_started(state: CardStateT, event: DeviceStarted, _at_ms: TableMs) -> CardStateT:
    return with_slots_report(with_sign_report(taken(state, event.device, event.source), event.sign), event.slots)


DEVICE_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("device-connected", DeviceConnected, connected),
    FactRule("device-lost", DeviceLost, lost),
    FactRule("device-refused", DeviceRefused, refused),
    FactRule("events-missed", EventsMissed, missed),
    FactRule("events-awaited", EventsAwaited, awaited),
    FactRule("command-undone", CommandUndone, undone),
)
SHUFFLER_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("card-counted-out", CardCountedOut, follow_counts),
    FactRule("card-counted-in", CardCountedIn, follow_counts),
    FactRule("shuffler-jammed", ShufflerJammed, shuffler_jammed),
    FactRule("jam-path-cleared", JamPathCleared, follow_counts),
    FactRule("jam-released", JamReleased, follow_counts),
    FactRule("card-retried", CardRetried, card_retried),
    FactRule("lid-opened", LidOpened, shuffler_opened),
    FactRule("lid-closed", LidClosed, follow_counts),
    FactRule("shuffler-recounted", ShufflerRecounted, follow_counts),
    FactRule("shuffler-started", ShufflerStarted, follow_counts),
    FactRule("shuffler-status-heard", ShufflerStatusHeard, status_heard),
)
OTHER_DEVICE_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("device-started", DeviceStarted, _device_started),
    *SIGN_FACTS,
    *SLOTS_FACTS,
)
DEVICES_DEADLINE: Deadline[Any] = Deadline(Timer.DEVICES, lambda state: state.devices.devices_due_ms, devices_overdue)
