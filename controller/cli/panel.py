"""`sabot panel --config FILE`: runs the web panel in this process."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from controller.cli.talk import Talk
from controller.daemon.notify import Notifier
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket
from drivers.errors import system_word

if TYPE_CHECKING:
    from controller.panel.first import Asks
    from controller.protocol.stopped import Cause

LOCAL: Final = "127.0.0.1"
DEFAULT_PORT: Final = 8021


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--listen", metavar="ADDRESS", help=words("cli.option.listen"))
    parser.add_argument("--port", type=int, metavar="N", help=words("cli.option.panel-port"))
    parser.add_argument("--visitors", action="store_true", help=words("cli.option.panel-visitors"))
    parser.add_argument("--update", type=Path, metavar="SOCKET", help=words("cli.option.panel-update"))
    parser.add_argument("--commission", type=Path, metavar="SOCKET", help=words("cli.option.panel-commission"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Serves the panel until the process is ended. A commissioning or an update under way is served first.

    Raises ConfigRefused, CliFailure, SocketDirectoryRefused.
    """
    if arguments.commission is not None:
        _before_the_table(arguments, talk)
    if arguments.update is not None and arguments.update.exists():
        _during_an_update(arguments, talk)
    from ssl import SSLError

    from controller.config import read_config
    from controller.panel.serve import ListenRefused, listen, serve
    from controller.panel.settings import PRACTICE, PanelSettings

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
        is_practice=config.table.simulated and config.table.id == PRACTICE,
        has_own_screen=not arguments.visitors,
    )
    where = f"{panel.listen}:{panel.port}"
    try:
        with listen(settings) as server:
            serve(settings, server, partial(_serves, talk))
    except ListenRefused as error:  # worth another try: the network may come up, or the port become free
        raise CliFailure(ExitCode.FAILED, "panel-refused", where=where, detail=system_word(error)) from error
    except OSError as error:  # another try would meet the same certificate
        detail = "no-certificate" if isinstance(error, SSLError) else system_word(error)  # SSL numbers its own errors
        raise CliFailure(ExitCode.USAGE, "panel-refused", where=where, detail=detail) from error
    return ExitCode.OK


def _before_the_table(arguments: Namespace, talk: Talk) -> None:
    """Serves pages until the configuration can be read. They are the pages of a commissioning, or one page on the
    unreadable configuration.

    Raises CliFailure.
    """
    from controller.panel.first import SETTING_UP, commission_at
    from controller.panel.unconfigured import NOT_STARTED, unconfigured

    commission, config = arguments.commission, arguments.config
    if commission.exists():
        _at_own_screen(arguments, talk, commission_at(commission), SETTING_UP)
    while _cause(config) is not None:
        if commission.exists():
            _at_own_screen(arguments, talk, commission_at(commission), SETTING_UP)
        else:
            _at_own_screen(arguments, talk, unconfigured(partial(_cause, config), commission.exists), NOT_STARTED)


def _during_an_update(arguments: Namespace, talk: Talk) -> None:
    """Serves the pages of an update until the update is over. Raises CliFailure."""
    from controller.panel.first import UPDATING, while_there

    _at_own_screen(arguments, talk, while_there(arguments.update), UPDATING)


def _cause(config: Path) -> "Cause | None":
    """Returns the reason why the configuration in the file `config` is unreadable. Returns None if it is readable."""
    from controller.config import ConfigRefused, read_config
    from controller.protocol.stopped import Cause

    try:
        read_config(config, ports_may_be_missing=True)
    except ConfigRefused:  # on the card the configuration lies on the data partition
        return Cause.CONFIGURATION if config.exists() else Cause.MEDIUM_AWAY
    return None


def _at_own_screen(arguments: Namespace, talk: Talk, asks: "Asks", headline: str) -> None:
    """Serves pages on this computer's own screen until `asks` returns the end of its questions. Raises CliFailure."""
    from controller.catalogue import Language
    from controller.panel.first import First, serve_first
    from controller.panel.serve import ListenRefused, listen
    from controller.panel.settings import PanelSettings

    port = DEFAULT_PORT if arguments.port is None else _port(arguments.port)
    settings = PanelSettings(
        arguments.commission, LOCAL, port, None, names=(), screen="10in", languages=tuple(Language), currency="EUR"
    )
    try:
        with listen(settings) as server:
            serve_first(First(settings, asks, headline), server, partial(_serves, talk))
    except ListenRefused as error:
        where = f"{LOCAL}:{port}"
        raise CliFailure(ExitCode.FAILED, "panel-refused", where=where, detail=system_word(error)) from error


def _serves(talk: Talk, url: str) -> None:
    """Tells systemd, and the program that started the panel, that the panel serves. A browser that connects earlier may
    stay white.
    """
    Notifier(os.environ).ready()
    talk.told(talk.words("cli.panel.serves", url=url))


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
