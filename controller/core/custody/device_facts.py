"""Facts of any device: it came, it went, it was another one, some of its events are gone."""

from controller.core.custody.books import COUNTER_SPAN, NOTHING_LOADED, is_older
from controller.core.custody.facts import ShufflerStatusHeard
from controller.core.custody.numbers import begin_anew, followed, numbered_from, status_went_back
from controller.core.custody.shuffler_facts import jammed, lid_opened
from controller.core.custody.state import CardState, CardStateT
from controller.core.engine.fact import Source
from controller.core.engine.replacing import replace
from controller.core.house.facts import (
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    EventsAwaited,
    EventsMissed,
    ShufflerStatus,
)
from controller.core.house.holds import OTHER_VERSION, holds_of, link_of, raise_hold, update_hold
from controller.core.house.state import Link
from controller.core.words import Device, HoldKind, JamPlace, SessionPhase, TableMs


def taken(state: CardStateT, device: Device, source: Source) -> CardStateT:
    """Remembers the last event taken of a device, so that a restart takes none twice."""
    link = replace(link_of(state, device), boot=source.boot, taken=source.number)
    return _with_link(state, device, link)


def connected(state: CardStateT, event: DeviceConnected, at_ms: TableMs) -> CardStateT:
    """A device identified itself. Counts are compared; a reboot is something that the procedure sees."""
    before = link_of(state, event.device)
    other_boot = before.boot not in {0, event.boot}
    other_device = before.serial not in {"", event.serial}
    taken_before = 0 if other_boot or other_device else before.taken
    version = f"{event.model} {event.firmware}"
    link = Link(connected=True, serial=event.serial, boot=event.boot, taken=taken_before, version=version)
    state = _with_link(state, event.device, link)
    if (other_boot or other_device) and matters(state, event.device):
        reason = "replaced" if other_device else "rebooted"
        state = raise_hold(
            state,
            HoldKind.DEVICE_LOST,
            at_ms,
            device=event.device,
            details=(("reason", reason),),
        )
    if not (other_device or event.approved) and before.version not in {"", version}:
        state = _of_another_version(state, event.device, at_ms)
    if event.shuffler is not None:
        state = _shuffler_connected(state, event.shuffler, at_ms, other_device=other_device)
    if event.device is Device.SHOE and not other_device:
        state = _passages_compared(state, event, at_ms)
    if event.device is Device.SHOE and taken_before == 0:  # its figure, if it knows one, begins anew
        state = replace(
            state,
            devices=replace(
                state.devices, reader=replace(state.devices.reader, passages=event.passages, missing=0, heard=None)
            ),
        )
    if event.device is Device.SHOE:
        state = replace(
            state, devices=replace(state.devices, reader=replace(state.devices.reader, keeps_events=event.keeps_events))
        )
        state = _shoe_connected(state, event, at_ms, other_device=other_device)
    return _devices_are_here(_join_begins_anew(spare_has_come(state, event), at_ms))


def _of_another_version(state: CardStateT, device: Device, at_ms: TableMs) -> CardStateT:
    """The same serial number with other firmware, or as another model: a technician says whether it may be used."""
    if device not in _needed(state):
        return state
    state = raise_hold(state, HoldKind.DEVICE_LOST, at_ms, device=device, details=OTHER_VERSION)
    (hold,) = [hold for hold in holds_of(state, HoldKind.DEVICE_LOST) if hold.device is device]
    return update_hold(state, replace(hold, technician_called=True, technician=None))


def spare_has_come(state: CardStateT, event: DeviceConnected) -> CardStateT:
    """One spare device was ruled, and it is here: those that it does not stand for end by themselves (pt.bj.51e)."""
    waiting = [hold for hold in state.house.holds if hold.device is event.device and hold.not_serial]
    if all(hold.not_serial == event.serial for hold in waiting):
        return state
    holds = tuple(hold if hold.device is event.device else replace(hold, not_serial="") for hold in state.house.holds)
    return replace(state, house=replace(state.house, holds=holds))


def _passages_compared(state: CardStateT, event: DeviceConnected, at_ms: TableMs) -> CardStateT:
    """A reader's number of passages never goes back: one that lost it says so."""
    before, now = state.devices.reader.passages, event.passages
    if before is None or now is None or not is_older(now, before, COUNTER_SPAN) or not matters(state, Device.SHOE):
        return state
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "went-back"),), needs_count=True)


def _shoe_connected(state: CardStateT, event: DeviceConnected, at_ms: TableMs, *, other_device: bool) -> CardStateT:
    """A shoe that has forgotten its count, or another one, proves nothing of the cards in it: people count them."""
    knows = event.passages is not None or not event.keeps_events
    if state.setup.has_shuffler or (knows and not other_device):
        return state
    state = replace(state, custody=replace(state.custody, shoe_game=replace(state.custody.shoe_game, filled_at=None)))
    if state.house.session in NOTHING_LOADED:
        return state
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "counts-unknown"),), needs_count=True)


def _join_begins_anew(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """A device that was away has still to tell its half: the time for it runs from its return."""
    join = state.custody.join
    if join.counted_ms is not None:
        return replace(state, custody=replace(state.custody, join=replace(join, counted_ms=at_ms)))
    return (
        state
        if join.read_ms is None
        else replace(state, custody=replace(state.custody, join=replace(join, read_ms=at_ms)))
    )


def _shuffler_connected(state: CardStateT, status: ShufflerStatus, at_ms: TableMs, *, other_device: bool) -> CardStateT:
    """Its figures are evidence; of another machine, and of one that counts anew before a loading, a new beginning."""
    nothing_loaded, is_other = (
        state.house.session in NOTHING_LOADED,
        other_device or state.devices.shuffler.status is None,
    )
    if is_other or (nothing_loaded and not status.counts_known):
        state = _new_baseline(state, status, other_device=is_other)
    elif status_went_back(state.devices.shuffler, status):
        state = begin_anew(state, status, at_ms)
    if not nothing_loaded and (other_device or not status.counts_known):
        state = raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "counts-unknown"),), needs_count=True)
    return _shown(state, status, at_ms)


def _new_baseline(state: CardStateT, status: ShufflerStatus, *, other_device: bool) -> CardStateT:
    """What it counted before has nothing to do with this book; a jam that it shows is still for people to end."""
    went_back = status_went_back(state.devices.shuffler, status)
    state = replace(state, devices=replace(state.devices, shuffler=followed(state.devices.shuffler, status)))
    if other_device or went_back or not status.jammed:
        return numbered_from(state, status)
    seen, ended = state.devices.jams_seen, state.devices.jams_ended
    state = numbered_from(state, status)
    return replace(state, devices=replace(state.devices, jams_seen=seen, jams_ended=ended))


def status_heard(state: CardStateT, event: ShufflerStatusHeard, at_ms: TableMs) -> CardStateT:
    """Figures without an event are evidence; numbers that went back begin anew, and hold."""
    if status_went_back(state.devices.shuffler, event.status):
        state = begin_anew(state, event.status, at_ms)
    return _shown(state, event.status, at_ms)


def _shown(state: CardStateT, status: ShufflerStatus, at_ms: TableMs) -> CardStateT:
    """A jam or an open lid that figures show is one, though no event told of it."""
    before = state.devices.shuffler.status
    state = replace(state, devices=replace(state.devices, shuffler=replace(state.devices.shuffler, status=status)))
    if status.lid_open and (before is None or not before.lid_open):
        state = lid_opened(state, at_ms)
    if status.jammed and (status.jams != state.devices.jams_seen or not holds_of(state, HoldKind.JAM)):
        return jammed(state, at_ms, JamPlace.CAROUSEL, 0)
    return state


def lost(state: CardStateT, event: DeviceLost, at_ms: TableMs) -> CardStateT:
    """A device does not answer any more. In a session the table holds for it, if the procedure needs it."""
    state = _with_link(state, event.device, replace(link_of(state, event.device), connected=False))
    if not matters(state, event.device):
        return state
    return raise_hold(state, HoldKind.DEVICE_LOST, at_ms, device=event.device, details=(("reason", event.reason),))


def refused(state: CardStateT, event: DeviceRefused, at_ms: TableMs) -> CardStateT:
    """Another device than the configured one answers: the one that is needed is not there."""
    return lost(state, DeviceLost(event.device, f"{event.what} {event.expected}/{event.found}"), at_ms)


def missed(state: CardStateT, event: EventsMissed, at_ms: TableMs) -> CardStateT:
    """Events are gone: what the shuffler's counts cannot prove, people count."""
    state = _with_link(state, event.device, replace(link_of(state, event.device), taken=event.last))
    if event.device is Device.SHOE:
        state = replace(state, devices=replace(state.devices, reader=replace(state.devices.reader, passages=None)))
    if state.house.session in NOTHING_LOADED or not matters(state, event.device):
        return state
    if event.device is Device.SHOE and state.house.session in {SessionPhase.TAKING_OUT, SessionPhase.UNLOADING}:
        return state  # the shuffler counts; faces that nobody saw are found when the decks are ordered
    return raise_hold(state, HoldKind.COUNT, at_ms, details=(("cause", "events-missed"),), needs_count=True)


def awaited(state: CardStateT, event: EventsAwaited, _at_ms: TableMs) -> CardStateT:
    """It says that it has made events that have not come: until they do, book and device differ (books.py)."""
    link = replace(link_of(state, event.device), awaited=event.last)
    return _with_link(state, event.device, link)


def devices_overdue(state: CardStateT, at_ms: TableMs) -> CardStateT:
    """After a start, a device that should have come has not."""
    state = replace(state, devices=replace(state.devices, devices_due_ms=None))
    for device in _needed(state):
        if not link_of(state, device).connected:
            state = lost(state, DeviceLost(device, "not-found"), at_ms)
    return state


def _devices_are_here(state: CardStateT) -> CardStateT:
    here = all(link_of(state, device).connected for device in _needed(state))
    return replace(state, devices=replace(state.devices, devices_due_ms=None)) if here else state


def _needed(state: CardState) -> tuple[Device, ...]:
    shuffler = (Device.SHUFFLER,) if state.setup.has_shuffler else ()
    return (*shuffler, Device.SHOE) if state.setup.has_reader else shuffler


def matters(state: CardState, device: Device) -> bool:
    """The procedure needs this device while a session is open; the sign stops nothing."""
    over = (SessionPhase.CLOSED, SessionPhase.CHECKING)
    return state.house.session not in over and device in _needed(state)


def _with_link(state: CardStateT, device: Device, link: Link) -> CardStateT:
    match device:
        case Device.SHUFFLER:
            return replace(state, devices=replace(state.devices, shuffler=replace(state.devices.shuffler, link=link)))
        case Device.SHOE:
            return replace(state, devices=replace(state.devices, reader=replace(state.devices.reader, link=link)))
        case Device.JACKPOT_DISPLAY:
            return replace(state, devices=replace(state.devices, display=replace(state.devices.display, link=link)))
