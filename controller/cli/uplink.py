"""`sabot uplink --config FILE`: sends the table's entries to the floor, and brings back signatures and pool statements.

Runs in this process until a signal. Also sends the table's mark to the configured witnesses.
"""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Serves the uplink until the process is ended. Raises ConfigRefused, CliFailure, SocketDirectoryRefused."""
    from controller.config import read_config
    from controller.uplink.serve import serve
    from controller.uplink.settings import UplinkSettings, WitnessPlace

    config = read_config(arguments.config, ports_may_be_missing=True)
    if (uplink := config.uplink) is None:
        raise CliFailure(ExitCode.USAGE, "uplink-missing", file=str(arguments.config))
    settings = UplinkSettings(
        socket=config.socket or client_socket(os.environ),
        table=config.table.id,
        host=uplink.host,
        port=uplink.port,
        authority=uplink.authority,
        certificate=uplink.certificate,
        witnesses=tuple(WitnessPlace(one.key, one.url) for one in uplink.witnesses),
    )
    serve(settings, lambda: talk.told(talk.words("cli.uplink.carries", where=f"{uplink.host}:{uplink.port}")))
    return ExitCode.OK
