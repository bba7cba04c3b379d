"""`sabot metrics`: the table's figures for Prometheus, once or again and again into a file for its node exporter."""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Unreachable
from controller.cli.reach import add_socket_options, connect
from controller.cli.render import decode_status
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.metrics import HoldAges, Seen, exposition, exposition_of_nobody

THERMAL: Final = Path("/sys/class/thermal/thermal_zone0/temp")
SHORTEST_S: Final = 1.0


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    parser.add_argument("--out", type=Path, metavar="FILE", help=words("cli.option.metrics-out"))
    parser.add_argument("--every", type=float, metavar="S", help=words("cli.option.metrics-every"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """A controller that does not answer is a figure, too: `sabot_up 0`."""
    every: float | None = arguments.every
    if every is not None and every < SHORTEST_S:
        values = {"option": "--every", "given": f"{every:g}", "low": f"{SHORTEST_S:g}", "high": "3600"}
        raise CliFailure(ExitCode.USAGE, "option-bounds", **values)
    ages = HoldAges()
    while True:
        _put(_figures(arguments, ages), arguments.out, talk)
        if every is None:
            return ExitCode.OK
        time.sleep(every)


def _figures(arguments: Namespace, ages: HoldAges) -> str:
    try:
        with connect(arguments) as client:
            status = decode_status(client.ask("status").status or {})
    except (Unreachable, msgspec.DecodeError):
        return exposition_of_nobody()
    return exposition(Seen(status, ages.ages(status.holds, time.monotonic()), _celsius()))


def _celsius() -> float | None:
    try:
        return int(THERMAL.read_text("ascii")) / 1000
    except (OSError, ValueError):
        return None


def _put(text: str, out: Path | None, talk: Talk) -> None:
    """Whole or not at all: a half file would be read as figures that are gone."""
    if out is None:
        talk.told(text.rstrip("\n"))
        return
    new = out.with_name(f".{out.name}.new")
    try:
        new.write_text(text, "ascii")
        os.chmod(new, 0o644)  # noqa: PTH101 - the node exporter is another user
        new.replace(out)
    except OSError as error:
        raise CliFailure(ExitCode.FAILED, "output", detail=f"{out}: {error.strerror}") from error
