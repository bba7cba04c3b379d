"""`sabot device list`: lists the serial ports of this computer under the names that a configuration should use."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from msgspec.structs import asdict

from controller.cli.talk import Talk, quoted
from controller.machine.exits import ExitCode
from drivers.port_list import found_ports


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--json", action="store_true", help=words("cli.option.json"))
    parser.set_defaults(run=run)


def run(_arguments: Namespace, talk: Talk) -> ExitCode:
    ports = found_ports()
    talk.document({"ports": [asdict(port) for port in ports]})
    for port in ports:
        stable = port.by_path or port.by_id or talk.words("cli.device.no-stable-name")
        talk.result(quoted("  ".join(filter(None, (port.path, stable, port.description, port.serial_number)))))
    if not ports:
        talk.result(talk.words("cli.device.no-ports"))
    return ExitCode.OK
