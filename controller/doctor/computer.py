"""The doctor's checks of the computer: clock, power, heat, watchdog, radios, unknown USB devices."""

from collections.abc import Iterator
from typing import Final

from controller.config import Config
from controller.daemon.board import THROTTLED, read_undervoltage
from controller.daemon.usb import kept_out
from controller.doctor.finding import Check, Finding, critical, warning
from controller.doctor.host import Host
from controller.machine.clock import SYNCHRONISED
from controller.screen.surroundings import Undervoltage

HOT_MILLI: Final = 80_000  # thousandths of a degree Celsius; a Pi slows down above this
_SLOWED: Final = 0b1110  # of the firmware's flags: frequency capped, throttled, soft limit of temperature


def the_clock_is_kept(host: Host, _config: Config) -> Iterator[Finding]:
    """Finds a computer without a battery-backed clock. The finding is critical if no time service sets its clock
    either.

    The wall clock decides nothing, but a journal with wrong times is worth less as evidence.
    """
    has_rtc = bool(host.files("/sys/class/rtc/rtc*"))
    is_synced = host.path(SYNCHRONISED).exists() or host.path("/run/chrony/chronyd.pid").exists()
    if not has_rtc and not is_synced:
        yield critical("no-clock")
    elif not has_rtc:
        yield warning("no-rtc")


def the_power_is_enough(host: Host, _config: Config) -> Iterator[Finding]:
    match read_undervoltage(host.path("/sys")):
        case Undervoltage.NOW:
            yield critical("undervoltage-now")
        case Undervoltage.EARLIER:
            yield warning("undervoltage-earlier")
        case _:
            pass


def it_is_not_too_hot(host: Host, _config: Config) -> Iterator[Finding]:
    temperatures = [host.text(f"/{path.relative_to(host.root)}") for path in host.files("/sys/class/thermal/*/temp")]
    hottest = max((int(text) for text in temperatures if text.lstrip("-").isdigit()), default=0)
    flags = host.text(f"/sys/{THROTTLED}")
    if hottest > HOT_MILLI or (flags and int(flags, 16) & _SLOWED):
        yield warning("hot", degrees=str(hottest // 1000))


def a_hang_restarts_it(host: Host, _config: Config) -> Iterator[Finding]:
    if not host.path("/dev/watchdog").exists() and not host.path("/dev/watchdog0").exists():
        yield warning("no-watchdog")
        return
    settings = [host.path("/etc/systemd/system.conf"), *host.files("/etc/systemd/system.conf.d/*.conf")]
    lines = [line for path in settings if path.exists() for line in path.read_text("utf-8", "replace").splitlines()]
    if not any(line.startswith("RuntimeWatchdogSec=") and line.split("=")[1] not in ("0", "off", "") for line in lines):
        yield warning("watchdog-unused")


def radios_are_off(host: Host, _config: Config) -> Iterator[Finding]:
    for radio in host.files("/sys/class/rfkill/rfkill*"):
        kind = host.text(f"/{radio.relative_to(host.root)}/type")
        states = [host.text(f"/{radio.relative_to(host.root)}/{name}") for name in ("soft", "hard")]
        if kind in ("wlan", "bluetooth") and "1" not in states:
            yield warning("radio-on", kind=kind)


def unknown_usb_stays_out(host: Host, _config: Config) -> Iterator[Finding]:
    hubs = [f"/{path.relative_to(host.root)}" for path in host.files("/sys/bus/usb/devices/usb*/authorized_default")]
    defaults = [host.text(hub) for hub in hubs] or [host.text("/sys/module/usbcore/parameters/authorized_default")]
    if any(default not in ("0", "") for default in defaults):
        yield warning("usb-open")
    for device in kept_out(host.path("/sys")):
        yield warning("usb-kept-out", name=device.name, port=device.port)


COMPUTER_CHECKS: Final[tuple[Check, ...]] = (
    the_clock_is_kept,
    the_power_is_enough,
    it_is_not_too_hot,
    a_hang_restarts_it,
    radios_are_off,
    unknown_usb_stays_out,
)
