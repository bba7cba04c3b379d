"""The doctor's checks of the devices: their ports exist, the controller may open them, no console uses them, and the
devices can be identified.
"""

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from controller.config import Config, PartConfig, PartKind
from controller.config.model import DeviceConfig
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import Account, Host
from controller.doctor.service import unit_text
from controller.record.pair_keys import PairKeyRefused, path_at, read_pair_key
from drivers.tcp_port import socket_address
from drivers.usb_name import usb_name

ADAPTERS: Final = "/sys/bus/usb-serial/devices"
AT_ONCE_MS: Final = 1
PERSISTENT_LINES: Final = "/sys/module/pinctrl_bcm2835/parameters/persist_gpio_outputs"


def ports_are_there(_host: Host, config: Config) -> Iterator[Finding]:
    for one in _with_a_file(config):
        if not Path(one.port).exists():
            yield critical("port-missing", device=one.kind.value, port=one.port)


def ports_may_be_opened(host: Host, config: Config) -> Iterator[Finding]:
    """Finds ports that the controller's user may not open, even if another user runs `sabot doctor`."""
    account = host.account()
    for one in _with_a_file(config):
        path = Path(one.port)
        if account is not None and path.exists() and not _may_use(path.stat(), account):
            yield critical("port-closed", device=one.kind.value, port=one.port)


def ports_are_not_held_by_a_console(host: Host, config: Config) -> Iterator[Finding]:
    consoles = {word.removeprefix("console=").split(",")[0] for word in host.text("/proc/cmdline").split()}
    for one in _with_a_file(config):
        if Path(one.port).resolve().name in consoles:
            yield critical("port-is-console", device=one.kind.value, port=one.port)


def adapters_pass_small_frames_on(host: Host, config: Config) -> Iterator[Finding]:
    """Finds FTDI adapters that delay small frames by more than AT_ONCE_MS. No other adapter has such a setting."""
    for one in _with_a_file(config):
        held_ms = host.text(f"{ADAPTERS}/{Path(one.port).resolve().name}/latency_timer")
        if held_ms.isdigit() and int(held_ms) > AT_ONCE_MS:
            yield warning("port-slow", device=one.kind.value, port=one.port, held_ms=held_ms)


def devices_are_bound(_host: Host, config: Config) -> Iterator[Finding]:
    """Finds devices that can prove their serial number but have none in the configuration. Nothing would notice a swap
    of such a device.
    """
    for device in config.devices:
        if device.protocol.proves_identity and device.serial_number is None:
            yield warning("device-not-bound", device=device.kind.value)


def keys_of_pairs_are_there(_host: Host, config: Config) -> Iterator[Finding]:
    """Finds paired devices with a missing or unusable key file. The table would refuse such a device."""
    for device in (one for one in config.devices if one.paired):
        try:
            read_pair_key(path_at(config, device.kind))
        except PairKeyRefused as refused:
            values = {"device": device.kind.value, "file": str(refused.path), "reason": refused.trouble.value}
            yield critical("pair-key", **values)


def the_unit_lets_them_in(host: Host, config: Config) -> Iterator[Finding]:
    text = unit_text(host)
    for device in config.devices:
        if usb_name(device.port) is not None and "char-usb_device" not in text:
            yield critical("drop-in-missing", device=device.kind.value, file="usb.conf")
        elif socket_address(device.port) is not None and "IPAddressAllow" not in text:
            yield critical("drop-in-missing", device=device.kind.value, file="serial-server.conf")


def a_dead_controller_lights_the_lamp(host: Host, config: Config) -> Iterator[Finding]:
    lamp = next((part for part in config.parts if part.kind is PartKind.LAMP), None)
    if lamp is None:
        yield warning("no-lamp")
    elif host.text(PERSISTENT_LINES) in ("Y", "1"):
        yield critical("lamp-stays", device=lamp.kind.value)


DEVICE_CHECKS: Final[tuple[Check, ...]] = (
    ports_are_there,
    ports_may_be_opened,
    ports_are_not_held_by_a_console,
    adapters_pass_small_frames_on,
    devices_are_bound,
    keys_of_pairs_are_there,
    the_unit_lets_them_in,
    a_dead_controller_lights_the_lamp,
)


def _with_a_file(config: Config) -> list[DeviceConfig | PartConfig]:
    """Returns the devices and parts whose port is a path, not a USB name or a network address."""
    every: tuple[DeviceConfig | PartConfig, ...] = (*config.devices, *config.parts)
    return [one for one in every if usb_name(one.port) is None and socket_address(one.port) is None]


def _may_use(found: os.stat_result, account: Account) -> bool:
    if found.st_uid == account.uid:
        return bool(found.st_mode & stat.S_IRUSR)
    if found.st_gid in account.groups:
        return bool(found.st_mode & stat.S_IRGRP)
    return bool(found.st_mode & stat.S_IROTH)
