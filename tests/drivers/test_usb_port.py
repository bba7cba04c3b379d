"""TDP over USB: the real port and driver on a simulated bus, unplugged and plugged in each state of the link."""

import asyncio
import os
import select
import threading
import time

import pytest
import usb.core
from loop_bench import Device, in_loop, turns

from drivers.errors import OtherDevice, PortBusy, PortError, PortLost, PortMissing, PortRefused
from drivers.events import DeviceConnected, DeviceLost, LostReason
from drivers.expected import ExpectedDevice
from drivers.open_port import open_port
from drivers.ports import READ_AT_MOST_BYTES
from drivers.tdp_driver import make_tdp_driver
from drivers.tdp_kinds import TDP_DISPLAY
from drivers.trouble import TroubleCode
from drivers.usb_name import UsbName, usb_name
from drivers.usb_port import UsbPort, open_usb
from firmware_protocols.tdp.display import DisplayApply
from simulators.devices.display import SimulatedDisplay
from tests.drivers.usb_backend import SimulatedUsb, UsbPlug
from tests.endings import HANGS_S
from tests.waiting import stopwatch, wait_for

pytestmark = pytest.mark.waits

NAME = UsbName(0x1D50, 0x60FC, "SIGN-0001")


class Echo:
    """A device that sends back its input."""

    def __init__(self) -> None:
        self._heard = b""

    def receive_data(self, data: bytes, now_s: float) -> None:
        self._heard += data

    def data_to_send(self) -> bytes:
        said, self._heard = self._heard, b""
        return said

    def next_time_s(self) -> float | None:
        return None

    def on_time(self, now_s: float) -> None:
        pass


def plug(device: object = None, serial: str = NAME.serial) -> UsbPlug:
    return UsbPlug(NAME.vendor, NAME.product, serial, device or Echo())


def hear(port: UsbPort, size: int, within_s: float = HANGS_S) -> bytes:
    heard = b""
    while len(heard) < size and select.select([port.fileno()], [], [], within_s)[0]:
        heard += port.read()
    return heard


# ---- names


@pytest.mark.parametrize("text", ["usb://1d50:60fc/SIGN-0001", "usb://1D50:60FC/SIGN-0001"])
def test_a_device_is_named_by_vendor_product_and_serial_number(text: str) -> None:
    assert usb_name(text) == NAME
    assert str(NAME) == "usb://1d50:60fc/SIGN-0001"


@pytest.mark.parametrize("text", ["usb://1d50:60fc", "usb://1d50:60fc/", "usb://001/002", "/dev/bus/usb/001/002", ""])
def test_what_names_no_device(text: str) -> None:
    assert usb_name(text) is None


# ---- opening


def test_bytes_go_both_ways_and_silence_is_nothing_special() -> None:
    port = open_usb(NAME, SimulatedUsb(plug(serial="OTHER"), plug()))
    try:
        assert port.read() == b""
        time.sleep(0.25)  # longer than the time-outs of two transfers
        assert port.read() == b""
        assert port.write(b"hello") == 5
        assert hear(port, 5) == b"hello"
        assert port.write(b"") == 0
    finally:
        port.close()
        port.close()


def test_the_kernel_s_driver_is_sent_away_and_the_handle_given_back() -> None:
    ours, other = plug(), plug(serial="OTHER")
    port = open_usb(NAME, SimulatedUsb(ours, other))
    assert not ours.kernel_driver_active
    assert other.kernel_driver_active
    assert (ours.open_handles, other.open_handles) == (1, 0)
    port.close()
    assert ours.open_handles == 0


def away(ours: UsbPlug) -> None:
    ours.unplug()


def claimed(ours: UsbPlug) -> None:
    ours.refuses_claim = True


@pytest.mark.parametrize(("spoil", "error"), [(away, PortMissing), (claimed, PortBusy)])
def test_what_cannot_be_opened_is_named_and_left_clean(spoil: object, error: type[PortError]) -> None:
    ours = plug()
    spoil(ours)
    with pytest.raises(error) as raised:
        open_usb(NAME, SimulatedUsb(ours, plug(serial="OTHER\x1b")))
    assert raised.value.path == str(NAME)
    assert ours.open_handles == 0
    if error is PortMissing:
        assert isinstance(raised.value, OtherDevice)
        assert raised.value.found == "OTHER?", "the device chose it, and a terminal obeys such a character"


def test_two_devices_of_one_serial_number_are_refused() -> None:
    with pytest.raises(PortRefused, match="serial-twice"):
        open_usb(NAME, SimulatedUsb(plug(), plug()))


def test_without_libusb_the_port_is_refused_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(usb.backend.libusb1, "get_backend", lambda: None)
    with pytest.raises(PortRefused, match="libusb"):
        open_port(str(NAME))


def test_a_device_without_bulk_endpoints_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.drivers.usb_backend._BULK", 0x03)  # interrupt
    with pytest.raises(PortRefused, match="bulk"):
        open_usb(NAME, SimulatedUsb(plug()))


# ---- unplugging


def test_a_pulled_plug_is_a_lost_port_with_its_number() -> None:
    ours = plug()
    port = open_usb(NAME, SimulatedUsb(ours))
    try:
        port.write(b"last words")
        assert hear(port, 10) == b"last words"
        ours.unplug()
        assert select.select([port.fileno()], [], [], HANGS_S)[0]
        with pytest.raises(PortLost, match="ENODEV"):
            port.read()
    finally:
        port.close()
    assert ours.open_handles == 0


def test_what_was_said_before_the_plug_was_pulled_is_still_heard() -> None:
    ours = plug()
    port = open_usb(NAME, SimulatedUsb(ours))
    try:
        port.write(b"x" * 200)
        wait_for(lambda: ours.transfers >= 3)
        assert hear(port, 1)[:1] == b"x"
    finally:
        port.close()


def test_a_device_that_takes_nothing_holds_the_writer_back_and_costs_no_memory() -> None:
    """With a device that takes nothing the socket fills up: the loop waits for room without polling."""
    ours = plug()
    ours.takes_nothing = True
    port = open_usb(NAME, SimulatedUsb(ours))
    try:
        taken = 0
        while count := port.write(b"y" * 4096):
            taken += count
        assert 4096 <= taken <= 256 * 1024
        assert select.select([], [port.fileno()], [], 0)[1] == []
        with ours.changed:
            ours.takes_nothing = False
            ours.changed.notify_all()
        assert len(hear(port, taken)) == taken
        assert select.select([], [port.fileno()], [], HANGS_S)[1] == [port.fileno()]
    finally:
        port.close()


def test_a_flood_is_read_in_bounded_pieces() -> None:
    ours = plug()
    port = open_usb(NAME, SimulatedUsb(ours))
    try:
        ours.call(lambda now_s: ours.device.receive_data(b"z" * 100_000, now_s))
        heard = 0
        while heard < 100_000:
            assert select.select([port.fileno()], [], [], HANGS_S)[0]
            piece = port.read()
            assert len(piece) <= READ_AT_MOST_BYTES
            heard += len(piece)
    finally:
        port.close()


def test_closing_while_both_threads_are_busy_leaves_neither() -> None:
    ours = plug()
    port = open_usb(NAME, SimulatedUsb(ours))
    while port.write(b"w" * 4096):
        pass
    took_s = stopwatch()
    port.close()
    assert took_s() < 1.5
    assert not [thread for thread in threading.enumerate() if str(NAME) in thread.name]


# ---- a whole link


class UsbSign(Device):
    """A supervised display on a simulated bus."""

    def __init__(self) -> None:
        self.sign = SimulatedDisplay(now_s=time.monotonic(), serial=NAME.serial)
        self.plug = plug(self.sign)
        expected = ExpectedDevice(TDP_DISPLAY, simulated=True, serial=NAME.serial)
        super().__init__(str(NAME), make_tdp_driver(expected, start_number=1, committed=lambda: (0, 0)))

    def _open(self) -> UsbPort:
        return open_usb(NAME, SimulatedUsb(self.plug))

    def links(self) -> list[str]:
        return [type(event).__name__ for event in self.happened if isinstance(event, DeviceConnected | DeviceLost)]

    def show(self, cents: int) -> None:
        self.supervisor.apply(DisplayApply(cents), asyncio.get_running_loop().time())
        self.shell.pump()


@in_loop
async def test_a_display_over_usb_shows_what_it_should() -> None:
    device = UsbSign()
    device.show(1_250)
    device.shell.start()
    await device.until(lambda: device.sign.shown_cents == 1_250)
    await device.shell.stop()
    assert device.plug.open_handles == 0


@pytest.mark.parametrize("after_ms", [0, 1, 3, 10, 30, 150])
@in_loop
async def test_pulled_at_any_moment_of_the_hand_shake_and_put_back(after_ms: int) -> None:
    device = UsbSign()
    device.show(700)
    device.shell.start()
    await asyncio.sleep(after_ms / 1000)
    device.plug.unplug()
    await device.until(lambda: device.supervisor.trouble is not None)
    was_connected = "DeviceConnected" in device.links()
    device.plug.plug()
    await device.until(lambda: device.supervisor.connected and device.sign.shown_cents == 700)
    assert device.links() == (["DeviceConnected", "DeviceLost"] if was_connected else []) + ["DeviceConnected"]
    await device.shell.stop()


@in_loop
async def test_pulled_while_a_command_is_out_one_lost_one_connected_and_the_state_compared_again() -> None:
    device = UsbSign()
    device.show(100)
    device.shell.start()
    await device.until(lambda: device.sign.shown_cents == 100)
    device.plug.takes_nothing = True
    device.show(200)
    device.plug.unplug()
    await device.until_lost()
    lost = next(event for event in device.happened if isinstance(event, DeviceLost))
    assert (lost.reason, lost.command_unknown) == (LostReason.PORT_LOST, True)
    assert device.supervisor.trouble is not None
    device.plug.takes_nothing = False
    device.plug.plug()
    await device.until(lambda: device.sign.shown_cents == 200)
    assert device.links() == ["DeviceConnected", "DeviceLost", "DeviceConnected"]
    await device.shell.stop()


@in_loop
async def test_away_for_long_costs_no_turns_and_leaves_no_thread() -> None:
    device = UsbSign()
    device.shell.start()
    await device.until_connected()
    device.plug.unplug()
    await device.until_lost()
    before, began_s = turns(), time.process_time()
    await asyncio.sleep(1.0)  # the measure itself
    assert turns() - before < 60
    assert time.process_time() - began_s < 0.5
    assert device.supervisor.trouble is not None
    assert device.supervisor.trouble.code in {TroubleCode.PORT_LOST, TroubleCode.PORT_MISSING}
    assert not [thread for thread in threading.enumerate() if str(NAME) in thread.name]
    await device.shell.stop()


@in_loop
async def test_another_serial_number_in_the_same_socket_is_not_taken() -> None:
    device = UsbSign()
    device.plug.serial = "SIGN-0002"
    device.shell.start()
    await device.until(lambda: device.supervisor.trouble is not None)
    trouble = device.supervisor.trouble
    assert trouble is not None
    assert (trouble.code, trouble.expected, trouble.found) == (TroubleCode.WRONG_DEVICE, str(NAME), "SIGN-0002")
    assert "SIGN-0002" in trouble.detail
    await device.shell.stop()
    assert device.links() == []


def test_descriptors_of_many_openings_are_all_given_back() -> None:
    ours, before = plug(), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for _ in range(20):
        open_usb(NAME, SimulatedUsb(ours)).close()
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert ours.open_handles == 0
