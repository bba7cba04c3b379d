"""`sabot status`: shows the table's state, its holds, and the next acts with the people who may do them. The command
shows all this once, or continuously with `--watch`.
"""

import os
import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from typing import Final, NoReturn

import msgspec

from controller.cli.client import Client, Unreachable
from controller.cli.connection import add_socket_options, connect, failure_of, unreachable
from controller.cli.render import decode_status, status_lines
from controller.cli.status_check import State, check
from controller.cli.talk import Talk
from controller.cli.watch import Screen, watch_lines
from controller.machine.exits import CliFailure, ExitCode
from controller.protocol.lines import Answer
from controller.protocol.status import Status

AGAIN_AFTER_S: Final = 0.5
"""Seconds before another attempt to connect; a restarted controller answers after a second or two."""

_HOME: Final = "\x1b[H"
_REST_OF_LINE: Final = "\x1b[K"
_REST_OF_SCREEN: Final = "\x1b[J"


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    add_socket_options(parser, words)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--watch", action="store_true", help=words("cli.option.watch"))
    how.add_argument("--check", action="store_true", help=words("cli.option.check"))
    parser.add_argument("--devices", action="store_true", help=words("cli.option.devices"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode | State:
    """Shows the status. Returns 3 if the table has a hold and the output is text, else 0. With `--check` returns a
    Nagios exit code (`State`).

    Raises CliFailure, with exit code 4 if no controller answers.
    """
    if arguments.check:
        return _check(arguments, talk)
    try:
        return _show(arguments, talk)
    except Unreachable as nobody:
        raise unreachable(nobody, ExitCode.UNREACHABLE) from nobody


def _show(arguments: Namespace, talk: Talk) -> ExitCode:
    with connect(arguments) as client:
        if arguments.watch:
            _Watch(talk, arguments).follow(client)
        answer = client.ask("status")
    status = _document(_status(answer))
    talk.document(answer.document()["status"])
    talk.result(_page(talk, status))
    return ExitCode.HELD if status.holds and not talk.as_json else ExitCode.OK


def _check(arguments: Namespace, talk: Talk) -> State:
    """Prints one line for a monitoring system and returns the line's state. An unreachable controller is CRITICAL."""
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
    """Prints the line that Nagios, Icinga and Checkmk read (STATE - text | name=value ...), and returns `state`."""
    line = " ".join(text.replace("|", "/").split())
    shown = " ".join(f"{name}={value}" for name, value in (figures or {}).items())
    talk.document({"state": state.name.lower(), "exit_code": state.value, "text": line, "figures": figures or {}})
    talk.result(f"SABOT {state.name} - {line}" + (f" | {shown}" if shown else ""))
    return state


class _Watch:
    """Shows the status at every change until a person interrupts it. Connects again after the controller has gone.

    With JSON prints one object a line: the snapshot, then each change. A lost connection is printed as an error. The
    next connection begins with a snapshot.
    """

    def __init__(self, talk: Talk, arguments: Namespace) -> None:
        self._talk = talk
        self._arguments = arguments
        self._status: dict[str, msgspec.Raw] = {}
        self._is_screen = sys.stdout.isatty() and not talk.as_json
        self._in_colour = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"

    def follow(self, client: Client) -> NoReturn:
        """Shows every change. Raises Unreachable before the first snapshot, and CliFailure for an unreadable status."""
        while True:
            try:
                for change in client.changes():
                    self._take(change)
            except Unreachable as nobody:
                if not self._status:
                    raise
                self._lost(nobody)
            finally:
                client.close()
            client = self._connected()

    def _connected(self) -> Client:
        while True:
            time.sleep(AGAIN_AFTER_S)
            try:
                return connect(self._arguments)
            except Unreachable:  # its loss was reported already
                continue

    def _take(self, change: Answer) -> None:
        if change.changed is None:
            self._status = dict(_status(change))
        else:
            self._status |= change.changed
        if self._talk.as_json:
            self._talk.line({name: value for name, value in change.document().items() if name != "ok"})
        elif self._is_screen:
            self._draw()
        else:
            self._talk.told(f"{_page(self._talk, _document(self._status))}\n")

    def _lost(self, nobody: Unreachable) -> None:
        failure = unreachable(nobody)
        text = self._talk.words(f"cli.error.{failure.error}", **failure.values)
        if self._talk.as_json:
            self._talk.line({"ok": False, "error": {"code": failure.error, "text": text}})
        elif self._is_screen:
            self._draw(time.strftime("%H:%M:%S"))
        else:
            self._talk.aside(text)

    def _draw(self, lost_at: str = "") -> None:
        size = shutil.get_terminal_size()
        screen = Screen(size.columns, size.lines - 1, devices=self._arguments.devices, lost_at=lost_at)
        lines = watch_lines(_document(self._status), self._talk.language, screen)
        painted = (line.painted(screen.columns, in_colour=self._in_colour) for line in lines)
        self._talk.drawn(_HOME + "".join(f"{line}{_REST_OF_LINE}\n" for line in painted) + _REST_OF_SCREEN)


def _status(answer: Answer) -> Mapping[str, msgspec.Raw]:
    if answer.status is None:
        raise failure_of(answer)
    return answer.status


def _document(status: Mapping[str, msgspec.Raw]) -> Status:
    try:
        return decode_status(status)
    except msgspec.DecodeError as error:
        raise CliFailure(ExitCode.FAILED, "not-understood") from error


def _page(talk: Talk, status: Status) -> str:
    return "\n".join(status_lines(status, talk.language))
