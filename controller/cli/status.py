"""`sabot status`: what the table is doing, why it is held, what is next, who may; once, or as long as it runs."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from controller.cli.client import Answer
from controller.cli.reach import add_socket_options, connect, failure_of
from controller.cli.render import decode_status, status_lines
from controller.cli.talk import CliFailure, ExitCode, Talk

_CLEAR_SCREEN: Final = "\x1b[H\x1b[2J"


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    parser.add_argument("--watch", action="store_true", help=words("cli.option.watch"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    with connect(arguments) as client:
        if arguments.watch:
            _watch(talk, client.changes())
        else:
            answer = client.ask("status")
            page = _page(talk, _status(answer))
            talk.document(answer.document()["status"])
            talk.result(page)
    return ExitCode.OK


def _watch(talk: Talk, changes: Iterable[Answer]) -> None:
    """Renders again at every change; with JSON, one object a line: the snapshot, then the changes."""
    status: dict[str, msgspec.Raw] = {}
    for change in changes:
        status |= _status(change) if change.changed is None else change.changed
        page = _page(talk, status)
        if talk.as_json:
            talk.line({name: value for name, value in change.document().items() if name != "ok"})
        else:
            talk.told(f"{_CLEAR_SCREEN if sys.stdout.isatty() else ''}{page}\n")


def _status(answer: Answer) -> Mapping[str, msgspec.Raw]:
    if answer.status is None:
        raise failure_of(answer)
    return answer.status


def _page(talk: Talk, status: Mapping[str, msgspec.Raw]) -> str:
    try:
        return "\n".join(status_lines(decode_status(status), talk.language))
    except msgspec.DecodeError as error:
        raise CliFailure(ExitCode.FAILED, "not-understood", detail=str(error)) from error
