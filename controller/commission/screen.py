"""The commissioning on the screen: each question is shown to the technician as a page, in the table's language."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from controller.catalogue import Language, has_key, sentence
from controller.commission.answers import Answers
from controller.commission.course import OPTIONAL, Course, StepBack, port_names, question_key
from controller.commission.desk import Desk
from controller.commission.draft import Draft
from controller.config import Config, ConfigRefused, Problem
from controller.config.profile import PROFILES
from controller.core.words import Device, Role
from controller.devices.device_kinds import KINDS
from controller.doctor.finding import Finding
from controller.protocol.commission import YES, Choice, Code, Input, Question
from controller.staff import StaffBook, StaffRefused, change_staff
from controller.staff.book import check_pin

MOST_PORTS: Final = 7
NUMBERS: Final = ("decks", "seats", "number", "line")
LANGUAGE: Final = "table.language"
FIRST: Final = Language.EN
"""The language of the first page, which asks in every language."""


@dataclass
class ScreenGuide:
    """Asks each question on the screen that the file of answers leaves open (satisfies `Guide`). PINs reach the staff
    file only as hashes.
    """

    desk: Desk
    draft: Draft
    answers: Answers
    may_go_back: Callable[[], bool] = lambda: False
    _said: list[str] = field(default_factory=list)

    @property
    def language(self) -> Language:
        given = self.draft.get(LANGUAGE)
        return next((one for one in Language if one.value == given), FIRST)

    def begins(self, file: Path, *, goes_on: bool) -> None:
        pass  # the first question's page is enough

    def sees(self, question: str, **values: str) -> bool:
        given = self.answers.sees(question)
        if given is not None:
            return given
        return self._asked(Input.YES_NO, self.words(f"ask.{question}", **values)) == YES

    def is_asked(self, request: str, **values: str) -> None:
        self.wait(f"ask.{request}", **values)

    def says(self, key: str, usual: str) -> str:
        given = self.answers.says(key, usual, may_be_empty=key in OPTIONAL)
        if given is not None:
            return given
        self.answers.was_asked(key)
        text = self.words(_text_key(key), of=key.split(".")[1], profiles=", ".join(PROFILES))
        if choices := self._choices(key, usual):
            if len(choices) == 1 and choices[0].value:
                return choices[0].value
            may_be_typed = any(not one.value for one in choices)
            if chosen := self._asked(Input.CHOICE, text, choices=choices, usual=usual, may_be_empty=may_be_typed):
                return chosen
            usual = ""
        kind = Input.NUMBER if key.rpartition(".")[2] in NUMBERS else Input.TEXT
        return self._asked(kind, text, usual=usual, may_be_empty=key in OPTIONAL)

    def _choices(self, key: str, usual: str) -> tuple[Choice, ...]:
        """Returns the choices that the page offers for a key; () if the person types the answer. A person who takes the
        choice "" types an answer instead.
        """
        section, _, name = key.rpartition(".")
        match name:
            case "language":
                return tuple(Choice(one.value, self.words(f"panel.language.{one.value}")) for one in Language)
            case "profile":
                return tuple(Choice(one, self.words(f"commission.profile.{one}")) for one in PROFILES)
            case "protocol":
                device = Device(section.removeprefix("devices."))
                protocols = KINDS[device].protocols
                return tuple(Choice(one.value, self.words(f"commission.protocol.{one.value}")) for one in protocols)
            case "active_low":
                return tuple(Choice(value, self.words(f"panel.first.{value}")) for value in ("false", "true"))
            case "port":
                names = list(dict.fromkeys([*self._usual_ports(key, usual), *sorted(port_names(), key=_by_id_last)]))
                ports = tuple(Choice(one, self._port_label(one, usual)) for one in names[:MOST_PORTS])
                return (*ports, Choice("", self.words("panel.first.other")))
            case _:
                return ()

    def _usual_ports(self, key: str, usual: str) -> list[str]:
        """Returns the usual port in a list, or [] if this computer has no such file. Keeps a port that was the answer
        before: its device may be plugged in later.
        """
        return [usual] if usual and (usual == self.draft.get(key) or Path(usual).exists()) else []

    def _port_label(self, port: str, usual: str) -> str:
        is_found = port == usual and port.startswith("/dev/serial/")
        return self.words("panel.first.found", port=port_label(port)) if is_found else port_label(port)

    def is_told(self, findings: Sequence[Finding]) -> None:
        for one in findings:
            values = dict(one.values)
            parts = (self.words(f"doctor.{part}.{one.key}", **values) for part in ("found", "remedy"))
            self._said.append(" ".join(parts))

    def is_corrected(self, problems: Sequence[Problem]) -> None:
        words = ConfigRefused(Path(), problems).words(self.language)
        self._said += [f"{one.wrong} {one.right}" for one in words]

    def is_refused(self, refused: StaffRefused) -> None:
        self._said.append(self.words(refused.key, **dict(refused.values)))

    def hires(self, config: Config, role: Role) -> None:
        """Asks for a person's number, name and PIN and saves them in the staff file. A step back from name or PIN asks
        for the number again.
        """
        while True:
            number = self.says(f"staff.{role.value}.number", "")
            if not number.isdecimal():
                self._said.append(self.words("commission.no-number"))
                continue
            try:
                name = self.says(f"staff.{role.value}.name", "")
                pin = self._new_pin(number, name)
            except StepBack:
                continue
            hired = partial(StaffBook.with_person, number=int(number), name=name, role=role, pin=pin)
            change_staff(config.staff, hired, begins=True)
            return

    def _new_pin(self, number: str, name: str) -> str:
        while True:
            pin = self._asked(Input.PIN, self.words("panel.first.pin", number=number, name=name))
            try:
                check_pin(pin)
            except StaffRefused as refused:
                self.is_refused(refused)
                continue
            if pin == self._asked(Input.PIN, self.words("panel.first.pin-again", number=number, name=name)):
                return pin
            self._said.append(self.words("cli.pin.differ"))

    # ---- pages of the end

    def wait(self, key: str, **values: str) -> None:
        """Shows a page without a question and returns at once, for example while the program works."""
        self.desk.show(Question(0, Input.WAIT, self.words(key, **values), self.language.value))

    def reads(self, key: str, *said: str, codes: Sequence[Code] = (), **values: str) -> None:
        """Shows a page, with the sentences `said` above its text, and waits until the person goes on."""
        self._said += said
        self._asked(Input.READ, self.words(key, **values), codes=tuple(codes), is_last=True)

    def tells(self, key: str, **values: str) -> None:
        """Adds a sentence that is shown above the next question."""
        self._said.append(self.words(key, **values))

    def is_over(self, mark: Callable[[], None]) -> None:
        """Ends the commissioning: calls `mark`, which notes the end, and shows the last page."""
        mark()
        self.desk.show(Question(0, Input.OVER, self.words("panel.first.over"), self.language.value))

    def words(self, key: str, **values: str) -> str:
        return sentence(key, values, self.language)

    def _asked(
        self,
        kind: Input,
        text: str,
        *,
        usual: str = "",
        choices: tuple[Choice, ...] = (),
        codes: tuple[Code, ...] = (),
        may_be_empty: bool = False,
        is_last: bool = False,
    ) -> str:
        """Shows a question and returns the typed or chosen answer. Raises StepBack if the person goes back."""
        said, self._said = tuple(self._said), []
        may_go_back = self.may_go_back() and not is_last
        answer = self.desk.ask(
            Question(0, kind, text, self.language.value, usual, choices, said, codes, may_be_empty, may_go_back)
        )
        if answer is None:
            raise StepBack
        return answer.strip()


def _by_id_last(name: str) -> bool:
    """A sort key: the sockets of devices come before their serial numbers, so that each device has one name on the
    page.
    """
    return name.startswith("/dev/serial/by-id/")


def port_label(name: str) -> str:
    """Returns the end of a port's name that tells it from others: where a device is plugged in, or its serial
    number.
    """
    place = Path(name).name
    _, found, behind = place.partition("-usb-")
    return f"usb {behind}" if found else place if name.startswith("/dev/") else name


def _text_key(key: str) -> str:
    """Returns the catalogue key of the question for `key` on a page. A page has the choices on its buttons; the
    terminal names them in the question.
    """
    touched = f"commission.touched.{key.rpartition('.')[2]}"
    return touched if has_key(touched) else question_key(key)


def led(course: Course, guide: ScreenGuide) -> list[Finding]:
    """Runs the course to its end and returns the findings that remain.

    At each StepBack it takes one answer back and runs the course again. Raises ConfigRefused, OSError.
    """
    guide.may_go_back = lambda: course.may_go_back
    while True:
        try:
            return course.run()
        except StepBack:
            course.back()
