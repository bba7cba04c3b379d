"""`sabot panel --config FILE`: the web panel, in this process."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket
from drivers.errors import system_word


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--listen", metavar="ADDRESS", help=words("cli.option.listen"))
    parser.add_argument("--port", type=int, metavar="N", help=words("cli.option.panel-port"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Serves until it is ended. Raises ConfigRefused, CliFailure, SocketDirectoryRefused."""
    from ssl import SSLError

    from controller.config import read_config
    from controller.panel.serve import ListenRefused, listen, serve
    from controller.panel.settings import PanelSettings

    config = read_config(arguments.config, ports_may_be_missing=True)
    panel = config.panel
    if arguments.listen is not None:
        panel = replace(panel, listen=_address(arguments.listen, has_certificate=panel.certificate is not None))
    if arguments.port is not None:
        panel = replace(panel, port=_port(arguments.port))
    settings = PanelSettings(
        socket=config.socket or client_socket(os.environ),
        listen=panel.listen,
        port=panel.port,
        certificate=panel.certificate,
        names=panel.names,
        screen=panel.screen.value,
        languages=panel.languages,
        currency=config.table.currency,
    )
    where = f"{panel.listen}:{panel.port}"
    try:
        with listen(settings) as server:
            serve(settings, server, lambda url: talk.told(talk.words("cli.panel.serves", url=url)))
    except (
        ListenRefused
    ) as error:  # the address may come with the network, or the port be given back: it is tried again
        raise CliFailure(ExitCode.FAILED, "panel-refused", where=where, detail=system_word(error)) from error
    except OSError as error:  # a certificate that cannot be used stays so
        detail = "no-certificate" if isinstance(error, SSLError) else system_word(error)  # its numbers are its own
        raise CliFailure(ExitCode.USAGE, "panel-refused", where=where, detail=detail) from error
    return ExitCode.OK


def _address(text: str, *, has_certificate: bool) -> str:
    try:
        address = ip_address(text)
    except ValueError as error:
        raise CliFailure(ExitCode.USAGE, "listen-form", value=text) from error
    if not address.is_loopback and not has_certificate:
        raise CliFailure(ExitCode.USAGE, "listen-without-tls", value=text)
    return str(address)


def _port(number: int) -> int:
    if not 0 <= number < 65_536:
        raise CliFailure(ExitCode.USAGE, "port-form", value=str(number))
    return number
