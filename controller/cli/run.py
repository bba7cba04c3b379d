"""`sabot run --config FILE`: runs the controller in this process."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from controller.cli.talk import Talk
from controller.machine.memory import made_to_stay


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, _talk: Talk) -> int:
    with made_to_stay():
        from controller.daemon.run import run as run_controller  # the whole controller, which only this command needs

    return run_controller(arguments.config)
