"""`sabot status`: what the table is doing, why it is held, what is next, who may; once, or as long as it runs."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Iterable, Mapping
from typing import Final

import msgspec

from controller.cli.client import Unreachable
from controller.cli.reach import add_socket_options, connect, failure_of, unreachable
from controller.cli.render import decode_status, status_lines
from controller.cli.status_check import State, check
from controller.cli.talk import CliFailure, ExitCode, Talk
from controller.protocol.lines import Answer
from controller.protocol.status import Status

_CLEAR_SCREEN: Final = "\x1b[H\x1b[2J"


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--watch", action="store_true", help=words("cli.option.watch"))
    how.add_argument("--check", action="store_true", help=words("cli.option.check"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode | State:
    """Exit code 0: plays or closed; 3: held, without JSON; 4: no controller. With `--check` those of Nagios."""
    if arguments.check:
        return _check(arguments, talk)
    try:
        return _show(arguments, talk)
    except Unreachable as nobody:
        raise unreachable(nobody, ExitCode.UNREACHABLE) from nobody


def _show(arguments: Namespace, talk: Talk) -> ExitCode:
    with connect(arguments) as client:
        if arguments.watch:
            _watch(talk, client.changes())
            return ExitCode.OK
        answer = client.ask("status")
    status = _document(_status(answer))
    talk.document(answer.document()["status"])
    talk.result(_page(talk, status))
    return ExitCode.HELD if status.holds and not talk.as_json else ExitCode.OK


def _check(arguments: Namespace, talk: Talk) -> State:
    """One line for monitoring, whatever happens."""
    try:
        with connect(arguments) as client:
            found = check(_document(_status(client.ask("status"))))
    except Unreachable as nobody:
        failure = unreachable(nobody)
        return _say_check(talk, State.CRITICAL, talk.words(f"cli.error.{failure.error}", **failure.values))
    except CliFailure as failure:
        return _say_check(talk, State.UNKNOWN, talk.words(f"cli.error.{failure.error}", **failure.values))
    what = " ".join(talk.words(f"cli.check.{one.key}", **one.values) for one in found.troubles)
    title = talk.words("cli.check.table", table=found.table, state=found.doing)
    return _say_check(talk, found.state, f"{title} {what}".strip(), found.figures)


def _say_check(talk: Talk, state: State, text: str, figures: Mapping[str, str] | None = None) -> State:
    """The form that Nagios, Icinga and Checkmk read: STATE - text | name=value name=value."""
    line = " ".join(text.replace("|", "/").split())
    shown = " ".join(f"{name}={value}" for name, value in (figures or {}).items())
    talk.document({"state": state.name.lower(), "exit_code": state.value, "text": line, "figures": figures or {}})
    talk.result(f"SABOT {state.name} - {line}" + (f" | {shown}" if shown else ""))
    return state


def _watch(talk: Talk, changes: Iterable[Answer]) -> None:
    """Renders again at every change; with JSON, one object a line: the snapshot, then the changes."""
    status: dict[str, msgspec.Raw] = {}
    for change in changes:
        status |= _status(change) if change.changed is None else change.changed
        page = _page(talk, _document(status))
        if talk.as_json:
            talk.line({name: value for name, value in change.document().items() if name != "ok"})
        else:
            talk.told(f"{_CLEAR_SCREEN if sys.stdout.isatty() else ''}{page}\n")


def _status(answer: Answer) -> Mapping[str, msgspec.Raw]:
    if answer.status is None:
        raise failure_of(answer)
    return answer.status


def _document(status: Mapping[str, msgspec.Raw]) -> Status:
    try:
        return decode_status(status)
    except msgspec.DecodeError as error:
        raise CliFailure(ExitCode.FAILED, "not-understood", detail=str(error)) from error


def _page(talk: Talk, status: Status) -> str:
    return "\n".join(status_lines(status, talk.language))
