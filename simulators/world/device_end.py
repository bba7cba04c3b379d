"""The device's end of a line: carries bytes and time to a simulated device, and the device's output to the line."""

from collections.abc import Callable
from typing import Any, TypeAlias

from simulators.devices.base import SimulatedDevice
from simulators.devices.firmware import TdpFirmware
from simulators.world.clock import Alarm, VirtualClock
from simulators.world.wires import Line

Simulated: TypeAlias = TdpFirmware[Any, Any, Any]


class LineEnd:
    """Connects a device to its line: passes bytes and time to the device, and sends the device's output."""

    def __init__(self, clock: VirtualClock, line: Line, device: SimulatedDevice) -> None:
        self._clock = clock
        self._line = line
        self._talker = device
        self.alarm = Alarm(clock, self._time_has_come)
        self.on_said: Callable[[bytes], None] = lambda _: None
        line.down.deliver = self._received

    def pump(self) -> None:
        """Sends the device's output, and sets the alarm for the device's next work."""
        if data := self._talker.data_to_send():
            self._line.wake()
            self.on_said(data)
            self._line.send_up(data)
        self.set_alarm()

    def set_alarm(self) -> None:
        """Sets the alarm for the device's next work."""
        self.alarm.set(self._talker.next_time_s())

    def _received(self, data: bytes) -> None:
        self._talker.receive_data(data, self._clock.now_s)
        self.pump()

    def _time_has_come(self) -> None:
        self._talker.on_time(self._clock.now_s)
        self.pump()


class DeviceEnd(LineEnd):
    """The device's end of a line for a device with this project's firmware.

    Calls `on_change` after each visible change of the device. The line may rest while idle (quiet.py).
    """

    def __init__(self, clock: VirtualClock, line: Line, device: Simulated) -> None:
        super().__init__(clock, line, device)
        self.device = device
        self.on_change: Callable[[], None] = lambda: None  # called when its display, lamp or mouth changes visibly
        self.what_shows: Callable[[], object] = lambda: device.shown
        self.is_another = False  # another device replaces it for a while
        self.is_resting = False  # the line is at rest (quiet.py)
        self._shown: object = None

    def pump(self) -> None:
        super().pump()
        if (shows := self.what_shows()) is not self._shown:
            self._shown = shows
            self.on_change()

    def set_alarm(self) -> None:
        """Sets the alarm for the device's next work. While the line rests, sets it only for the mechanism's next
        motion.
        """
        device = self.device
        self.alarm.set(device.next_motion_s() if self.is_resting else device.next_time_s())
