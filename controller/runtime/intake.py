"""What of the devices' reports the table has not heard yet, as facts; the faces of cards sealed on the way."""

from controller.core import events
from controller.core.events import Fact, ShufflerStatus
from controller.core.state import State
from controller.core.words import Device
from controller.runtime.cards import Faces
from controller.runtime.devices import link_of
from controller.translate import translate
from drivers.events import DisplayReported, DriverEvent, ShoeReported, ShufflerReported, StatusHeard


class Intake:
    """Turns a device's report into a fact, or into nothing where it says nothing new."""

    def __init__(self, faces: Faces) -> None:
        self._faces = faces
        self._figures: ShufflerStatus | None = None  # the last that the core was given

    def fact(self, device: Device, event: DriverEvent, state: State) -> Fact | None:
        """The fact that `event` is for a table in `state`."""
        if _is_taken(device, event, state) or _runs_ahead(device, event, state):
            return None
        fact = translate(device, event, lambda byte: self._faces.identify(byte, state))
        if isinstance(fact, events.ShufflerStatusHeard) and fact.status == self._figures:
            return None
        if isinstance(fact, events.ReaderStatusHeard) and not state.reader.missing:
            return None  # of interest only while the table waits for what the reader may still have to tell
        self._figures = _figures_in(fact) or self._figures
        return fact


def _is_taken(device: Device, event: DriverEvent, state: State) -> bool:
    """Whether the table has this event already: a device sends again what was not acknowledged."""
    if not isinstance(event, ShufflerReported | ShoeReported | DisplayReported):
        return False
    link = link_of(state, device)
    return event.boot == link.boot and event.number <= link.taken


def _runs_ahead(device: Device, event: DriverEvent, state: State) -> bool:
    """Whether these figures tell of events still on their way, which will bring them."""
    return isinstance(event, StatusHeard) and event.newest_event > link_of(state, device).taken


def _figures_in(fact: Fact | None) -> ShufflerStatus | None:
    """The shuffler's figures that a fact brings to the core, if it does."""
    found = fact.shuffler if isinstance(fact, events.DeviceConnected) else getattr(fact, "status", None)
    return found if isinstance(found, ShufflerStatus) else None
