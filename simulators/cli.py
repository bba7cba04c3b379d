"""`sabot-sim`: the command line. Each subcommand stands in a module of its own that adds itself to the parser."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from simulators import device_command, power_cuts
from simulators.demo import command as demo_command
from simulators.world import command as world_command

# One row for each subcommand: given `add_parser`, it adds its parser and sets the parser's default `run` to a
# function from parsed arguments to exit code.
COMMANDS: tuple[Callable[[Callable[..., argparse.ArgumentParser]], None], ...] = (
    device_command.add_to,
    demo_command.add_to,
    world_command.add_to,
    power_cuts.add_to,
)


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    whole = argparse.ArgumentParser(prog="sabot-sim", description="Simulated devices, tables and worlds for Sabot.")
    subparsers = whole.add_subparsers(metavar="COMMAND", required=True)
    for add_to in COMMANDS:
        add_to(subparsers.add_parser)
    return whole


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command: 0 well, 1 a check failed, its reader has gone or somebody has interrupted it, 2 wrong usage."""
    given = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = given.run
    try:
        return run(given)
    except BrokenPipeError:  # `--explain | head`: Python's own flush at exit shall not complain either
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:  # of a command that has nothing to end and nothing to tell
        print("interrupted", file=sys.stderr)
        return 1
