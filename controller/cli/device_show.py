"""`sabot device show PORT`: shows amounts on a jackpot display, without a table, and reports if the display showed
them.
"""

import asyncio
import secrets
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from controller.catalogue import sentence
from controller.cli.device_direct import DirectPort, add_line_options, check_belongs, check_bounds
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.core.money import units
from controller.core.words import Device
from controller.devices.device_kinds import KINDS
from controller.machine.exits import CliFailure, ExitCode
from drivers.alpha_driver import make_alpha_driver
from drivers.alpha_sign import AlphaSettings
from drivers.backoff import Backoff
from drivers.driver import MakeDriver
from drivers.events import (
    CommandRefused,
    DeviceConnected,
    DeviceLost,
    DeviceRefused,
    DriverEvent,
    Reported,
    StatusHeard,
)
from drivers.expected import ExpectedDevice
from drivers.serial_io import SerialShell
from drivers.serial_port import is_pseudo_terminal
from drivers.supervisor import DeviceSupervisor
from drivers.tdp_driver import make_tdp_driver, session_opening
from drivers.tdp_kinds import TDP_DISPLAY
from drivers.unproven import is_unauthenticated
from firmware_protocols.tdp.display import CENTS_MAX, DisplayApply, DisplayFaultCode, DisplayFaulted, DisplayStatus

KIND: Final = "jackpot-display"
SHOWN_WITHIN_S: Final = 12.0
"""Seconds to wait for an amount. A sign on a slow, noisy line that clears its memory first needs about half of them."""
LEAVES_WITHIN_S: Final = 0.2  # the time for the last packet to leave, where the sign sends no answer


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    protocols = [protocol.value for protocol in KINDS[Device.JACKPOT_DISPLAY].protocols]
    parser.add_argument("port", metavar="PORT", help=words("cli.option.device-port"))
    parser.add_argument("--kind", choices=[KIND], default=KIND, help=words("cli.option.display-kind"))
    parser.add_argument("--protocol", choices=protocols, required=True, help=words("cli.option.protocol"))
    parser.add_argument(
        "--cents", type=int, action="append", required=True, metavar="N", help=words("cli.option.cents")
    )
    parser.add_argument("--fault", action="store_true", help=words("cli.option.fault"))
    parser.add_argument("--read-back", action="store_true", help=words("cli.option.read-back"))
    parser.add_argument("--checksum", action="store_true", help=words("cli.option.checksum"))
    add_line_options(parser, words)
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    parser.set_defaults(run=run)


@dataclass(slots=True)
class Shown:
    """The result of `sabot device show`. `trouble`: the fault that occurred, or None. A display that cannot confirm an
    amount causes no trouble.
    """

    identity: str
    simulated: bool
    verified: bool
    cents: int | None = None
    trouble: str | None = None
    found_cents: int | None = None  # the amount that the display reports instead of the sent amount
    what: str = ""  # the property in which a wrong device differs
    expected: str = ""
    found: str = ""


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    _check(arguments)
    port = DirectPort(arguments, Protocol(arguments.protocol))
    shown = asyncio.run(_show(arguments, _driver(arguments, talk), port))
    document = {
        "ok": shown.trouble is None,
        "port": arguments.port,
        "kind": KIND,
        "protocol": arguments.protocol,
        "simulated": shown.simulated,
        "identity": shown.identity,
        "shown_cents": shown.cents,
        "fault": arguments.fault,
        "verified": shown.verified and shown.trouble is None,
    }
    if shown.trouble is not None:
        document |= {"trouble": shown.trouble, "found_cents": shown.found_cents}
        raise CliFailure(ExitCode.FAILED, "not-shown", document, port=str(arguments.port), detail=_detail(shown, talk))
    talk.document(document)
    amount = units(shown.cents or 0)
    talk.result(talk.words(_result(shown, is_fault=arguments.fault), amount=amount))
    return ExitCode.OK


def _check(arguments: Namespace) -> None:
    """Raises CliFailure if an amount is too large for every display, or if an option belongs to another protocol."""
    for cents in arguments.cents:
        check_bounds("--cents", cents, 0, CENTS_MAX)
    protocol = Protocol(arguments.protocol)
    check_belongs("--read-back", protocol, Protocol.ALPHA, is_given=arguments.read_back)
    check_belongs("--checksum", protocol, Protocol.ALPHA, is_given=arguments.checksum)


def _result(shown: Shown, *, is_fault: bool) -> str:
    """Returns the catalogue key of the result. The fault message has its own keys, since it hides the amount."""
    return f"cli.device.{'shown' if shown.verified else 'written'}{'-fault' if is_fault else ''}"


def _detail(shown: Shown, talk: Talk) -> str:
    """Returns the trouble in words. If the display reports an amount that was not sent, the text names the reported
    amount.
    """
    what = talk.words(f"reason.{shown.what}") if shown.what else ""
    values = {"trouble": str(shown.trouble), "what": what, "expected": shown.expected, "found": shown.found}
    detail = sentence("cli.device.trouble", tuple(values.items()), talk.language)
    if shown.found_cents is None:
        return detail
    return talk.words("cli.device.found", detail=detail, amount=units(shown.found_cents))


def _driver(arguments: Namespace, talk: Talk) -> MakeDriver:
    if arguments.protocol == Protocol.ALPHA:
        settings = AlphaSettings(
            fault_text=sentence("sign.fault", (), talk.language),
            simulated=is_pseudo_terminal(arguments.port),
            checksum=arguments.checksum,
            read_back=arguments.read_back,
        )
        return make_alpha_driver(settings, partial(session_opening, secrets.randbits(20)))
    expected = ExpectedDevice(TDP_DISPLAY, simulated=None)
    # The number grows from run to run: the display has to tell this opening from the opening before.
    return make_tdp_driver(expected, start_number=int(time.time()) & 0xFFFFF, committed=lambda: (0, 0))


async def _show(arguments: Namespace, make_driver: MakeDriver, port: DirectPort) -> Shown:
    supervisor = DeviceSupervisor(KIND, make_driver, Backoff(), lambda: 0.0)
    wanted = [DisplayApply(cents, fault=arguments.fault) for cents in arguments.cents]
    watch = _Watch(supervisor, wanted, verifies=arguments.protocol == Protocol.TDP or arguments.read_back)
    loop = asyncio.get_running_loop()
    shell = SerialShell(loop, supervisor, port, lambda: watch.look(loop.time()))
    watch.begin(loop.time())
    shell.start()
    try:
        await asyncio.wait_for(watch.shown_all(shell.pump), SHOWN_WITHIN_S)
    except TimeoutError:
        watch.give_up()
    finally:
        await shell.stop()
    watch.shown.simulated |= port.is_simulated
    return watch.shown


class _Watch:
    """Sends amounts to a display one by one: each amount once the display shows the one before."""

    def __init__(self, supervisor: DeviceSupervisor, wanted: Sequence[DisplayApply], *, verifies: bool) -> None:
        self._supervisor = supervisor
        self._wanted = list(wanted)
        self._is_known = False  # the display's amount is known
        self._changed = asyncio.Event()
        self.shown = Shown(identity="", simulated=False, verified=verifies)

    def begin(self, now_s: float) -> None:
        self._supervisor.apply(self._wanted[0], now_s)

    def look(self, now_s: float) -> None:
        """Reads the device's events, and sends the next amount once the current one is shown. Call it after every
        input.
        """
        for event in self._supervisor.events():
            self._take(event)
        trouble = self._supervisor.trouble
        if trouble is not None and self.shown.trouble is None:
            self.shown.trouble = trouble.code.value
            self.shown.what = trouble.what or ""
            self.shown.expected, self.shown.found = trouble.expected, trouble.found
        while self._is_known and self._wanted and self._is_shown(self._wanted[0]):
            self.shown.cents = self._wanted.pop(0).cents
            if self._wanted:
                self._supervisor.apply(self._wanted[0], now_s)
        if self._wanted and self._supervisor.awaits_answer:
            self._supervisor.apply(self._wanted[0], now_s)
        if self.shown.trouble is not None or not self._wanted:
            self._changed.set()

    async def shown_all(self, pump: Callable[[], None]) -> None:
        """Waits until every amount is shown, or until trouble occurs."""
        pump()
        await self._changed.wait()
        if not self.shown.verified:
            await asyncio.sleep(LEAVES_WITHIN_S)

    def give_up(self) -> None:
        """Records a time-out as the trouble, with the amount that the display shows, if that is known."""
        if self.shown.trouble is None:
            self.shown.trouble = "time-out"
            shown = _shows(self._supervisor.status)
            self.shown.found_cents = shown[0] if self._is_known and shown is not None else None

    def _is_shown(self, wanted: DisplayApply) -> bool:
        status = self._supervisor.status
        return status is not None and _shows(status) == (wanted.cents, wanted.fault)

    def _take(self, event: DriverEvent) -> None:
        match event:
            case DeviceConnected(identity=who):
                unknown = is_unauthenticated(who)
                self._is_known = not unknown
                self.shown.identity = "unauthenticated" if unknown else f"{who.model} {who.serial}"
                self.shown.simulated = who.simulated
            case StatusHeard():
                self._is_known = True
            case Reported(event=DisplayFaulted(code=code), status=DisplayStatus() as status):
                self.shown.trouble, self.shown.found = _fault_word(code), str(code)
                self.shown.found_cents = status.shown_cents if code == DisplayFaultCode.READ_BACK else None
            case CommandRefused(result=result):
                self.shown.trouble, self.shown.found = "refused", result.name.lower().replace("_", "-")
            case DeviceLost() | DeviceRefused():
                pass  # the supervisor reports the trouble of these events
            case _:
                pass


def _fault_word(code: int) -> str:
    """Returns the word for a display's fault code. The word for a maker's own code is `display-fault`."""
    name = DisplayFaultCode(code).name if code in set(DisplayFaultCode) else "fault"
    return f"display-{name.lower().replace('_', '-')}"


def _shows(status: object) -> tuple[int, bool] | None:
    return (status.shown_cents, status.fault_shown) if isinstance(status, DisplayStatus) else None
