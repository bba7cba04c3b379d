"""Holds back the outputs that devices may not get yet: acknowledgements, and wished states that permit something.

THE RULE (DESIGN 3.4). An output that permits leaves only after its entry is durable: the acknowledgement of a device's
event, an unlocked device, the answer to an act, the list of possible acts. An output that protects leaves at once: a
lock, a lamp, a fault on the display, a hold in the status.

So each device gets the safest of two wishes: the wish in the durable state and the wish in the latest state. It gets
its wish after each decision, and again when an entry became durable. A device that has reported an event always gets
its wish, since its driver permits no card until it knows that the controller has the report.
"""

from controller.core.house.state import State
from controller.core.house.wanted import Desired, DeviceRules, Wished, desired_by, safest_by
from controller.runtime.devices import Devices


class Settling:
    """Gives each device the safest of two wishes: the wish in the durable state and the wish in the latest state."""

    def __init__(self, devices: Devices, rules: DeviceRules) -> None:
        self._devices = devices
        self._rules = tuple(rule for rule in rules if rule.device in devices.supervisors)
        self._durable: State | None = None
        self._latest: State | None = None
        self._known: tuple[Wished, ...] = ()  # the wishes of both
        self._wish: Desired | None = None

    def settle(self, durable: State, latest: State, now_s: float, *, is_sound: bool) -> None:
        """Acknowledges the devices' events that `durable` contains, and gives each device the safest of its wishes in
        `durable` and `latest`.

        `is_sound`: False if the entries on the disk are unknown; then no event is acknowledged.
        """
        if self._wish is None or durable is not self._durable or latest is not self._latest:
            if is_sound and durable is not self._durable:
                self._devices.acknowledge(durable)
            self._durable, self._latest = durable, latest
            newest = self._wished(latest)
            permitted = newest if durable is latest else self._wished(durable)
            self._known = (permitted, newest)
            is_one = permitted is newest
            self._wish = newest.wishes if is_one else safest_by(self._rules, permitted.wishes, newest.wishes)
        self._devices.bring_about(self._wish, now_s)

    def _wished(self, state: State) -> Wished:
        """Returns the wishes for the devices in the state `state`. Keeps the last results, since each state is the
        latest first and the durable one later.
        """
        for known in self._known:
            if known.state is state:
                return known
        return Wished(state, desired_by(self._rules, state, *self._known[-1:]))
