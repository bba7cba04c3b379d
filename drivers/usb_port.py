"""USB devices as ordinary ports, through pyusb. This is the only production code that knows pyusb and its errors.

pyusb blocks, has no descriptor to wait for, and signals silence by an exception. So an open device is a pair of
connected sockets. The event loop has one end. Two threads carry bytes between the other end and the bulk endpoints. The
kernel's socket buffers bound the bytes that wait in each direction. When the device is gone, the threads' end is
closed. A device is found by vendor, product and serial number. The caller passes the backend: libusb in production.
"""

import contextlib
import errno
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, Final, Protocol

import usb.backend.libusb1
import usb.core
import usb.util

from drivers.errors import OtherDevice, PortBusy, PortError, PortFault, PortLost, PortMissing, PortRefused, system_word
from drivers.ports import READ_AT_MOST_BYTES
from drivers.usb_name import UsbName

READ_WITHIN_MS: Final = 100  # the time within which a reading thread ends after the request to end
WRITE_WITHIN_MS: Final = 500
BUFFER_BYTES: Final = 16 * 1024  # in each direction, as the kernel counts it

_MISSING: Final = frozenset({errno.ENODEV, errno.ENOENT, errno.ENXIO, errno.EIO})
_FAILURES: Final = (usb.core.USBError, ValueError)  # ValueError: a descriptor or text that cannot be read


class _Device(Protocol):
    """The part of pyusb's class Device that this file uses."""

    serial_number: str | None

    def read(self, endpoint: int, size: int, timeout: int) -> Iterable[int]: ...

    def write(self, endpoint: int, data: bytes, timeout: int) -> int: ...


class UsbPort:
    """An open USB device (satisfies `Port`)."""

    def __init__(self, path: str, device: Any, bulk_in: int, bulk_out: int) -> None:  # noqa: ANN401 - pyusb is untyped
        self._path = path
        self._device: _Device = device
        self._bulk_in = bulk_in
        self._bulk_out = bulk_out
        self._failure = ""
        self._closing = threading.Event()
        self._near, self._far = socket.socketpair()
        self._near.setblocking(False)  # noqa: FBT003 - the standard library's own
        for end in (self._near, self._far):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, BUFFER_BYTES)
        self._threads = [
            threading.Thread(target=self._carry, args=(work,), name=f"{verb} {path}", daemon=True)
            for verb, work in (("read", self._read_all), ("write", self._write_all))
        ]
        for thread in self._threads:
            thread.start()

    def fileno(self) -> int:
        return self._near.fileno()

    def read(self) -> bytes:
        try:
            data = self._near.recv(READ_AT_MOST_BYTES)
        except (BlockingIOError, InterruptedError):
            return b""
        except OSError as error:
            raise PortLost(self._path, system_word(error)) from error
        if not data:
            raise PortLost(self._path, self._failure or PortFault.HUNG_UP)
        return data

    def write(self, data: bytes) -> int:
        if not data:
            return 0
        try:
            return self._near.send(data)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            raise PortLost(self._path, self._failure or system_word(error)) from error

    def close(self) -> None:
        if self._closing.is_set():
            return
        self._closing.set()
        with contextlib.suppress(OSError):  # the far end may be closed already
            self._near.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join()
        with contextlib.suppress(*_FAILURES):  # a device that is gone refuses, which is no news
            usb.util.dispose_resources(self._device)
        self._near.close()
        self._far.close()

    # ---- the two threads

    def _carry(self, work: Callable[[], None]) -> None:
        """Runs one thread's work until the port is closed or the device is gone. The event loop then sees the end of
        the connection.
        """
        try:
            work()
        except usb.core.USBError as error:
            self._failure = self._failure or system_word(error)
        except OSError:
            pass  # the near end was shut: the port is being closed, or the other thread has failed
        finally:
            with contextlib.suppress(OSError):
                self._far.shutdown(socket.SHUT_RDWR)

    def _read_all(self) -> None:
        while not self._closing.is_set() and not self._failure:
            try:
                data = bytes(self._device.read(self._bulk_in, READ_AT_MOST_BYTES, timeout=READ_WITHIN_MS))
            except usb.core.USBTimeoutError:
                continue  # the device has sent no bytes meanwhile
            if data:
                self._far.sendall(data)

    def _write_all(self) -> None:
        while data := self._far.recv(READ_AT_MOST_BYTES):
            while data and not self._closing.is_set() and not self._failure:
                try:
                    data = data[self._device.write(self._bulk_out, data, timeout=WRITE_WITHIN_MS) :]
                except usb.core.USBTimeoutError:
                    continue  # the device has taken no bytes meanwhile


def libusb() -> object:
    """Returns the libusb backend, for production. Raises PortRefused if libusb is not installed."""
    backend = usb.backend.libusb1.get_backend()
    if backend is None:
        raise PortRefused("usb://", PortFault.NO_LIBUSB)
    return backend


def open_usb(name: UsbName, backend: object) -> UsbPort:
    """Opens the USB device `name` for this process alone. May block. Raises PortMissing, PortBusy, PortRefused."""
    path = str(name)
    try:
        device = _find(name, backend)
    except _FAILURES as error:
        raise _as_port_error(path, error) from error
    try:
        number, bulk_in, bulk_out = _bulk_endpoints(path, device)
        if device.is_kernel_driver_active(number):
            device.detach_kernel_driver(number)
        usb.util.claim_interface(device, number)
    except PortError:
        usb.util.dispose_resources(device)
        raise
    except _FAILURES as error:
        usb.util.dispose_resources(device)
        raise _as_port_error(path, error) from error
    return UsbPort(path, device, bulk_in, bulk_out)


def _find(name: UsbName, backend: object) -> Any:  # noqa: ANN401 - pyusb is untyped
    """Finds the only device of this name. Raises PortRefused if there are two, PortMissing if there is none,
    OtherDevice if only devices with other serial numbers are there.
    """
    same = usb.core.find(find_all=True, backend=backend, idVendor=name.vendor, idProduct=name.product)
    found: list[Any] = []
    others: list[Any] = []
    for device in same:
        (found if device.serial_number == name.serial else others).append(device)
    for device in others if len(found) == 1 else [*others, *found]:
        usb.util.dispose_resources(device)
    if len(found) == 1:
        return found[0]
    if found:
        raise PortRefused(str(name), PortFault.SERIAL_TWICE)
    if not others:
        raise PortMissing(str(name), PortFault.NOT_ON_THE_BUS)
    seen = ", ".join(sorted(str(device.serial_number) for device in others))
    raise OtherDevice(str(name), "".join(one if one.isprintable() else "?" for one in seen))  # the devices chose it


def _bulk_endpoints(path: str, device: Any) -> tuple[int, int, int]:  # noqa: ANN401 - pyusb is untyped
    """Returns the number of the first interface with bulk endpoints in both directions, and their addresses, the input
    first.

    Raises PortRefused if no interface has both.
    """
    for interface in _configuration(device):
        bulk = [
            endpoint.bEndpointAddress
            for endpoint in interface
            if usb.util.endpoint_type(endpoint.bmAttributes) == usb.util.ENDPOINT_TYPE_BULK
        ]
        into = [one for one in bulk if usb.util.endpoint_direction(one) == usb.util.ENDPOINT_IN]
        out = [one for one in bulk if usb.util.endpoint_direction(one) == usb.util.ENDPOINT_OUT]
        if into and out:
            return interface.bInterfaceNumber, into[0], out[0]
    raise PortRefused(path, PortFault.NO_BULK_ENDPOINTS)


def _configuration(device: Any) -> Any:  # noqa: ANN401 - pyusb is untyped
    """Returns the active configuration. If none is active, first sets one, which resets the device."""
    try:
        return device.get_active_configuration()
    except usb.core.USBError as error:
        if error.errno is not None:
            raise
        device.set_configuration()
        return device.get_active_configuration()


def _as_port_error(path: str, error: Exception) -> PortError:
    number = error.errno if isinstance(error, OSError) else None
    if number in _MISSING:
        return PortMissing(path, system_word(error))
    return PortBusy(path, system_word(error)) if number == errno.EBUSY else PortRefused(path, system_word(error))
