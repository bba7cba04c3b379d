"""Facts of cards and of the devices that tell of them: one row per fact."""

from typing import Any

from controller.core.custody import device_facts as devices
from controller.core.custody import facts as e
from controller.core.custody import reader_facts as reader
from controller.core.custody import shuffler_facts as shuffler
from controller.core.custody import unkept
from controller.core.custody.shoe_game import warning_card_out
from controller.core.custody.state import CardStateT
from controller.core.house import controller_facts as controller
from controller.core.house import facts as he
from controller.core.house.registry import FactRule
from controller.core.words import Device, TableMs


def _started(state: CardStateT, event: he.ControllerStarted, at_ms: TableMs) -> CardStateT:
    return unkept.started(controller.started(state, event, at_ms), event, at_ms)


def _reader_noted(state: CardStateT, event: e.ReaderNoted, at_ms: TableMs) -> CardStateT:
    state = devices.taken(state, Device.SHOE, event.source)
    is_warning_card = event.what == "cut-card" and not state.setup.has_shuffler
    return warning_card_out(state, at_ms) if is_warning_card else state


def _of_the_reader(state: CardStateT, event: e.ReaderErrorRaised | e.ReaderErrorCleared, _at_ms: TableMs) -> CardStateT:
    return devices.taken(state, Device.SHOE, event.source)


def _device_started(state: CardStateT, event: he.DeviceStarted, _at_ms: TableMs) -> CardStateT:
    return devices.taken(state, event.device, event.source)


def _display_faulted(state: CardStateT, event: he.DisplayFaulted, _at_ms: TableMs) -> CardStateT:
    return devices.taken(state, Device.JACKPOT_DISPLAY, event.source)


CUSTODY_FACTS: tuple[FactRule[Any, Any], ...] = (
    FactRule("controller-started", he.ControllerStarted, _started),
    FactRule("device-connected", he.DeviceConnected, devices.connected),
    FactRule("device-lost", he.DeviceLost, devices.lost),
    FactRule("device-refused", he.DeviceRefused, devices.refused),
    FactRule("events-missed", he.EventsMissed, devices.missed),
    FactRule("events-awaited", he.EventsAwaited, devices.awaited),
    FactRule("cards-may-have-passed", e.CardsMayHavePassed, unkept.cards_may_have_passed),
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
    FactRule("card-read", e.CardRead, reader.card_read),
    FactRule("reader-status-heard", e.ReaderStatusHeard, reader.reader_heard),
    FactRule("reader-error-raised", e.ReaderErrorRaised, _of_the_reader),
    FactRule("reader-error-cleared", e.ReaderErrorCleared, _of_the_reader),
    FactRule("reader-noted", e.ReaderNoted, _reader_noted),
    FactRule("reader-restarted", e.ReaderRestarted, unkept.reader_restarted),
    FactRule("card-reversed", e.CardReversed, unkept.card_reversed),
    FactRule("preset-changed", e.PresetChanged, unkept.preset_changed),
    FactRule("device-started", he.DeviceStarted, _device_started),
    FactRule("display-faulted", he.DisplayFaulted, _display_faulted),
)
