"""`sabot device ...`: the commands for single devices and serial ports. Each subcommand has its own module."""

from argparse import ArgumentParser
from collections.abc import Callable
from typing import Final

from controller.cli import (
    device_conform,
    device_list,
    device_pair,
    device_probe,
    device_show,
    device_test,
    device_trace,
    device_watch,
)

Register = Callable[[ArgumentParser, Callable[[str], str]], None]

SUBCOMMANDS: Final[tuple[tuple[str, Register], ...]] = (
    ("list", device_list.register),
    ("probe", device_probe.register),
    ("watch", device_watch.register),
    ("conform", device_conform.register),
    ("pair", device_pair.register),
    ("show", device_show.register),
    ("test", device_test.register),
    ("trace", device_trace.register),
)


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, add in SUBCOMMANDS:
        text = words(f"cli.device.{name}")
        add(commands.add_parser(name, help=text, description=text), words)
