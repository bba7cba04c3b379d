"""Makes the supervisor and the port of each configured device, with its driver and the settings of its line."""

from collections.abc import Mapping
from functools import partial
from random import SystemRandom
from typing import Final, assert_never

from controller.catalogue import sentence
from controller.config import Config, DeviceConfig, Protocol
from controller.core.words import Device
from controller.record.pair_keys import pair_of
from controller.runtime.devices import MakeSupervisor, alpha_supervisor, angel_eye_supervisor, tdp_supervisor
from drivers.alpha_sign import AlphaSettings
from drivers.backoff import Backoff
from drivers.cammegh_driver import make_cammegh_driver
from drivers.open_port import open_port
from drivers.ports import OpenPort
from drivers.serial_port import Framing
from drivers.supervisor import DeviceSupervisor
from firmware_protocols.angel_eye.framing import ChecksumRule

USUAL_LINE: Final = {
    Protocol.TDP: (115200, Framing.EIGHT_NONE_ONE),
    Protocol.ALPHA: (9600, Framing.SEVEN_EVEN_ONE),
    Protocol.ANGEL_EYE: (4800, Framing.EIGHT_NONE_ONE),
    Protocol.CAMMEGH: (9600, Framing.EIGHT_NONE_ONE),
}
"""Baud rate and framing for devices without configured ones."""


def supervisor_makers(config: Config, start_number: int) -> Mapping[Device, MakeSupervisor]:
    """Returns for each configured device a function that makes its supervisor. `start_number`: the upper part of the
    number of each device session in this run.
    """
    return {device.kind: _supervisor_maker(config, device, start_number) for device in config.devices}


def _supervisor_maker(config: Config, device: DeviceConfig, start_number: int) -> MakeSupervisor:
    jitter = SystemRandom().random
    match device.protocol:
        case Protocol.TDP:
            return tdp_supervisor(
                device.kind,
                device.serial_number,
                simulated=config.table.simulated,
                start_number=start_number,
                jitter=jitter,
                model=device.model,
                approved_firmware=device.approved_firmware,
                deals=all(one.kind is not Device.SHUFFLER for one in config.devices),
                pair=pair_of(config, device.kind) if device.paired else None,
            )
        case Protocol.ALPHA:
            return alpha_supervisor(
                device.kind, _alpha_settings(config, device), start_number=start_number, jitter=jitter
            )
        case Protocol.ANGEL_EYE:
            rule = ChecksumRule(device.command_checksum or ChecksumRule.FROM_STX)
            return angel_eye_supervisor(device.kind, rule, simulated=config.table.simulated, jitter=jitter)
        case Protocol.CAMMEGH:
            drivers = make_cammegh_driver(simulated=config.table.simulated, start_number=start_number)
            return lambda _committed: DeviceSupervisor(device.kind.value, drivers, Backoff(), jitter)
        case _:
            assert_never(device.protocol)


def _alpha_settings(config: Config, device: DeviceConfig) -> AlphaSettings:
    return AlphaSettings(
        fault_text=sentence("sign.fault", (), config.table.language),
        simulated=config.table.simulated,
        checksum=device.checksum is True,
        read_back=device.read_back is not False,
    )


def port_opener(config: Config, device: DeviceConfig) -> OpenPort:
    """Returns a function that opens the device's port. If the table is not simulated, the function refuses a pseudo
    terminal. The function checks the path at each call: the path may have become a pseudo terminal.
    """
    baud_rate, framing = USUAL_LINE[device.protocol]
    return partial(
        open_port,
        device.port,
        baud_rate=device.baud_rate or baud_rate,
        framing=framing if device.framing is None else Framing(device.framing),
        refuse_pseudo_terminal=not config.table.simulated,
    )
