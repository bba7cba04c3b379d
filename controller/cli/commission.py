"""`sabot commission`: leads a technician from new hardware to the first closed table, and writes the configuration."""

from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final

from controller.cli.commission_screen import is_closed_and_ready, lead_at_screen, refuse_a_second, status_of
from controller.cli.device_test import at_closed_table
from controller.cli.doctor import finding_document, say_findings
from controller.cli.people import Person
from controller.cli.pin import new_pin
from controller.cli.talk import Talk, cannot_write
from controller.cli.two_people import add_people
from controller.commission.answers import Answers, read_answers
from controller.commission.badges import reader_of, reading
from controller.commission.course import OPTIONAL, Course, question_key
from controller.commission.draft import Draft
from controller.commission.mark import Mark
from controller.commission.usual import port_names
from controller.config import Config, ConfigRefused, Problem
from controller.config.profile import PROFILES
from controller.core.words import Role
from controller.doctor import Finding, Grade, Host
from controller.doctor.hands_on import HANDS_WITHIN_S
from controller.doctor.host import CONFIG
from controller.journal.errors import StorageFailed
from controller.journal.signing import public_path
from controller.machine.exits import CliFailure, ExitCode
from controller.machine.toml_text import NotToml
from controller.staff import StaffRefused, change_staff

STANDARD_INPUT: Final = 0


def register(parser: ArgumentParser, words: Callable[[str], str]) -> None:
    parser.add_argument("--config", type=Path, default=CONFIG, metavar="FILE", help=words("cli.option.commissioned"))
    parser.add_argument("--answers", type=Path, metavar="FILE", help=words("cli.option.answers"))
    parser.add_argument("--rehearsal", action="store_true", help=words("cli.option.rehearsal"))
    parser.add_argument("--root", type=Path, default=Path("/"), metavar="DIR", help=words("cli.option.root"))
    parser.add_argument("--serve", type=Path, metavar="SOCKET", help=words("cli.option.commission-serve"))
    add_people(parser, words, needed=False, pins="commission-pins")
    parser.set_defaults(run=run)


def run(arguments: Namespace, talk: Talk) -> ExitCode:
    """Leads the commissioning at the terminal, or with `--serve` on the panel's pages.

    Returns 0 if the table is closed and ready and no finding is critical, else 1. Raises CliFailure, ConfigRefused,
    StaffRefused.
    """
    if arguments.serve is not None:
        return lead_at_screen(arguments)
    refuse_a_second(arguments, talk)
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
    if is_ready:
        Mark(draft.path).end(public_path(draft.config().journal).read_bytes())
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
    """Returns the prepared answers in the file, by dotted key: a key of the configuration, or `ask.` with a question's
    name.

    Returns {} without a file. Raises CliFailure if the file cannot be read or is no TOML.
    """
    if file is None:
        return {}
    try:
        return read_answers(file)
    except StorageFailed as error:
        raise CliFailure(ExitCode.USAGE, "answers", file=str(file), detail=error.word) from error
    except NotToml as error:
        raise CliFailure(ExitCode.USAGE, "answers-not-toml", file=str(file), **error.values) from error


class TerminalGuide(Person):
    """Asks the technician at the terminal each question that the file of answers leaves open (satisfies `Guide`)."""

    def __init__(self, talk: Talk, answers: Mapping[str, str], pin_descriptor: int | None) -> None:
        super().__init__(talk)
        self._answers = Answers(lambda: answers)
        self._pin_descriptor = pin_descriptor

    def begins(self, file: Path, *, goes_on: bool) -> None:
        self._talk.aside(self._talk.words("commission.goes-on" if goes_on else "commission.begins", file=str(file)))

    def sees(self, question: str, **values: str) -> bool:
        given = self._answers.sees(question)
        if given is None:
            return super().sees(question, **values)
        self.asked.append((question, "yes" if given else "no"))
        return given

    def line(self, text: str) -> str:
        """Asks for a line, which the technician types. Raises CliFailure if standard input is reserved for PINs."""
        if self._pin_descriptor == STANDARD_INPUT:
            raise CliFailure(ExitCode.FAILED, "nobody-answers-here")
        return super().line(text)

    def agrees(self, _values: Mapping[str, str]) -> bool:
        """Always False: at the terminal the question for each value shows the value in brackets, and people change it
        there.
        """
        return False

    def has(self, name: str, _finds: Callable[[], bool]) -> bool:
        return self.sees(f"has-{name}")

    def takes(self, key: str, usual: str) -> str:
        return self.says(key, usual)

    def says(self, key: str, usual: str) -> str:
        given = self._answers.says(key, usual, may_be_empty=key in OPTIONAL)
        if given is None:
            if key.endswith(".port"):
                self._show_ports()
            given = self.line(self._prompt(key, usual)) or usual
            if not given and key not in OPTIONAL:
                self._talk.aside(self._talk.words("commission.empty"))
        self._answers.was_asked(key)
        self.asked.append((key, given))
        return given

    def _prompt(self, key: str, usual: str) -> str:
        text = self._talk.words(question_key(key), of=key.split(".")[1], profiles=", ".join(PROFILES))
        return f"{text} [{usual}]:" if usual else f"{text}:"

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
        """Asks for number, name and PIN of a person with the role `role`, and adds the person to the staff file. This
        file keeps only a hash of the PIN.
        """
        while not (number := self.says(f"staff.{role.value}.number", "")).isdecimal():
            self._talk.aside(self._talk.words("commission.no-number"))
        while not (name := self.says(f"staff.{role.value}.name", "")):
            pass  # `says` has told that an answer is needed
        pin = new_pin(self._talk, self._pin_descriptor, int(number))
        badge = self._badge(config, number, name)
        change_staff(config.staff, lambda book: book.with_person(int(number), name, role, pin, badge), begins=True)

    def _badge(self, config: Config, number: str, name: str) -> str:
        """Returns the number of the badge that the person holds to the table's reader; "" without one."""
        part = reader_of(config)
        if part is None or not self.sees("own-badge", number=number, name=name):
            return ""
        shown: list[str] = []
        with reading(config, part, shown.append) as reader:
            self.is_asked("hold-badge", seconds=f"{HANDS_WITHIN_S:.0f}")
            if reader is not None and reader.until(lambda: bool(shown), HANDS_WITHIN_S):
                return shown[0]
        self._talk.aside(self._talk.words("commission.no-badge", number=number, name=name))
        return ""

    def _show_ports(self) -> None:
        names, words = port_names(), self._talk.words
        self._talk.aside(words("commission.ports", ports=", ".join(names)) if names else words("commission.no-ports"))


def _is_ready(config: Config, guide: TerminalGuide, talk: Talk) -> bool:
    """Asks if the technician has started the controller, and prints the state that the controller reports. True if the
    table is closed and has no hold.
    """
    if not guide.sees("started"):
        return False
    status = status_of(config)
    if status is None:
        talk.result(talk.words("commission.silent"))
        return False
    is_ready = is_closed_and_ready(status)
    talk.result(talk.words("commission.ready" if is_ready else "commission.not-ready", state=status.state))
    return is_ready
