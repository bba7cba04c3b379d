"""The commissioning on the screen: each question is shown to the technician as a page, in the table's language."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from controller.catalogue import Language, has_key, sentence
from controller.commission.answers import Answers
from controller.commission.badges import reader_of, reading
from controller.commission.choices import choices_of, lines_of, may_be_typed
from controller.commission.course import OPTIONAL, Course, StepBack
from controller.commission.desk import Desk
from controller.commission.draft import Draft
from controller.config import Config, ConfigRefused, Problem
from controller.config.profile import PROFILES
from controller.core.words import Role
from controller.doctor.finding import Finding
from controller.protocol.commission import NO, YES, Capitals, Choice, Code, Input, Question
from controller.protocol.lines import LARGEST_PERSON as LARGEST_NUMBER
from controller.staff import StaffBook, StaffRefused, change_staff, load_staff
from controller.staff.book import check_pin

NUMBERS: Final = ("decks", "seats", "number", "line")
CAPITALS: Final = {"id": Capitals.ALL, "currency": Capitals.ALL, "name": Capitals.WORDS}
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
    _noted: list[str] = field(default_factory=list)
    _lines: set[str] = field(default_factory=set)

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
        text = self.words(_touched("ask", question), **values)
        return self._asked(Input.YES_NO, text, choices=self._yes_and_no(question)) == YES

    def _yes_and_no(self, question: str) -> tuple[Choice, ...]:
        """Returns both answers with words of their own, or () for a plain yes and no."""
        keys = {value: f"panel.first.{question}-{value}" for value in (YES, NO)}
        return tuple(Choice(value, self.words(key)) for value, key in keys.items() if has_key(key))

    def agrees(self, values: Mapping[str, str]) -> bool:
        if self.answers.has_any:
            return False
        key = "panel.first.usual" if "decks" in values else "panel.first.usual-wheel"
        return self._asked(Input.YES_NO, self.words(key, **values)) == YES

    def has(self, name: str, finds: Callable[[], bool]) -> bool:
        """Asks for a part on a line together with its usual line, which `says` then takes without a question."""
        given = self.answers.sees(f"has-{name}")
        if given is not None:
            return given
        if finds():
            self._noted.append(self.words("panel.first.found-it", of=name))
            return True
        lines = lines_of(name, self.words)
        if not lines:
            return self._asked(Input.YES_NO, self.words(f"ask.has-{name}")) == YES
        chosen = self._asked(Input.CHOICE, self.words(f"ask.has-{name}"), choices=lines, usual=lines[0].value)
        if chosen == lines[0].value:
            self._lines.add(f"devices.{name}.line")
        return chosen != NO

    def is_asked(self, request: str, **values: str) -> None:
        self.wait(f"ask.{request}", **values)

    def takes(self, key: str, usual: str) -> str:
        given = self.answers.says(key, usual, may_be_empty=key in OPTIONAL)
        return usual if given is None else given

    def says(self, key: str, usual: str) -> str:
        of_file = "" if key.startswith("staff.") else usual
        given = self.answers.says(key, of_file, may_be_empty=key in OPTIONAL)
        if given is not None:
            return given
        self.answers.was_asked(key)
        if key in self._lines:
            self._lines.discard(key)
            return usual
        return self._typed_or_chosen(key, usual)

    def _typed_or_chosen(self, key: str, usual: str) -> str:
        section, _, name = key.rpartition(".")
        text = self.words(_touched(section.partition(".")[0], name), of=key.split(".")[1], profiles=", ".join(PROFILES))
        if choices := choices_of(key, usual, self.draft, self.words):
            if len(choices) == 1 and choices[0].value:
                return choices[0].value
            if chosen := self._asked(
                Input.CHOICE, text, choices=choices, usual=usual, may_be_empty=may_be_typed(choices)
            ):
                return chosen
            usual = ""
        kind = Input.NUMBER if name in NUMBERS else Input.TEXT
        return self._asked(
            kind, text, usual=usual, may_be_empty=key in OPTIONAL, capitals=CAPITALS.get(name, Capitals.NONE)
        )

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
        """Asks for a person's number, name, PIN and badge and saves them in the staff file. A step back from any but
        the number asks for the number again.
        """
        book = load_staff(config.staff) if config.staff.exists() else StaffBook()
        while True:
            number = self._number(role, book)
            try:
                name = self.says(f"staff.{role.value}.name", "")
                pin = self._new_pin(number, name)
                badge = self._badge(config, number, name, book)
            except StepBack:
                continue
            hired = partial(StaffBook.with_person, number=int(number), name=name, role=role, pin=pin, badge=badge)
            change_staff(config.staff, hired, begins=True)
            return

    def _number(self, role: Role, book: StaffBook) -> str:
        """Returns the number of a new person, which no person has.

        Offers the next one where the house has no numbers of its own: 1, 2, 3.
        """
        taken = {int(one.number) for one in book.people}
        counted = len(taken) + 1
        usual = str(counted) if taken == {*range(1, counted)} else ""
        while True:
            number = self.says(f"staff.{role.value}.number", usual)
            if not number.isdecimal():
                self._said.append(self.words("commission.no-number"))
            elif int(number) in taken:
                self._said.append(self.words("staff.refused.number-twice", number=number))
            elif not 1 <= int(number) <= LARGEST_NUMBER:
                self._said.append(self.words("staff.refused.number", number=number))
            else:
                return number

    def _new_pin(self, number: str, name: str) -> str:
        while True:
            pin = self._asked(Input.PIN, self.words("panel.first.pin", number=number, name=name))
            try:
                check_pin(pin)
            except StaffRefused as refused:
                self.is_refused(refused)
                continue
            again = self.words("panel.first.pin-again", number=number, name=name)
            if pin == self._asked(Input.PIN, again, length=len(pin)):
                return pin
            self._said.append(self.words("cli.pin.differ"))

    def _badge(self, config: Config, number: str, name: str, book: StaffBook) -> str:
        """Returns the number of the badge that the person holds to the table's reader.

        Returns "" if he goes on without one, or if the table has no reader that works.
        """
        part = reader_of(config)
        if part is None:
            return ""
        with reading(config, part, self.desk.reads_badge) as reader:
            while reader is not None:
                badge = self._asked(Input.BADGE, self.words("panel.first.badge", number=number, name=name))
                if book.owner_of(badge) is None:
                    return badge
                self._said.append(self.words("staff.refused.badge-twice", badge=badge))
        self._said.append(self.words("panel.first.no-reader"))
        return ""

    # ---- pages of the end

    def wait(self, key: str, **values: str) -> None:
        """Shows a page without a question, for example while the program works, and returns at once."""
        noted, self._noted = tuple(self._noted), []
        self.desk.show(Question(0, Input.WAIT, self.words(key, **values), self.language.value, noted=noted))

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
        capitals: Capitals = Capitals.NONE,
        length: int = 0,
    ) -> str:
        """Shows a question and returns the typed or chosen answer. Raises StepBack if the person goes back."""
        said, self._said = tuple(self._said), []
        noted, self._noted = tuple(self._noted), []
        answer = self.desk.ask(
            Question(
                0,
                kind,
                text,
                self.language.value,
                usual,
                choices,
                said,
                codes,
                may_be_empty,
                may_go_back=self.may_go_back() and not is_last,
                noted=noted,
                if_empty=self.words("commission.empty"),
                capitals=capitals,
                length=length,
            )
        )
        if answer is None:
            raise StepBack
        return answer.strip()


def _touched(group: str, name: str) -> str:
    """Returns the catalogue key of a question on a page. The terminal names the choices in the question, and a page has
    them on its buttons.
    """
    touched = f"panel.first.{name}" if group == "ask" else f"commission.touched.{name}"
    return touched if has_key(touched) else f"ask.{name}" if group == "ask" else f"commission.{group}.{name}"


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
