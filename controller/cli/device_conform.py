"""`sabot device conform PORT --kind KIND`: whether a device keeps our own protocol, duty by duty (PROTOCOL.md)."""

import select
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import Final

from controller.cli.device_direct import KINDS, DirectPort, add_line_options
from controller.cli.talk import Talk
from controller.config import Protocol
from controller.devices.device_kinds import KINDS as DEVICE_KINDS
from controller.machine.exits import CliFailure, ExitCode
from drivers.errors import PortLost
from drivers.ports import Port
from drivers.tdp_driver import session_opening
from firmware_protocols.tdp.conform.line import Broken, Host, Schema
from firmware_protocols.tdp.conform.suite import CHECKS, Made, Outcome, make_checks

_SCHEMAS: Final[dict[str, Schema]] = {
    name: row.tdp.schema for name, device in KINDS.items() if (row := DEVICE_KINDS[device]).tdp is not None
}
_NAMES: Final = [check.name for check in CHECKS]
_START_BITS: Final = 20
"""Of the opening: seconds, so that a later run has newer ones."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("port", metavar="PORT", help=words("cli.option.device-port"))
    parser.add_argument("--kind", choices=list(_SCHEMAS), required=True, help=words("cli.option.device-kind"))
    parser.add_argument("--cards", action="store_true", help=words("cli.option.conform-cards"))
    parser.add_argument(
        "--check", choices=_NAMES, action="append", default=[], metavar="NAME", help=words("cli.option.conform-check")
    )
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    add_line_options(parser, words)
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """0: every duty that was tried is kept. Each is told when it is done."""
    open_port = DirectPort(arguments, Protocol.TDP)
    port = open_port()
    try:
        made = _made(arguments, talk, port, is_simulated=open_port.is_simulated)
    except PortLost as error:
        raise CliFailure(ExitCode.FAILED, "port-went", port=arguments.port, detail=error.reason) from error
    finally:
        port.close()
    broken = [one for one in made if one.outcome is Outcome.BROKEN]
    talk.document({"ok": not broken, "port": arguments.port, "kind": arguments.kind, "checks": list(map(_row, made))})
    counts = {outcome.value: str(sum(one.outcome is outcome for one in made)) for outcome in Outcome}
    talk.result(talk.words("cli.device.conform-end", **counts))
    return ExitCode.FAILED if broken else ExitCode.OK


def _made(arguments: Namespace, talk: Talk, port: Port, *, is_simulated: bool) -> list[Made]:
    """CliFailure where nobody answers at all."""
    opening = session_opening(int(time.time()) % (1 << _START_BITS), 0)
    host = Host(PortLine(port), _SCHEMAS[arguments.kind], opening, is_simulated=is_simulated or None)
    try:
        host.open()
    except Broken as error:
        if not host.boot:
            protocol = Protocol.TDP.value
            raise CliFailure(ExitCode.FAILED, "nobody-answers", port=arguments.port, protocol=protocol) from error
    made = []
    for one in make_checks(host, moves=arguments.cards, only=arguments.check):
        talk.result(_line(one, talk))
        made.append(one)
    return made


def _line(made: Made, talk: Talk) -> str:
    text = talk.words(f"cli.conform.{made.check.name}")
    found = talk.words(f"cli.conform-skipped.{made.found}") if made.outcome is Outcome.SKIPPED else made.found
    return talk.words(f"cli.device.conform-{made.outcome}", section=str(made.check.section), text=text, found=found)


def _row(made: Made) -> dict[str, object]:
    return {
        "check": made.check.name,
        "section": made.check.section,
        "outcome": made.outcome.value,
        "found": made.found or None,
    }


class PortLine:
    """An open port as a line (satisfies `Line`). Every method raises PortLost."""

    def __init__(self, port: Port) -> None:
        self._port = port

    def now_s(self) -> float:
        return time.monotonic()

    def say(self, data: bytes) -> None:
        while data:
            self._wait(select.POLLOUT, None)
            data = data[self._port.write(data) :]

    def hear(self, until_s: float) -> bytes:
        self._wait(select.POLLIN, max(0.0, until_s - self.now_s()))
        return self._port.read()

    def _wait(self, what: int, seconds: float | None) -> None:
        poller = select.poll()
        poller.register(self._port.fileno(), what)
        poller.poll(None if seconds is None else seconds * 1000)
