"""`sabot floor --config FILE [--fleet [--json]]`: replaces this process with the floor's own program."""

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final, NoReturn

from controller.cli.talk import Talk
from controller.machine.exits import CliFailure, ExitCode

PROGRAM: Final = "sabot-floor"


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, required=True, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--fleet", action="store_true", help=words("floor.fleet"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> NoReturn:
    """Replaces this process with the floor's program. Raises CliFailure if the program is not installed."""
    beside = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    program = shutil.which(PROGRAM, path=beside)
    if program is None:
        raise CliFailure(ExitCode.USAGE, "floor-missing")
    more = [word for word, is_asked in (("--fleet", arguments.fleet), ("--json", talk.as_json)) if is_asked]
    os.execv(program, [program, "--config", str(arguments.config), *more])  # noqa: S606 - no shell
