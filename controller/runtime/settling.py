"""The rule that no permission leaves too early, applied to devices: to acknowledgements and wished states.

THE RULE (DESIGN 3.4). An output that permits leaves only after its entry is durable: the acknowledgement of a device's
event, an unlocked device, the answer to an act, the list of possible acts. An output that protects leaves at once: a
lock, a lamp, a fault on the display, a hold in the status. So each device gets the `safest` of the wishes of the
durable and the latest state, after each decision and again whenever an entry became durable. A device that has reported
an event always gets its wish: its driver permits no card until it knows that the report was taken.
"""

from controller.core.house.state import State
from controller.core.house.wanted import Desired, DeviceRules, desired_by, safest_by
from controller.runtime.devices import Devices


class Settling:
    """Gives the devices the wishes that follow from the durable and the latest state."""

    def __init__(self, devices: Devices, rules: DeviceRules) -> None:
        self._devices = devices
        self._rules = tuple(rule for rule in rules if rule.device in devices.supervisors)
        self._durable: State | None = None
        self._latest: State | None = None
        self._wish: Desired | None = None
        self._wanted: tuple[tuple[State, Desired], ...] = ()  # the last two states, each with its wishes

    def settle(self, durable: State, latest: State, now_s: float, *, is_sound: bool) -> None:
        """Acknowledges durable events, if `is_sound`, and gives the devices their wishes.

        `is_sound` False: the contents of the medium are not known, so no device may forget an event.
        """
        if self._wish is None or durable is not self._durable or latest is not self._latest:
            if is_sound and durable is not self._durable:
                self._devices.acknowledge(durable)
            self._durable, self._latest = durable, latest
            self._wish = safest_by(self._rules, self._desired(durable), self._desired(latest))
        self._devices.bring_about(self._wish, now_s)

    def _desired(self, state: State) -> Desired:
        """The wishes for the devices in this state, computed once: a state is first the latest and then durable."""
        for known, wanted in self._wanted:
            if known is state:
                return wanted
        self._wanted = (*self._wanted[-1:], (state, desired_by(self._rules, state)))
        return self._wanted[-1][1]
