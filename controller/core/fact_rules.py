"""Every fact: its name in the journal, its struct, and what it does to the table. One row per fact."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeAlias, TypeVar

from controller.core import events as e
from controller.core.custody import device_facts as devices
from controller.core.custody import reader_facts as reader
from controller.core.custody import shuffler_facts as shuffler
from controller.core.custody import unkept
from controller.core.custody.shoe_game import warning_card_out
from controller.core.deadlines import timer_fired
from controller.core.house import controller_facts as controller
from controller.core.state import State
from controller.core.words import Device, TableMs

FactT = TypeVar("FactT", bound=e.Fact)
Meaning: TypeAlias = Callable[[State, FactT, TableMs], State]


@dataclass(frozen=True, slots=True)
class FactRule(Generic[FactT]):
    """One fact, whole. A fact is always taken: `effect` gives the state after it."""

    name: str
    fact: type[FactT]
    effect: Meaning[FactT]


def _noted(state: State, _event: e.Fact, _at_ms: TableMs) -> State:
    """Recorded, and changes nothing."""
    return state


def _started(state: State, event: e.ControllerStarted, at_ms: TableMs) -> State:
    return unkept.started(controller.started(state, event, at_ms), event, at_ms)


def _reader_noted(state: State, event: e.ReaderNoted, at_ms: TableMs) -> State:
    state = devices.taken(state, Device.SHOE, event.source)
    is_warning_card = event.what == "cut-card" and not state.setup.has_shuffler
    return warning_card_out(state, at_ms) if is_warning_card else state


def _of_the_reader(state: State, event: e.ReaderErrorRaised | e.ReaderErrorCleared, _at_ms: TableMs) -> State:
    return devices.taken(state, Device.SHOE, event.source)


def _device_started(state: State, event: e.DeviceStarted, _at_ms: TableMs) -> State:
    return devices.taken(state, event.device, event.source)


def _display_faulted(state: State, event: e.DisplayFaulted, _at_ms: TableMs) -> State:
    return devices.taken(state, Device.JACKPOT_DISPLAY, event.source)


FACT_RULES: Final[tuple[FactRule[Any], ...]] = (
    # the controller itself
    FactRule("controller-started", e.ControllerStarted, _started),
    FactRule("controller-stopped", e.ControllerStopped, _noted),
    FactRule("timer-fired", e.TimerFired, timer_fired),
    FactRule("journal-failed", e.JournalFailed, controller.journal_failed),
    FactRule("journal-restored", e.JournalRestored, controller.journal_restored),
    # any device
    FactRule("device-connected", e.DeviceConnected, devices.connected),
    FactRule("device-lost", e.DeviceLost, devices.lost),
    FactRule("device-refused", e.DeviceRefused, devices.refused),
    FactRule("events-missed", e.EventsMissed, devices.missed),
    FactRule("events-awaited", e.EventsAwaited, devices.awaited),
    FactRule("cards-may-have-passed", e.CardsMayHavePassed, unkept.cards_may_have_passed),
    # people
    FactRule("person-removed", e.PersonRemoved, controller.person_removed),
    FactRule("duty-arose", e.DutyArose, controller.duty_arose),
    # shuffler
    FactRule("card-counted-out", e.CardCountedOut, shuffler.counts_moved),
    FactRule("card-counted-in", e.CardCountedIn, shuffler.counts_moved),
    FactRule("shuffler-jammed", e.ShufflerJammed, shuffler.shuffler_jammed),
    FactRule("jam-path-cleared", e.JamPathCleared, shuffler.counts_moved),
    FactRule("jam-released", e.JamReleased, shuffler.counts_moved),
    FactRule("card-retried", e.CardRetried, shuffler.card_retried),
    FactRule("lid-opened", e.LidOpened, shuffler.shuffler_opened),
    FactRule("lid-closed", e.LidClosed, shuffler.counts_moved),
    FactRule("shuffler-recounted", e.ShufflerRecounted, shuffler.counts_moved),
    FactRule("shuffler-started", e.ShufflerStarted, shuffler.counts_moved),
    FactRule("shuffler-status-heard", e.ShufflerStatusHeard, devices.status_heard),
    # reader
    FactRule("card-read", e.CardRead, reader.card_read),
    FactRule("reader-status-heard", e.ReaderStatusHeard, reader.reader_heard),
    FactRule("reader-error-raised", e.ReaderErrorRaised, _of_the_reader),
    FactRule("reader-error-cleared", e.ReaderErrorCleared, _of_the_reader),
    FactRule("reader-noted", e.ReaderNoted, _reader_noted),
    FactRule("reader-restarted", e.ReaderRestarted, unkept.reader_restarted),
    FactRule("card-reversed", e.CardReversed, unkept.card_reversed),
    FactRule("preset-changed", e.PresetChanged, unkept.preset_changed),
    FactRule("device-started", e.DeviceStarted, _device_started),
    # display
    FactRule("display-faulted", e.DisplayFaulted, _display_faulted),
)

FACTS: Final = {rule.name: rule.fact for rule in FACT_RULES}
"""The facts by the names that the journal gives them."""

_BY_FACT: Final = {rule.fact: rule for rule in FACT_RULES}


def happened(state: State, event: e.Fact, at_ms: TableMs) -> State:
    """The state after a fact."""
    return _BY_FACT[type(event)].effect(state, event, at_ms)
