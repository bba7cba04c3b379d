"""The `sabot` command: runs one subcommand and turns its failures into exit codes."""

import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Container, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Final

from controller.catalogue import Language, language_of, sentence
from controller.cli.parser import parser_class
from controller.cli.talk import Talk, forget_stdout, print_in_any_encoding
from controller.machine.crash import keep_values_in
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.interrupt import keep_interrupts
from controller.machine.new_files import keep_new_files_usable

if TYPE_CHECKING:
    from controller.cli.errors import Refused

Register = Callable[[ArgumentParser, Callable[[str], str]], None]

COMMANDS: Final = (
    "run", "panel", "status", "act", "config", "profile", "scenario", "clauses", "staff", "journal", "device", "doctor",
    "commission", "backup", "restore", "decommission", "metrics", "uplink", "floor", "witness", "update",
)  # fmt: skip
"""The modules of this folder that are subcommands. Only the wanted module is imported, since all would take 0.3 s."""

_WITH_JSON: Final = ("status", "act", "clauses", "doctor", "commission", "backup", "restore", "decommission", "floor")
"""The commands without subcommands that can print JSON. Commands with subcommands add `--json` to each themselves."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. Returns 0 if the command is done, 1 if it is refused or fails, 2 for wrong usage or
    configuration. `sabot status` and `sabot doctor` have exit codes of their own. If `arguments` is None, reads the
    arguments of the process. The process then runs only one command.
    """
    if arguments is None:
        keep_values_in()
        keep_interrupts()
        keep_new_files_usable()
        print_in_any_encoding()
    language = language_of(os.environ)
    given = sys.argv[1:] if arguments is None else arguments
    wanted = next((word for word in given if not word.startswith("-")), None)
    talk, parsed = Talk(language, as_json=False), Namespace()
    if wanted is None and "--version" in given:
        return _version(Talk(language, "--json" in given))
    try:
        parsed = parser_of(language, {wanted}).parse_args(given)
        talk = Talk(language, getattr(parsed, "json", False))
        return int(parsed.run(parsed, talk))
    except CliFailure as failure:
        return _failed(talk, failure)
    except _refusals() as refused:  # imported only after a refusal
        return _end(talk, *_ending(refused, talk))
    except BrokenPipeError:
        forget_stdout()
        return ExitCode.OK
    except KeyboardInterrupt:
        return _interrupted(talk, parsed)


def _version(talk: Talk) -> ExitCode:
    from controller.machine.software import software  # it may start git

    found = software()
    talk.document({"version": found.version, "commit": found.commit, "changed": found.changed})
    talk.result(str(found))
    return ExitCode.OK


def parser_of(language: Language, wanted: Container[str | None]) -> ArgumentParser:
    """Returns the parser of all commands.

    Only the modules of the `wanted` commands are imported and add their options.
    """
    words = partial(sentence, values=(), language=language)
    parser = parser_class(language)("sabot", description=words("cli.description"))
    parser.add_argument("--version", action="store_true", help=words("cli.option.version"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in COMMANDS:
        text = words(f"cli.command.{name}")
        command = commands.add_parser(name, help=text, description=text)
        if name in _WITH_JSON:
            command.add_argument("--json", action="store_true", help=words("cli.option.json"))
        if name in wanted:
            register: Register = import_module(f"controller.cli.{name}").register
            register(command, words)
    return parser


def _refusals() -> tuple[type["Refused"], ...]:
    from controller.cli.errors import REFUSED

    return REFUSED


def _ending(refused: "Refused", talk: Talk) -> tuple[ExitCode, str, str]:
    from controller.cli.errors import ending

    return ending(refused, talk)


def _failed(talk: Talk, failure: CliFailure) -> int:
    text = talk.words(f"cli.error.{failure.error}", **failure.values)
    return _end(talk, failure.exit_code, failure.error, text, failure.document)


def _interrupted(talk: Talk, parsed: Namespace) -> int:
    """Returns the exit code after Ctrl-C: 0 for `--watch`, which people end in this way, 1 for any other command."""
    if getattr(parsed, "watch", False):
        return ExitCode.OK
    return _failed(talk, CliFailure(ExitCode.FAILED, "interrupted"))


def _end(talk: Talk, exit_code: ExitCode, code: str, text: str, document: object = None) -> int:
    talk.document(document or {"ok": False, "error": {"code": code, "text": text}})
    talk.aside(text)
    return exit_code


if __name__ == "__main__":
    sys.exit(main())
