"""`sabot config check FILE`: lists every error of a configuration at once."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import asdict

from controller.cli.talk import Talk
from controller.config import ConfigRefused, read_config
from controller.machine.exits import ExitCode


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    check = commands.add_parser("check", help=words("cli.config.check"), description=words("cli.config.check"))
    check.add_argument("file", type=Path, metavar="FILE", help=words("cli.option.file"))
    check.add_argument("--ports-may-be-missing", action="store_true", help=words("cli.option.ports"))
    check.add_argument("--json", action="store_true", help=words("cli.option.json"))
    check.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    file: Path = arguments.file
    try:
        config = read_config(file, ports_may_be_missing=arguments.ports_may_be_missing)
    except ConfigRefused as refused:
        errors = [asdict(words) for words in refused.words(talk.language)]
        talk.document({"ok": False, "file": str(file), "errors": errors})
        for line in refused.lines(talk.language):
            talk.result(line)
        return ExitCode.USAGE
    talk.document({"ok": True, "file": str(file), "errors": [], "config_digest": config.digest})
    talk.result(talk.words("cli.config.ok", file=str(file), table=config.table.id, profile=config.table.profile))
    return ExitCode.OK
