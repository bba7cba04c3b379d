"""The rule that nothing permits too early, applied to the devices: what they may forget, and what they are told.

THE RULE (DESIGN 3.4). What permits leaves only after the entry behind it is durable: the acknowledgement of a device's
event, an unlocked device, the answer to an act, the list of what may be done next. What protects leaves at once: a
lock, a lamp, a fault on the display, a hold in the status. So the devices are told the `safest` of what the durable
state and the latest state want, after each decision and again whenever something became durable. A device that has
reported anything is told in any case: its driver permits nothing until it knows that the report was taken.
"""

from controller.core.house.state import State
from controller.core.house.wanted import Desired, DeviceRules, desired_by, safest_by
from controller.runtime.devices import Devices


class Settling:
    """Tells the devices what follows from the two states, thought out once for each pair of them."""

    def __init__(self, devices: Devices, rules: DeviceRules) -> None:
        self._devices = devices
        self._rules = tuple(rule for rule in rules if rule.device in devices.supervisors)
        self._durable: State | None = None
        self._latest: State | None = None
        self._wish: Desired | None = None
        self._wanted: tuple[tuple[State, Desired], ...] = ()  # of the last two states that were asked about

    def settle(self, durable: State, latest: State, now_s: float, *, is_sound: bool) -> None:
        """Not `is_sound`: nobody knows what the medium has, so no device may forget anything."""
        if self._wish is None or durable is not self._durable or latest is not self._latest:
            if is_sound and durable is not self._durable:
                self._devices.acknowledge(durable)
            self._durable, self._latest = durable, latest
            self._wish = safest_by(self._rules, self._desired(durable), self._desired(latest))
        self._devices.bring_about(self._wish, now_s)

    def _desired(self, state: State) -> Desired:
        """A state's wishes for the devices, worked out once: it is the latest first and durable after."""
        for known, wanted in self._wanted:
            if known is state:
                return wanted
        self._wanted = (*self._wanted[-1:], (state, desired_by(self._rules, state)))
        return self._wanted[-1][1]
