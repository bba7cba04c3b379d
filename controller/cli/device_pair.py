"""`sabot device pair DEVICE`: a technician and a chief supervisor give a device of the closed table a secret key.

A person opens the device and turns on the switch inside. The key is sent once over the cable, and the controller keeps
it in a file. Another pairing replaces the key. `--remove` deletes the key.
"""

import secrets
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

from controller.cli.device_direct import refusal
from controller.cli.device_line import PortLine
from controller.cli.device_test import at_closed_table
from controller.cli.talk import Talk, cannot_write
from controller.cli.two_people import add_people, check_people
from controller.config import Config, DeviceConfig, Protocol, read_config
from controller.daemon.devices import port_opener
from controller.devices.device_kinds import KINDS, tdp_of
from controller.doctor.host import CONFIG
from controller.machine.exits import CliFailure, ExitCode
from controller.record.pair_keys import forget_pair_key, name_of, path_at, write_pair_key
from drivers.errors import PortError, PortLost
from drivers.events import DeviceRefused
from drivers.expected import ExpectedDevice, mismatch
from drivers.tdp_driver import session_opening
from firmware_protocols.tdp.host_link import HostLink
from firmware_protocols.tdp.link import PAIRING_S, Identity
from firmware_protocols.tdp.pair_link import Pairing, PairingHost
from firmware_protocols.tdp.proof import KEY_BYTES, NO_KEY, NONCE_BYTES, HostPairing

_START_BITS: Final = 20
_DEVICES: Final = {one.value.replace("_", "-"): one for one, row in KINDS.items() if Protocol.TDP in row.protocols}
_WHY: Final = {
    Pairing.SILENT: "pair-silent",
    Pairing.SWITCH_OFF: "pair-switch-off",
    Pairing.CANNOT: "pair-cannot",
    Pairing.NOT_MEANT: "pair-other",
}


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("device", choices=list(_DEVICES), metavar="DEVICE", help=words("cli.option.pair-device"))
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.config"))
    add_people(parser, words)
    parser.add_argument("--remove", action="store_true", help=words("cli.option.pair-remove"))
    parser.add_argument("--seconds", type=float, default=PAIRING_S, metavar="S", help=words("cli.option.pair-seconds"))
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Gives a device a new key, after the PINs of two people. Returns 0 once the device has proved that it has the key.

    With `--remove` deletes the key in the device and at the table instead. Raises CliFailure, ConfigRefused,
    StaffRefused.
    """
    config = read_config(arguments.config, ports_may_be_missing=True)
    device = _device(config, arguments)
    with at_closed_table(config):
        check_people(arguments, config.staff, talk, "pairing-refused")
        talk.aside(talk.words("cli.device.pair-switch", device=device.kind.value, seconds=f"{arguments.seconds:g}"))
        who, key = _paired(config, device, arguments, talk)
        _keep(config, device, key, remove=arguments.remove)
    name = "" if arguments.remove else name_of(key)
    talk.document(
        {
            "ok": True,
            "device": device.kind.value,
            "paired": not arguments.remove,
            "configured": device.paired,
            "serial_number": who.serial,
            "model": who.model,
            "firmware": who.firmware,
            "key_name": name or None,
        }
    )
    values = {"device": device.kind.value, "serial_number": who.serial, "name": name, "file": str(arguments.config)}
    talk.result(talk.words("cli.device.unpaired" if arguments.remove else "cli.device.paired", **values))
    if device.paired is arguments.remove:
        talk.result(talk.words("cli.device.pair-configure", paired=str(not arguments.remove).lower(), **values))
    return ExitCode.OK


def _device(config: Config, arguments: Namespace) -> DeviceConfig:
    """Returns the configured device that `arguments` name. Raises CliFailure if there is none, or if it does not use
    TDP.
    """
    kind = _DEVICES[arguments.device]
    found = next((one for one in config.devices if one.kind is kind), None)
    if found is None:
        raise CliFailure(ExitCode.USAGE, "table-lacks", what=arguments.device, file=str(arguments.config))
    if found.protocol is not Protocol.TDP:
        raise CliFailure(ExitCode.USAGE, "pair-protocol", device=kind.value, protocol=found.protocol.value)
    return found


def _keep(config: Config, device: DeviceConfig, key: bytes, *, remove: bool) -> None:
    path = path_at(config, device.kind)
    try:
        forget_pair_key(path) if remove else write_pair_key(path, key)
    except OSError as error:
        raise cannot_write(path, error) from error


def _paired(config: Config, device: DeviceConfig, arguments: Namespace, talk: Talk) -> tuple[Identity, bytes]:
    """Gives the device a new key, and returns the device's identity and the key.

    With `--remove` deletes the key in the device. Raises CliFailure if no device accepts the key or proves that it has
    it.
    """
    key = NO_KEY if arguments.remove else secrets.token_bytes(KEY_BYTES)
    try:
        line = PortLine(port_opener(config, device))
    except PortError as error:
        raise refusal(error) from error
    try:
        who = _given(line, config, device, key, arguments.seconds, talk)
        if not arguments.remove:
            _prove(line, device, key)
    except PortLost as error:
        raise CliFailure(ExitCode.FAILED, "port-went", port=device.port, detail=error.reason) from error
    finally:
        line.close()
    return who, key


def _opening(nth: int) -> int:
    return session_opening(int(time.time()) % (1 << _START_BITS), nth)


def _given(line: PortLine, config: Config, device: DeviceConfig, key: bytes, seconds: float, talk: Talk) -> Identity:
    expected = ExpectedDevice(
        tdp_of(device.kind), config.table.simulated, serial=device.serial_number, model=device.model
    )
    refused: list[DeviceRefused] = []

    def is_meant(who: Identity) -> bool:
        other = mismatch(expected, who)
        refused.extend([] if other is None else [other])
        return other is None

    host = PairingHost(opening=_opening(0), key=key, now_s=line.now_s(), is_meant=is_meant)
    _say_all(line, host, line.now_s() + seconds, talk)
    if host.state is Pairing.DONE and host.who is not None:
        return host.who
    values = {"what": "", "expected": "", "found": ""}
    for other in refused:
        values = {"what": talk.words(f"reason.{other.what}"), "expected": other.expected, "found": other.found}
    raise CliFailure(ExitCode.FAILED, _WHY[host.state], device=device.kind.value, port=device.port, **values)


def _say_all(line: PortLine, host: PairingHost, until_s: float, talk: Talk) -> None:
    """Talks with the device until it is paired or pairing fails, at most until `until_s`.

    Prints a remark when the device first answers.
    """
    is_heard = False
    while not host.is_over and line.now_s() < until_s:
        line.say(host.data_to_send())
        host.receive_data(line.hear(host.next_timeout_s()))
        host.handle_timeout(line.now_s())
        if host.who is not None and not is_heard and host.state not in (Pairing.CANNOT, Pairing.NOT_MEANT):
            values = {"model": host.who.model, "serial_number": host.who.serial}
            talk.aside(talk.words("cli.device.pair-answers", **values))
        is_heard = host.who is not None


def _prove(line: PortLine, device: DeviceConfig, key: bytes) -> None:
    """Opens a session with the new key. Raises CliFailure if the device does not prove that it has the key."""
    pairing = HostPairing(key, secrets.token_bytes(NONCE_BYTES), tdp_of(device.kind).schema.secret_at)
    link = HostLink(opening=_opening(1), committed_boot=0, committed_number=0, now_s=line.now_s(), pairing=pairing)
    while not (link.is_identified or link.is_down):
        line.say(link.data_to_send())
        link.receive_data(line.hear(link.next_timeout_s() or line.now_s()), line.now_s())
        link.handle_timeout(line.now_s())
    if link.is_down:
        raise CliFailure(ExitCode.FAILED, "pair-unproven", device=device.kind.value, port=device.port)
