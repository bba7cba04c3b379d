"""`sabot update FILE`: replaces the memory card's root file system by a signed one. `--back` returns to the previous
one.

`--serve` shows the questions on the panel's pages, `--trial` judges the first start of a new root, and `--engine`
answers the questions of the installer `rauc`.
"""

import os
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from controller.cli.pin import pin
from controller.cli.talk import Talk
from controller.core.words import Role
from controller.doctor.host import CONFIG
from controller.machine.exits import CliFailure, ExitCode

if TYPE_CHECKING:
    from controller.config import Config
    from controller.update.course import Check, End
    from controller.update.decision import Card, Offer
    from controller.update.screen import ScreenPeople

LOOKS_EVERY_S: Final = 0.5
TOLD_WITHIN_S: Final = 3.0
"""Seconds for which the last page stays, so that the panel learns that the update is over."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help=words("cli.option.update-file"))
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.config"))
    parser.add_argument("--technician", type=int, metavar="N", help=words("cli.option.sealing-technician"))
    parser.add_argument("--chief", type=int, metavar="N", help=words("cli.option.sealing-chief"))
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.two-pins"))
    parser.add_argument("--back", action="store_true", help=words("cli.option.update-back"))
    parser.add_argument("--serve", type=Path, metavar="SOCKET", help=words("cli.option.update-serve"))
    parser.add_argument("--trial", action="store_true", help=words("cli.option.update-trial"))
    parser.add_argument("--engine", nargs="+", metavar="WORD", help=words("cli.option.update-engine"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Installs a root, returns to the previous one, judges a new root's first start, or answers the installer `rauc`.

    Returns 0 for success, else 1. Raises CliFailure, ConfigRefused.
    """
    from controller.config import read_config
    from controller.update.computer import RealComputer

    computer = RealComputer()
    if not computer.is_card:
        raise CliFailure(ExitCode.USAGE, "no-card")
    if arguments.engine is not None:
        return _engine(arguments.engine, talk)
    config = read_config(arguments.config, ports_may_be_missing=True)
    if arguments.trial:
        return _trial(arguments, config)
    if arguments.serve is not None:
        return _at_screen(arguments, config)
    if arguments.technician is None or arguments.chief is None or (arguments.file is None) is not arguments.back:
        raise CliFailure(ExitCode.USAGE, "update-words")
    return _at_terminal(arguments, config, talk)


def _at_terminal(arguments: Namespace, config: "Config", talk: Talk) -> ExitCode:
    people = _TerminalPeople(arguments, talk)
    end = _ended(arguments, config, people)
    if end.refusal is None:
        return ExitCode.OK
    values = {"refusal": talk.words(f"update.refused.{end.refusal.value}.text"), "detail": end.detail}
    raise CliFailure(
        ExitCode.FAILED, "not-updated", then=talk.words(f"update.refused.{end.refusal.value}.then"), **values
    )


def _ended(arguments: Namespace, config: "Config", people: "_TerminalPeople | ScreenPeople") -> "End":
    """Runs the update or the return to the previous root, and returns its result.

    Raises CliFailure if there is no previous root.
    """
    from controller.update.computer import RealComputer
    from controller.update.course import go_back, update
    from controller.update.slots import SlotRefused

    try:
        if arguments.back:
            return go_back(RealComputer(), people, pin_check(config, people.terminal))
        return update(arguments.file, config, RealComputer(), people, pin_check(config, people.terminal))
    except SlotRefused as error:
        raise CliFailure(ExitCode.FAILED, "no-root-before") from error


def pin_check(config: "Config", terminal: str) -> "Check":
    """Returns a function that checks a PIN at the running table, which counts wrong PINs. If the table cannot check the
    PIN now, the function uses the staff file.
    """
    from controller.cli.client import Client, Unreachable
    from controller.machine.socket_path import client_socket
    from controller.runtime.answers import Trouble
    from controller.update.course import Checked, by_book

    unable = {Trouble.JOURNAL_FAULT.value, Trouble.STOPPING.value, Trouble.STAFF_UNREADABLE.value}

    def check(number: int, pin: str) -> Checked:
        asked = {"person": number, "pin": pin, "purpose": "look", "terminal": terminal}
        try:
            with Client(config.socket or client_socket(os.environ)) as client:
                answer = client.ask("sign-in", language=config.table.language.value, **asked)
        except Unreachable:
            return by_book(config)(number, pin)
        if answer.signed_in is not None:
            return Checked(Role(answer.signed_in.role))
        if answer.error is None or answer.error.code in unable:
            return by_book(config)(number, pin)
        return Checked(None, answer.error.text)

    return check


class _TerminalPeople:
    """The two people at a terminal, with the numbers that the command line gives (satisfies `People`)."""

    terminal = ""

    def __init__(self, arguments: Namespace, talk: Talk) -> None:
        self._arguments, self._talk = arguments, talk

    def agree(self, card: "Card", offer: "Offer") -> bool:
        values = {"now": str(card.own or "-"), "then": str(offer.release), "says": offer.says}
        self._talk.result(self._talk.words("update.offered", **values))
        return True

    def signs(self, role: Role) -> tuple[int, str]:
        number = self._arguments.technician if role is Role.TECHNICIAN else self._arguments.chief
        return number, pin(self._talk, self._arguments.pin_fd, number)

    def again(self, why: str) -> bool:
        """Prints the reason why a PIN was refused and returns False, which ends the command."""
        if why:
            self._talk.aside(why)
        return False

    def waits(self, key: str) -> None:
        self._talk.result(self._talk.words(f"update.{key}"))


def _at_screen(arguments: Namespace, config: "Config") -> ExitCode:
    """Shows the pages of one update. If the table is open, shows nothing and raises CliFailure."""
    from controller.cli.commission_screen import status_of
    from controller.commission.desk import Desk, served
    from controller.daemon.notify import Notifier
    from controller.update.screen import ScreenPeople

    status = status_of(config)
    if status is not None and status.session != "closed":
        raise CliFailure(ExitCode.FAILED, "table-open", path=str(config.journal))
    people = ScreenPeople(Desk(), config.table.language)
    with served(people.desk, arguments.serve):
        Notifier(os.environ).ready()
        end = _ended(arguments, config, people)
        people.is_told(end)
        people.is_over()
        time.sleep(TOLD_WITHIN_S)
    return ExitCode.OK if end.refusal is None else ExitCode.FAILED


def _trial(arguments: Namespace, config: "Config") -> ExitCode:
    """Waits at most five minutes (update/trial.py) until the table is closed.

    Then marks the new root as good and returns 0. If the table is not closed in time, returns 1. Meanwhile the screen
    shows the page of the trial.
    """
    from controller.cli.commission_screen import status_of
    from controller.commission.desk import Desk, served
    from controller.daemon.notify import Notifier
    from controller.update.computer import RealComputer
    from controller.update.screen import ScreenPeople
    from controller.update.trial import Verdict, judged

    computer, began_s, desk = RealComputer(), time.monotonic(), Desk()
    with served(desk, arguments.serve):
        ScreenPeople(desk, config.table.language).waits("tries")
        Notifier(os.environ).ready()
        while (verdict := judged(time.monotonic() - began_s, status_of(config))) is Verdict.WAITS:
            time.sleep(LOOKS_EVERY_S)
    slot = computer.running()
    if verdict is not Verdict.GOOD or slot is None:
        return ExitCode.FAILED
    computer.blocks.change(lambda slots: slots.marked_good(slot))
    return ExitCode.OK


def _engine(words: list[str], talk: Talk) -> ExitCode:
    """Answers a question of `rauc` about the two roots. Returns 0, or 1 if the question cannot be answered."""
    from controller.update.blocks import Blocks
    from controller.update.engine import answered
    from controller.update.slots import SlotRefused

    with suppress(SlotRefused, ValueError):
        talk.result(answered(words, Blocks()))
        return ExitCode.OK
    return ExitCode.FAILED
