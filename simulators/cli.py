"""`sabot-sim`: the command line. Each subcommand stands in a module of its own."""

import argparse
import os
import sys
from collections.abc import Callable, Container, Sequence
from importlib import import_module
from typing import Final

COMMANDS: Final = {
    "device": ("simulators.device_command", "one simulated device on a pty linked at PATH, until Ctrl-C"),
    "table": (
        "simulators.table_command",
        "all devices of a configuration as one coupled table on ptys, for a rehearsal",
    ),
    "demo": (
        "simulators.demo.command",
        "a whole simulated table: devices on ptys, the real controller, scripted people",
    ),
    "world": ("simulators.world.command", "many seeded tables in virtual time, with faults of every kind"),
    "power-cuts": (
        "simulators.power_cuts",
        "cut the power at every write and sync of a journal, and at every byte of its last records",
    ),
}
"""Of each subcommand its module and its help. A module's `add_options` adds options to its parser and sets the default
`run` to a function from parsed arguments to exit code. Only the one that is asked for is imported: all cost a second.
"""


def parser_of(wanted: Container[str | None]) -> argparse.ArgumentParser:
    """The command line; of the subcommands only those `wanted` are known with their options."""
    whole = argparse.ArgumentParser(prog="sabot-sim", description="Simulated devices, tables and worlds for Sabot.")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for name, (module, text) in COMMANDS.items():
        command = subparsers.add_parser(name, help=text, description=text)
        if name in wanted:
            import_module(module).add_options(command)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command: 0 well, 1 a check failed, its reader has gone or somebody has interrupted it, 2 wrong usage."""
    words = sys.argv[1:] if arguments is None else arguments
    wanted = next((word for word in words if not word.startswith("-")), None)
    given = parser_of({wanted}).parse_args(words)
    run: Callable[[argparse.Namespace], int] = given.run
    try:
        return run(given)
    except BrokenPipeError:  # `--explain | head`: Python's own flush at exit shall not complain either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:  # of a command that has nothing to end and nothing to tell
        print("interrupted", file=sys.stderr)
        return 1
