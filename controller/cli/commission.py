"""`sabot commission`: leads a technician from the box to the first closed table, and writes the configuration."""

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from controller.cli.client import Client, Unreachable
from controller.cli.device_test import at_closed_table
from controller.cli.doctor import finding_document, say_findings
from controller.cli.people import YES, Person
from controller.cli.pin import new_pin
from controller.cli.render import decode_status
from controller.cli.talk import Talk, cannot_write
from controller.commission.course import OPTIONAL, Course
from controller.commission.draft import Draft
from controller.config import Config, ConfigRefused, Problem
from controller.config.profile import PROFILES
from controller.core.words import Role
from controller.doctor import Finding, Grade, Host
from controller.doctor.host import CONFIG
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.socket_path import client_socket
from controller.machine.toml_text import NotToml, toml_of
from controller.staff import StaffRefused, load_or_begin, save_staff
from drivers.errors import system_word
from drivers.port_list import found_ports

STANDARD_INPUT: Final = 0
STABLE: Final = Path("/dev/sabot")
"""Where udev's rules put the names that stay."""


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.commissioned"))
    parser.add_argument("--answers", type=Path, metavar="FILE", help=words("cli.option.answers"))
    parser.add_argument("--rehearsal", action="store_true", help=words("cli.option.rehearsal"))
    parser.add_argument("--pin-fd", type=int, metavar="N", help=words("cli.option.commission-pins"))
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help=words("cli.option.root"))
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """0: the table is closed and ready; 1: something is left to be mended, or no controller answers yet."""
    guide = TerminalGuide(talk, _answers(arguments.answers), arguments.pin_fd)
    try:
        draft = Draft(arguments.config)
        course = Course(draft, Host(arguments.root, draft.draft, arguments.rehearsal), guide, at_closed_table)
        if arguments.rehearsal:
            draft.put("table.simulated", True)  # noqa: FBT003 - the file's own value
        found = course.run()
    except OSError as error:
        raise cannot_write(error.filename or arguments.config, error) from error
    talk.result(talk.words("commission.written", file=str(draft.path)))
    say_findings(talk, found)
    is_ready = _is_ready(draft.config(), guide, talk)
    talk.document(
        {
            "ok": is_ready and not found,
            "file": str(draft.path),
            "ready": is_ready,
            "asked": [{"question": question, "answer": answer} for question, answer in guide.asked],
            "heard": {kind: trial.heard for kind, trial in course.trials.items()},
            "findings": [finding_document(talk, one) for one in found],
        }
    )
    return ExitCode.OK if is_ready and not any(one.grade is Grade.CRITICAL for one in found) else ExitCode.FAILED


def _answers(file: Path | None) -> Mapping[str, str]:
    """By question: keys of a configuration and, under [ask], what a person sees. CliFailure for no such file."""
    if file is None:
        return {}
    try:
        document = toml_of(file.read_bytes())
    except OSError as error:
        raise CliFailure(ExitCode.USAGE, "answers", file=str(file), detail=system_word(error)) from error
    except NotToml as error:
        raise CliFailure(ExitCode.USAGE, "answers-not-toml", file=str(file), **error.values) from error
    return dict(_flat("", document))


def _flat(prefix: str, tree: Mapping[str, object]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in tree.items():
        match value:
            case dict():
                found += _flat(f"{prefix}{name}.", value)
            case bool():
                found.append((prefix + name, "true" if value else "false"))
            case _:
                found.append((prefix + name, str(value)))
    return found


class TerminalGuide(Person):
    """The person at the terminal, as far as a file of answers does not speak for him (satisfies `Guide`)."""

    def __init__(self, talk: Talk, answers: Mapping[str, str], pin_descriptor: int | None) -> None:
        super().__init__(talk)
        self._has_file = bool(answers)
        self._answers = dict(answers)
        self._answered: set[str] = set()
        self._pin_descriptor = pin_descriptor

    def begins(self, file: Path, *, goes_on: bool) -> None:
        self._talk.aside(self._talk.words("commission.goes-on" if goes_on else "commission.begins", file=str(file)))

    def sees(self, question: str, **values: str) -> bool:
        given = self._answers.get(f"ask.{question}")
        if given is None:
            return super().sees(question, **values)
        self.asked.append((question, "yes" if given in (*YES, "true") else "no"))
        return given in (*YES, "true")

    def line(self, text: str) -> str:
        """Where PINs come on standard input, nothing else is taken from it."""
        if self._pin_descriptor == STANDARD_INPUT:
            raise CliFailure(ExitCode.FAILED, "nobody-answers-here")
        return super().line(text)

    def says(self, key: str, usual: str) -> str:
        given = self._given(key, usual)
        if given is None:
            if key.endswith(".port"):
                self._show_ports()
            given = self.line(self._prompt(key, usual)) or usual
            if not given and key not in OPTIONAL:
                self._talk.aside(self._talk.words("commission.empty"))
        self._answered.add(key)
        self.asked.append((key, given))
        return given

    def _prompt(self, key: str, usual: str) -> str:
        text = self._talk.words(_question(key), of=key.split(".")[1], profiles=", ".join(PROFILES))
        return f"{text} [{usual}]:" if usual else f"{text}:"

    def _given(self, key: str, usual: str) -> str | None:
        """From the file, or the usual where it has none: once, for whoever is asked again is asked himself."""
        if not self._has_file or key in self._answered:
            return None
        given = self._answers.get(key, usual)
        return given if given or key in OPTIONAL else None

    def is_told(self, findings: Sequence[Finding]) -> None:
        for one in findings:
            document = finding_document(self._talk, one)
            self._talk.aside(f"{document['text']}\n    {document['remedy']}")

    def is_corrected(self, problems: Sequence[Problem]) -> None:
        for line in ConfigRefused(Path(), problems).words(self._talk.language):
            self._talk.aside(f"{line.wrong} {line.right}")

    def is_refused(self, refused: StaffRefused) -> None:
        self._talk.aside(self._talk.words(refused.key, **dict(refused.values)))

    def hires(self, config: Config, role: Role) -> None:
        """Number, name and PIN; of the PIN nothing is kept but its hash."""
        while not (number := self.says(f"staff.{role.value}.number", "")).isdecimal():
            self._talk.aside(self._talk.words("commission.no-number"))
        name = self.says(f"staff.{role.value}.name", "")
        book = load_or_begin(config.staff)
        pin = new_pin(self._talk, self._pin_descriptor, int(number))
        save_staff(book.with_person(int(number), name, role, pin, ""), config.staff)

    def _show_ports(self) -> None:
        stable = [str(link) for link in sorted(STABLE.glob("*"))]
        names = stable + [name for port in found_ports() for name in (port.by_path, port.by_id) if name]
        words = self._talk.words
        self._talk.aside(words("commission.ports", ports=", ".join(names)) if names else words("commission.no-ports"))


def _question(key: str) -> str:
    """Devices share their questions, and people theirs."""
    parts = key.split(".")
    return f"commission.{parts[0]}.{parts[-1]}"


def _is_ready(config: Config, guide: TerminalGuide, talk: Talk) -> bool:
    """Whether the controller that was started by hand says that the table is closed and nothing holds it."""
    if not guide.sees("started"):
        return False
    try:
        with Client(config.socket or client_socket(os.environ)) as client:
            status = decode_status(client.ask("status").status or {})
    except (Unreachable, msgspec.DecodeError):
        talk.result(talk.words("commission.silent"))
        return False
    missing = [name for name, device in status.devices.items() if not device.connected]
    is_ready = status.table == config.table.id and status.session == "closed" and not status.holds and not missing
    talk.result(talk.words("commission.ready" if is_ready else "commission.not-ready", state=status.state))
    return is_ready
