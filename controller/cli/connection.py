"""Opens the connection to the controller's socket for every command that needs the controller."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Client, Unreachable
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket
from controller.machine.users import group_of
from controller.protocol.lines import Answer


def add_socket_options(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--config", type=Path, metavar="FILE", help=words("cli.option.config"))
    where.add_argument("--socket", type=Path, metavar="PATH", help=words("cli.option.socket"))


def connect(arguments: Namespace) -> Client:
    """Returns a client that is connected to the controller. Raises Unreachable, SocketDirectoryRefused, ConfigRefused.

    With `--config`, raises CliFailure if the controller of another table answers.
    """
    if arguments.config is None:
        return Client(arguments.socket or client_socket(os.environ))
    from controller.config import read_config

    config = read_config(arguments.config, ports_may_be_missing=True)
    path = config.socket or client_socket(os.environ)
    client = Client(path)
    try:
        _check_table(client, config.table.id, path)
    except BaseException:
        client.close()
        raise
    return client


def _check_table(client: Client, expected: str, path: Path) -> None:
    """Raises CliFailure if the socket belongs to another table. A PIN must not be sent to another table."""
    answer = client.ask("status")
    found = msgspec.json.decode((answer.status or {}).get("table", b'""'))
    if answer.ok and found != expected:
        raise CliFailure(ExitCode.FAILED, "table-of-other-socket", path=str(path), expected=expected, found=str(found))


def unreachable(nobody: Unreachable, exit_code: ExitCode = ExitCode.FAILED) -> CliFailure:
    """Returns the failure that ends a command if no controller answers, or if the command's user has no right to
    connect.
    """
    path = str(nobody.path)
    if nobody.is_denied:
        return CliFailure(exit_code, "socket-denied", path=path, group=group_of(nobody.path))
    return CliFailure(exit_code, "unreachable", path=path, reason=nobody.reason)


_USAGE_ERRORS: Final = ("bad-request", "unknown-act", "bad-value", "pin-missing")


def failure_of(answer: Answer) -> CliFailure:
    """Returns the failure that ends a command after an error of the controller. If `answer` has no error, the failure
    is "not-understood".
    """
    if answer.error is None:
        return CliFailure(ExitCode.FAILED, "not-understood")
    exit_code = ExitCode.USAGE if answer.error.code in _USAGE_ERRORS else ExitCode.FAILED
    values = {"code": answer.error.code, "text": answer.error.text}
    if not answer.error.wait_ms:
        return CliFailure(exit_code, "controller", answer.document(), **values)
    wait_s = str(-(-answer.error.wait_ms // 1000))  # rounded up
    return CliFailure(exit_code, "controller-wait", answer.document(), wait_s=wait_s, **values)
