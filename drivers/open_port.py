"""Opens a port by its name: a tty's path, `usb://VID:PID/SERIAL`, or a serial server's `socket://host:port`."""

from drivers.errors import PortFault, PortRefused
from drivers.ports import Port
from drivers.serial_port import Framing, open_serial
from drivers.tcp_port import open_socket, socket_address
from drivers.usb_name import usb_name


def open_port(
    name: str,
    *,
    baud_rate: int = 115200,
    framing: Framing = Framing.EIGHT_NONE_ONE,
    refuse_pseudo_terminal: bool = False,
) -> Port:
    """Opens and returns the port. `baud_rate` and `framing` apply to a tty only; a serial server has its own line
    settings.

    `refuse_pseudo_terminal`: if True, refuses a pseudo-terminal, which only a simulator has. Raises PortMissing,
    PortBusy, PortRefused.
    """
    if "://" not in name:
        return open_serial(name, baud_rate=baud_rate, framing=framing, refuse_pseudo_terminal=refuse_pseudo_terminal)
    device = usb_name(name)
    if device is not None:
        # Imported here: pyusb looks for libusb, and only a table with a USB port pays for that.
        from drivers.usb_port import libusb, open_usb

        return open_usb(device, libusb())
    address = socket_address(name)
    if address is None:
        raise PortRefused(name, PortFault.NO_PORT_NAME)
    return open_socket(address)
