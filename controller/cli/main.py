"""The `sabot` command: its subcommands, and how each of them ends."""

import os
import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

from controller.catalogue import Language, language_of, sentence
from controller.cli import act, config, device, journal, profile, run, staff, status
from controller.cli.client import Unreachable
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.config import ConfigRefused
from controller.socket_path import SocketDirectoryRefused
from controller.staff import StaffRefused

Register = Callable[[ArgumentParser, Callable[[str], str]], None]

COMMANDS: Final[tuple[tuple[str, Register], ...]] = (
    ("run", run.register),
    ("status", status.register),
    ("act", act.register),
    ("config", config.register),
    ("profile", profile.register),
    ("staff", staff.register),
    ("journal", journal.register),
    ("device", device.register),
)

_WITH_JSON: Final = ("status", "act")
"""The commands without subcommands that have a JSON document; the others say so themselves."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs one command. 0 well, 1 a check failed, 2 wrong usage or configuration."""
    language = language_of(os.environ)
    parsed = _parser(language).parse_args(arguments)
    talk = Talk(language, getattr(parsed, "json", False))
    try:
        return int(parsed.run(parsed, talk))
    except CliFailure as failure:
        return _failed(talk, failure)
    except ConfigRefused as refused:
        text = "\n".join(refused.lines(language))
        return _end(talk, ExitCode.USAGE, "config", text)
    except StaffRefused as refused:
        return _end(talk, ExitCode.USAGE, "staff", sentence(refused.key, refused.values, language))
    except Unreachable as error:
        text = talk.words("cli.error.unreachable", path=str(error.path), reason=error.reason)
        return _end(talk, ExitCode.FAILED, "unreachable", text)
    except SocketDirectoryRefused as refused:
        text = talk.words("cli.error.socket-directory", directory=str(refused.directory))
        return _end(talk, ExitCode.USAGE, "socket-directory", text)
    except BrokenPipeError:
        _forget_stdout()
        return ExitCode.OK
    except KeyboardInterrupt:
        return ExitCode.OK


class WholeOptionsParser(ArgumentParser):
    """Takes no abbreviated options: `--pin 4711` is not `--pin-fd`. Its subparsers are of this class, too."""

    def __init__(self, prog: str | None = None, *, description: str | None = None) -> None:
        super().__init__(prog, description=description, allow_abbrev=False)


def _parser(language: Language) -> ArgumentParser:
    words = partial(sentence, values=(), language=language)
    parser = WholeOptionsParser("sabot", description=words("cli.description"))
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, register in COMMANDS:
        text = words(f"cli.command.{name}")
        command = commands.add_parser(name, help=text, description=text)
        if name in _WITH_JSON:
            command.add_argument("--json", action="store_true", help=words("cli.option.json"))
        register(command, words)
    return parser


def _failed(talk: Talk, failure: CliFailure) -> int:
    text = talk.words(f"cli.error.{failure.error}", **failure.values)
    return _end(talk, failure.exit_code, failure.error, text, failure.document)


def _end(talk: Talk, exit_code: ExitCode, code: str, text: str, document: object = None) -> int:
    talk.document(document or {"ok": False, "error": {"code": code, "text": text}})
    talk.aside(text)
    return exit_code


def _forget_stdout() -> None:
    """The reader has gone (`sabot status | head`): Python's own flush at exit shall not complain either."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
