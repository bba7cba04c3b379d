"""`sabot commission --serve SOCKET`: a commissioning on the panel's pages, for a table that was never closed before."""

import os
import time
from argparse import Namespace
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Client, Unreachable
from controller.cli.device_test import at_closed_table
from controller.cli.render import decode_status
from controller.cli.talk import Talk, cannot_write
from controller.cli.two_people import check_people
from controller.commission.answers import Answers, read_answers
from controller.commission.course import Course
from controller.commission.desk import Desk, served
from controller.commission.draft import Draft
from controller.commission.mark import Mark
from controller.commission.screen import ScreenGuide, led
from controller.config import Config
from controller.daemon.notify import Notifier
from controller.doctor import Grade, Host
from controller.journal.errors import StorageFailed
from controller.journal.signing import public_path
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket
from controller.machine.toml_text import NotToml
from controller.protocol.commission import Code
from controller.protocol.status import Status

LOOKS_EVERY_S: Final = 0.5
STARTS_WITHIN_S: Final = 60.0
TOLD_WITHIN_S: Final = 3.0
"""Seconds for which the last page stays, so that the panel learns that the commissioning is over."""


def lead_at_screen(arguments: Namespace) -> ExitCode:
    """Leads the commissioning on the panel's pages until the table is closed for the first time. Returns 0.

    Raises CliFailure, for example for a table that is already commissioned; ConfigRefused.
    """
    path: Path = arguments.config
    mark, desk = Mark(path), Desk()
    if mark.is_over:
        raise CliFailure(ExitCode.USAGE, "commissioned", file=str(path))
    try:
        mark.begin()
        with served(desk, arguments.serve):
            Notifier(os.environ).ready()
            _lead(arguments, desk, mark)
            time.sleep(TOLD_WITHIN_S)
    except OSError as error:
        raise cannot_write(error.filename or path, error) from error
    return ExitCode.OK


def _lead(arguments: Namespace, desk: Desk, mark: Mark) -> None:
    """Asks the questions of a commissioning, unless a configuration already exists. Then waits until the table is
    closed, and shows its public key and code.
    """
    path: Path = arguments.config
    draft, is_written = Draft(path), path.exists()
    stick = Stick(arguments.answers)
    guide = ScreenGuide(desk, draft, Answers(stick.read))
    stick.tells = guide.tells
    if not is_written:
        if arguments.rehearsal:
            draft.put("table.simulated", True)  # noqa: FBT003 - the file's own value
        found = led(Course(draft, Host(arguments.root, draft.draft, arguments.rehearsal), guide, _closed), guide)
        guide.is_told([one for one in found if one.grade is Grade.CRITICAL])
        guide.is_told([one for one in found if one.grade is not Grade.CRITICAL])
        guide.reads("panel.first.written")
    config = draft.config()
    status = _closed_table(config, guide)
    public = public_path(config.journal).read_text()
    codes = [Code(guide.words("panel.first.public-key"), public)]
    codes.append(Code(guide.words("panel.first.code"), status.journal.code))
    guide.reads("panel.first.closed", codes=codes)
    guide.is_over(lambda: mark.end(public.encode()))


@dataclass
class Stick:
    """The file of answers on a USB stick. `read` returns no answers while the stick is absent. If the file is
    unreadable, `tells` is called once.
    """

    file: Path | None
    tells: Callable[..., None] = lambda _key, **_values: None
    _is_told: bool = False

    def read(self) -> Mapping[str, str]:
        if self.file is None or not self.file.exists():
            return {}
        try:
            return read_answers(self.file)
        except (StorageFailed, NotToml):
            if not self._is_told:
                self.tells("panel.first.stick-wrong", file=str(self.file))
            self._is_told = True
            return {}


@contextmanager
def _closed(config: Config) -> Iterator[None]:
    with at_closed_table(config):
        yield


def _closed_table(config: Config, guide: ScreenGuide) -> Status:
    """Waits until the table is closed and ready, and returns its status.

    Meanwhile shows pages that list what is missing.
    """
    while True:
        guide.wait("panel.first.starts")
        until_s, status = time.monotonic() + STARTS_WITHIN_S, None
        while time.monotonic() < until_s:
            status = status_of(config)
            if status is not None and is_closed_and_ready(status):
                return status
            time.sleep(LOOKS_EVERY_S)
        guide.reads("panel.first.not-ready", *_missing(status, guide))


def _missing(status: Status | None, guide: ScreenGuide) -> list[str]:
    if status is None:
        return [guide.words("panel.first.silent")]
    lost = [name for name, device in status.devices.items() if not device.connected]
    return [hold.text for hold in status.holds] + [guide.words("panel.first.lost", device=name) for name in lost]


def status_of(config: Config) -> Status | None:
    """Returns the status of the table in `config`. Returns None if no controller or another table's controller
    answers.
    """
    try:
        with Client(config.socket or client_socket(os.environ)) as client:
            status = decode_status(client.ask("status", language=config.table.language.value).status or {})
    except (Unreachable, msgspec.DecodeError):
        return None
    return status if status.table == config.table.id else None


def is_closed_and_ready(status: Status) -> bool:
    missing = [name for name, device in status.devices.items() if not device.connected]
    return status.session == "closed" and not status.holds and not missing


def refuse_a_second(arguments: Namespace, talk: Talk) -> None:
    """If the table was commissioned before, asks for the PINs of a technician and a chief supervisor. Raises CliFailure
    if the arguments do not name both people or if a PIN is wrong; ConfigRefused, StaffRefused.
    """
    if not Mark(arguments.config).is_set:
        return
    if arguments.technician is None or arguments.chief is None:
        raise CliFailure(ExitCode.USAGE, "commissioned", file=str(arguments.config))
    check_people(arguments, Draft(arguments.config).config().staff, talk, "not-commissioned")
