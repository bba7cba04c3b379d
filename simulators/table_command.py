"""`sabot-sim table`: simulates every device of a configuration as one table, with hands led by a script or a person.

The card reader at the shuffler's mouth sees each card that leaves. So people can rehearse a table's commissioning
before its devices arrive.
"""

import argparse
import os
import signal
import sys
import threading
from collections.abc import Iterable
from pathlib import Path

import msgspec

from controller.catalogue import language_of
from controller.config import Config, ConfigRefused, read_config
from controller.core.words import Device
from simulators.demo.equipment import Equipment, set_up
from simulators.demo.incidents import Incidents
from simulators.devices.faults import FaultPlan
from simulators.devices.shuffler_firmware import FAST_PACE
from simulators.hand_words import BadLineError, hand_act, usage, values_of
from simulators.people.choices import Choices
from simulators.pty_port import LinkInUseError
from simulators.spoken import said, system_said

OWN_WORDS = ("look", "wait seconds=", "unplug device=", "restart device=", "badge number=", "help", "end")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Gives `parser` the options of `sabot-sim table`, and `run` as the function of the subcommand."""
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=said("help.config"))
    parser.add_argument("--script", type=Path, metavar="FILE", help=said("help.script"))
    parser.add_argument("--by-hand", action="store_true", help=said("help.by-hand"))
    parser.add_argument("--seed", type=int, default=1, metavar="S", help=said("help.seed"))
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Runs a simulated table. Returns 0 at its end, 1 for a wrong line in the script, 2 if the table cannot
    be set up.
    """
    try:
        config = read_config(arguments.config, ports_may_be_missing=True)
    except ConfigRefused as refused:
        print("\n".join(refused.lines(language_of(os.environ))), file=sys.stderr)
        return 2
    if not config.table.simulated:
        print(said("wrong.not-simulated", path=arguments.config), file=sys.stderr)
        return 2
    over = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: over.set())
    try:
        for link in (*(one.port for one in config.devices), *(one.port for one in config.parts)):
            Path(link).parent.mkdir(parents=True, exist_ok=True)
        with _equipment(config, arguments.seed) as equipment:
            return Hands(equipment, over).follow(arguments)
    except LinkInUseError as error:
        print(f"sabot-sim table: {error}", file=sys.stderr)
    except OSError as error:
        print(f"sabot-sim table: {system_said(error)}", file=sys.stderr)
    return 2


def _equipment(config: Config, seed: int) -> Equipment:
    """Makes the table's devices without planned faults, so that only deeds cause faults."""
    wires = {one.kind: (one.protocol.value, Path(one.port)) for one in config.devices}
    part_links = {part.kind.value: Path(part.port) for part in config.parts}
    choices, quiet = Choices(seed, cards=52 * config.table.decks), Incidents(FaultPlan(), FaultPlan(), [])
    return set_up(config.table.profile, wires, part_links, choices, quiet, FAST_PACE)


class Hands:
    """Reads deeds from lines of text and does them at the simulated table."""

    def __init__(self, equipment: Equipment, over: threading.Event) -> None:
        self._equipment = equipment
        self._over = over

    def follow(self, arguments: argparse.Namespace) -> int:
        """Does the deeds of the script. With `--by-hand` also does the deeds that a person types on stdin. Then waits
        until the table ends. Returns the exit code: 1 for a wrong line in the script, 0 otherwise.
        """
        links = ", ".join(f"{kind.value}: {port.link}" for kind, port in self._equipment.ports.items())
        print(said("runs.table", links=links or "-"), file=sys.stderr, flush=True)
        if arguments.script is not None and not self._lines(arguments.script.read_text("utf-8").splitlines()):
            return 1
        if arguments.by_hand:
            self._lines(sys.stdin, goes_on=True)
        self._over.wait()
        return 0

    def _lines(self, lines: Iterable[str], *, goes_on: bool = False) -> bool:
        """Does deeds line by line. At a wrong line prints the error and returns False, or with `goes_on` skips the
        line. Returns True at the end.
        """
        for line in lines:
            words = line.partition("#")[0].split()
            try:
                if words:
                    self._do(words[0], values_of(words[1:]))
            except BadLineError as error:
                print(f"sabot-sim table: {error}", file=sys.stderr, flush=True)
                if not goes_on:
                    return False
            if self._over.is_set():
                break
        return True

    def _do(self, word: str, given: dict[str, str]) -> None:
        match word:
            case "look":
                print(msgspec.json.encode(self._equipment.look()).decode(), flush=True)
            case "help":
                print("\n".join((*OWN_WORDS, *usage())), flush=True)
            case "end":
                self._over.set()
            case "wait":
                self._over.wait(_number(given))
            case "unplug":
                self._equipment.ports[self._device(given)].unplug()
            case "restart":
                self._equipment.restart(self._device(given))
            case "badge":
                self._equipment.parts.identify(given.get("number", ""))
            case _:
                self._equipment.do(hand_act(word, given))

    def _device(self, given: dict[str, str]) -> Device:
        known = {kind.value: kind for kind in self._equipment.ports}
        if given.get("device") not in known:
            raise BadLineError("value", given="device=", right=", ".join(known))
        return known[given["device"]]


def _number(given: dict[str, str]) -> float:
    try:
        return float(given.get("seconds", "1"))
    except ValueError as error:
        raise BadLineError("value", given="seconds=", right="1.5") from error
