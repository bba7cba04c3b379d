"""Simulated USB devices as a backend of pyusb: the production driver runs unchanged and without libusb.

A simulated device works only during the reads and writes of its plug, so that no thread is needed. A pulled plug ends
every transfer with errno 19; a handle that was opened before stays dead after the plug is put in again.
"""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, Final

import usb.backend
import usb.core

from simulators.devices.base import SimulatedDevice

BULK_IN: Final = 0x81
BULK_OUT: Final = 0x02
INTERFACE: Final = 0
_CONFIGURATION: Final = 1
_BULK: Final = 0x02
_SERIAL_INDEX: Final = 3
_GET_DESCRIPTOR: Final = 6
_ENGLISH: Final = 0x0409
PACKET_BYTES: Final = 64
INBOUND_BYTES: Final = 256  # the device's buffer before it lets the host wait


class UsbPlug:
    """One simulated USB device and its plug. All methods may be called from any thread."""

    def __init__(self, vendor: int, product: int, serial: str, device: SimulatedDevice) -> None:
        self.vendor = vendor
        self.product = product
        self.serial = serial
        self.device = device
        self.kernel_driver_active = True
        self.refuses_claim = False  # True: another program has claimed the device
        self.takes_nothing = False  # True: the endpoint is full, and writes time out
        self.is_plugged = True
        self.generation = 1
        self.open_handles = 0
        self.transfers = 0
        self.unread = b""
        self.changed = threading.Condition()

    def unplug(self) -> None:
        """Pulls the plug. Bytes on the way are lost. The device keeps its state; its timers run on only at the first
        read after the plug is put in again.
        """
        with self.changed:
            self.is_plugged = False
            self.generation += 1
            self.device.data_to_send()
            self.unread = b""
            self.changed.notify_all()

    def plug(self) -> None:
        """Puts the plug in again; the kernel's own driver claims the device first, as on a real computer."""
        with self.changed:
            self.is_plugged, self.kernel_driver_active = True, True
            self.changed.notify_all()

    def call(self, hands: Callable[[float], None]) -> None:
        """Calls `hands` with the monotonic time in seconds, while no transfer touches the device."""
        with self.changed:
            hands(time.monotonic())
            self.changed.notify_all()


@dataclass(slots=True)
class _Handle:
    plug: UsbPlug
    generation: int
    claimed: set[int] = field(default_factory=set)


def _gone() -> usb.core.USBError:
    return usb.core.USBError("No such device (it may have been disconnected)", -4, errno.ENODEV)


def _timed_out() -> usb.core.USBError:
    return usb.core.USBTimeoutError("Operation timed out", -7, errno.ETIMEDOUT)


class SimulatedUsb(usb.backend.IBackend):  # type: ignore[misc]  # pyusb is untyped
    """A simulated USB bus with these plugs, as a backend of pyusb (`IBackend`)."""

    def __init__(self, *plugs: UsbPlug) -> None:
        self.plugs = plugs

    def enumerate_devices(self) -> Iterator[UsbPlug]:
        return iter([plug for plug in self.plugs if plug.is_plugged])

    def get_parent(self, dev: UsbPlug) -> None:
        """Returns None, since no hub is simulated."""

    def get_device_descriptor(self, dev: UsbPlug) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=18, bDescriptorType=1, bcdUSB=0x200, bDeviceClass=0, bDeviceSubClass=0, bDeviceProtocol=0,
            bMaxPacketSize0=64, idVendor=dev.vendor, idProduct=dev.product, bcdDevice=0x100, iManufacturer=0,
            iProduct=0, iSerialNumber=_SERIAL_INDEX, bNumConfigurations=1, address=dev.generation, bus=1,
            port_number=1, port_numbers=(1,), speed=3,
        )  # fmt: skip

    def get_configuration_descriptor(self, _dev: UsbPlug, config: int) -> SimpleNamespace:
        if config:
            raise IndexError(config)
        return SimpleNamespace(
            bLength=9, bDescriptorType=2, wTotalLength=32, bNumInterfaces=1, bConfigurationValue=_CONFIGURATION,
            iConfiguration=0, bmAttributes=0x80, bMaxPower=50, extra_descriptors=[],
        )  # fmt: skip

    def get_interface_descriptor(self, _dev: UsbPlug, intf: int, alt: int, _config: int) -> SimpleNamespace:
        if intf or alt:
            raise IndexError((intf, alt))
        return SimpleNamespace(
            bLength=9, bDescriptorType=4, bInterfaceNumber=INTERFACE, bAlternateSetting=0, bNumEndpoints=2,
            bInterfaceClass=0xFF, bInterfaceSubClass=0, bInterfaceProtocol=0, iInterface=0, extra_descriptors=[],
        )  # fmt: skip

    def get_endpoint_descriptor(self, _dev: UsbPlug, ep: int, _intf: int, _alt: int, _config: int) -> SimpleNamespace:
        return SimpleNamespace(
            bLength=7, bDescriptorType=5, bEndpointAddress=(BULK_IN, BULK_OUT)[ep], bmAttributes=_BULK,
            wMaxPacketSize=PACKET_BYTES, bInterval=0, bRefresh=0, bSynchAddress=0, extra_descriptors=[],
        )  # fmt: skip

    def open_device(self, dev: UsbPlug) -> _Handle:
        with dev.changed:
            if not dev.is_plugged:
                raise _gone()
            dev.open_handles += 1
            return _Handle(dev, dev.generation)

    def close_device(self, dev_handle: _Handle) -> None:
        with dev_handle.plug.changed:
            dev_handle.plug.open_handles -= 1

    def set_configuration(self, dev_handle: _Handle, _config_value: int) -> None:
        self._alive(dev_handle)

    def get_configuration(self, dev_handle: _Handle) -> int:
        self._alive(dev_handle)
        return _CONFIGURATION

    def is_kernel_driver_active(self, dev_handle: _Handle, _intf: int) -> bool:
        return self._alive(dev_handle).kernel_driver_active

    def detach_kernel_driver(self, dev_handle: _Handle, _intf: int) -> None:
        self._alive(dev_handle).kernel_driver_active = False

    def claim_interface(self, dev_handle: _Handle, intf: int) -> None:
        plug = self._alive(dev_handle)
        if plug.kernel_driver_active or plug.refuses_claim:
            raise usb.core.USBError("Resource busy", -6, errno.EBUSY)
        dev_handle.claimed.add(intf)

    def release_interface(self, dev_handle: _Handle, intf: int) -> None:
        self._alive(dev_handle)
        dev_handle.claimed.discard(intf)

    def ctrl_transfer(
        self,
        dev_handle: _Handle,
        _bmRequestType: int,  # noqa: N803 - pyusb's names
        bRequest: int,  # noqa: N803
        wValue: int,  # noqa: N803
        _wIndex: int,  # noqa: N803
        data: Any,  # noqa: ANN401
        _timeout: int,
    ) -> int:
        plug = self._alive(dev_handle)
        if bRequest != _GET_DESCRIPTOR or wValue >> 8 != 3:
            raise usb.core.USBError("Pipe error", -9, errno.EPIPE)
        text = _ENGLISH.to_bytes(2, "little") if wValue & 0xFF == 0 else plug.serial.encode("utf-16-le")
        descriptor = (bytes([len(text) + 2, 3]) + text)[: len(data)]
        for place, byte in enumerate(descriptor):
            data[place] = byte
        return len(descriptor)

    def bulk_read(self, dev_handle: _Handle, ep: int, intf: int, buff: Any, timeout: int) -> int:  # noqa: ANN401
        plug = self._alive(dev_handle)
        self._check_transfer(dev_handle, ep, BULK_IN, intf)
        end_s = time.monotonic() + timeout / 1000
        with plug.changed:
            plug.transfers += 1
            while True:
                self._alive(dev_handle)
                data = self._said(plug, len(buff))
                if data:
                    for place, byte in enumerate(data):
                        buff[place] = byte
                    return len(data)
                left_s = end_s - time.monotonic()
                if left_s <= 0:
                    raise _timed_out()
                due_s = plug.device.next_time_s()
                wait_s = left_s if due_s is None else min(left_s, max(0.0005, due_s - time.monotonic()))
                plug.changed.wait(wait_s)

    def bulk_write(self, dev_handle: _Handle, ep: int, intf: int, data: Any, timeout: int) -> int:  # noqa: ANN401
        plug = self._alive(dev_handle)
        self._check_transfer(dev_handle, ep, BULK_OUT, intf)
        with plug.changed:
            plug.transfers += 1
            if plug.takes_nothing:
                plug.changed.wait(timeout / 1000)
                self._alive(dev_handle)
                if plug.takes_nothing:
                    raise _timed_out()
            taken = bytes(data)[:INBOUND_BYTES]
            plug.device.receive_data(taken, time.monotonic())
            plug.changed.notify_all()
            return len(taken)

    # ---- within

    def _said(self, plug: UsbPlug, at_most: int) -> bytes:
        now_s = time.monotonic()
        due_s = plug.device.next_time_s()
        if due_s is not None and due_s <= now_s:
            plug.device.on_time(now_s)
        plug.unread += plug.device.data_to_send()
        data, plug.unread = plug.unread[:at_most], plug.unread[at_most:]
        return data

    def _alive(self, handle: _Handle) -> UsbPlug:
        if not handle.plug.is_plugged or handle.generation != handle.plug.generation:
            raise _gone()
        return handle.plug

    def _check_transfer(self, handle: _Handle, ep: int, expected: int, intf: int) -> None:
        if ep != expected or intf not in handle.claimed:
            raise usb.core.USBError("Input/Output Error", -1, errno.EIO)
