"""Common to all `sabot device` commands that use a device without a table: line options, driver and port."""

import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from typing import Final, assert_never

from controller.catalogue import Language, sentence
from controller.config import Protocol
from controller.core.words import Device
from controller.daemon.devices import USUAL_LINE
from controller.devices.device_kinds import KINDS as DEVICE_KINDS
from controller.devices.device_kinds import tdp_of
from controller.machine.exits import CliFailure, ExitCode
from drivers.alpha_driver import make_alpha_driver
from drivers.alpha_sign import AlphaSettings
from drivers.angel_eye_driver import make_angel_eye_driver
from drivers.cammegh_driver import make_cammegh_driver
from drivers.driver import MakeDriver
from drivers.errors import OtherDevice, PortBusy, PortError, PortMissing
from drivers.expected import ExpectedDevice
from drivers.open_port import open_port
from drivers.ports import Port
from drivers.serial_port import Framing, is_pseudo_terminal
from drivers.tdp_driver import make_tdp_driver, session_opening
from firmware_protocols.angel_eye.framing import ChecksumRule

KINDS: Final = {device.value.replace("_", "-"): device for device in DEVICE_KINDS}
"""The kinds of device by their names on the command line."""

_NOTHING_HEARD: Final = (0, 0)
_START_BITS: Final = 20
_BAUD_RATES: Final = (50, 4_000_000)  # the baud rates of serial ports


def add_line_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    """Adds the options `--baud-rate` and `--framing`, for a line with other settings than its protocol's usual ones."""
    parser.add_argument("--baud-rate", type=int, metavar="N", help=words("cli.option.baud-rate"))
    parser.add_argument("--framing", choices=list(Framing), help=words("cli.option.framing"))


def check_bounds(option: str, value: float | None, low: float, high: float) -> None:
    """Raises CliFailure if the option's value is outside `low` to `high`. A value of None is accepted: the option is
    not given.
    """
    if value is not None and not low <= value <= high:
        raise CliFailure(ExitCode.USAGE, "option-bounds", option=option, given=f"{value}", low=f"{low}", high=f"{high}")


def check_belongs(option: str, protocol: Protocol, only: Protocol, *, is_given: bool) -> None:
    """Raises CliFailure if the option is given, belongs to the protocol `only`, and the line uses another protocol."""
    if is_given and protocol is not only:
        raise CliFailure(ExitCode.USAGE, "option-of-protocol", option=option, only=only.value, protocol=protocol.value)


def driver_of(port: str, device: Device, protocol: Protocol, language: Language, *, asks: bool) -> MakeDriver:
    """Returns a function that makes drivers, each of which accepts any device of the kind `device`. Raises CliFailure
    if the kind does not use the protocol.

    `asks`: True if the driver reads a sign's content back. A sign sends nothing by itself, so otherwise the driver only
    knows that the port is open.
    """
    if protocol not in DEVICE_KINDS[device].protocols:
        words = {"kind": device.value.replace("_", "-"), "protocols": ", ".join(DEVICE_KINDS[device].protocols)}
        raise CliFailure(ExitCode.USAGE, "protocol-of-kind", protocol=protocol.value, **words)
    simulated, started = is_pseudo_terminal(port), int(time.time()) % (1 << _START_BITS)
    match protocol:
        case Protocol.TDP:
            expected = ExpectedDevice(tdp_of(device), simulated=None)
            return make_tdp_driver(expected, start_number=started, committed=lambda: _NOTHING_HEARD)
        case Protocol.ANGEL_EYE:
            return make_angel_eye_driver(ChecksumRule.FROM_STX, simulated=simulated, committed=lambda: _NOTHING_HEARD)
        case Protocol.ALPHA:
            settings = AlphaSettings(sentence("sign.fault", (), language), simulated=simulated, read_back=asks)
            return make_alpha_driver(settings, partial(session_opening, started))
        case Protocol.CAMMEGH:
            return make_cammegh_driver(simulated=simulated, start_number=started)
        case _:
            assert_never(protocol)


class DirectPort:
    """The port that a command names. The constructor opens it. The first call of the object returns the open port. Each
    further call opens the port again.
    """

    def __init__(self, arguments: Namespace, protocol: Protocol) -> None:
        """Raises CliFailure if a line setting is out of bounds, or if the port cannot be opened now."""
        check_bounds("--baud-rate", arguments.baud_rate, *_BAUD_RATES)
        check_belongs("--framing", protocol, Protocol.ALPHA, is_given=arguments.framing is not None)
        baud_rate, framing = USUAL_LINE[protocol]
        self._open = partial(
            open_port,
            arguments.port,
            baud_rate=arguments.baud_rate or baud_rate,
            framing=framing if arguments.framing is None else Framing(arguments.framing),
        )
        self._name = arguments.port
        try:
            self._first: Port | None = self._open()
        except PortError as error:
            raise refusal(error) from error

    def __call__(self) -> Port:
        """Returns the open port, which the caller closes. Raises PortError if it cannot be opened again."""
        port, self._first = self._first, None
        return self._open() if port is None else port

    @property
    def is_simulated(self) -> bool:
        """True if the port's name now leads to a pseudo terminal, which a simulator or a test uses."""
        return is_pseudo_terminal(self._name)


def refusal(error: PortError) -> CliFailure:
    """Returns the failure that ends a command if its port cannot be opened."""
    kind = "missing" if isinstance(error, PortMissing) else "busy" if isinstance(error, PortBusy) else "refused"
    exit_code = ExitCode.FAILED if kind == "busy" else ExitCode.USAGE
    found = {"found": error.found} if isinstance(error, OtherDevice) else {}
    return CliFailure(exit_code, f"port-{kind}", port=error.path, detail=error.reason, **found)
