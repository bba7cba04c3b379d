"""`sabot-sim`: the command line of the simulators. Each subcommand has a module of its own."""

import argparse
import os
import sys
from collections.abc import Callable, Container, Sequence
from importlib import import_module
from typing import Final

from controller.catalogue import Language, language_of
from controller.cli.parser import parser_class
from controller.machine.interrupt import keep_interrupts
from simulators.spoken import words

COMMANDS: Final = {
    "device": "simulators.device_command",
    "hands": "simulators.hands_socket",
    "table": "simulators.table_command",
    "demo": "simulators.demo.command",
    "train": "simulators.demo.train",
    "world": "simulators.world.command",
    "floor": "simulators.floor.command",
    "power-cuts": "simulators.power_cuts",
}
"""The module of each subcommand.

A module's `add_options` adds options to its parser and sets the default `run` to a function from parsed arguments to
exit code. Only the module of the given command is imported, since the import of all modules takes a second.
"""

DEVELOPERS: Final = ("world", "power-cuts")
"""Subcommands that speak only English."""


def parser_of(wanted: Container[str | None]) -> argparse.ArgumentParser:
    """Makes the parser of the command line; only the subcommands in `wanted` get their options."""
    language = Language.EN if any(name in wanted for name in DEVELOPERS) else language_of(os.environ)
    said = words(language)
    whole = parser_class(language)("sabot-sim", description=said["help.sabot-sim"])
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for name, module in COMMANDS.items():
        text = said[f"help.{name}"]
        command = subparsers.add_parser(name, help=text, description=text)
        if name in wanted:
            import_module(module).add_options(command)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code: 0 for success, 1 for a failed check, an interrupt or a closed pipe, 2
    if the command cannot run.

    Raises SystemExit for wrong usage and for `--help`.
    """
    if arguments is None:
        keep_interrupts()
    words = sys.argv[1:] if arguments is None else arguments
    wanted = next((word for word in words if not word.startswith("-")), None)
    given = parser_of({wanted}).parse_args(words)
    run: Callable[[argparse.Namespace], int] = given.run
    try:
        return run(given)
    except BrokenPipeError:  # as in `--explain | head`; Python's own flush at exit must not fail either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:  # in a command without anything to clear away
        print("interrupted", file=sys.stderr)
        return 1
