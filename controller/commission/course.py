"""The questions of a commissioning in order, and the check of each answer. The doctor makes the findings.

The questions of a section are repeated until its checks find nothing critical, or until the person goes on in spite of
the findings. Answers of an earlier run are checked and not asked again.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from controller.commission.draft import Draft, read_answer
from controller.commission.usual import Usual
from controller.config import Config, PartKind, Problem
from controller.core.choices import Machine
from controller.core.words import Device, Role
from controller.devices.device_kinds import KINDS
from controller.doctor import examine
from controller.doctor.devices import DEVICE_CHECKS
from controller.doctor.finding import Check, Finding, Grade
from controller.doctor.hands_on import People, Trial, try_it
from controller.doctor.host import Host
from controller.doctor.medium import MEDIUM_CHECKS
from controller.doctor.people import NEEDED, PEOPLE_CHECKS
from controller.staff import StaffBook, StaffRefused, change_staff, load_staff

TABLE: Final = ("language", "id", "profile", "decks", "seats", "minimum_bet", "maximum_bet", "currency")
JOURNAL: Final = ("journal.path", "journal.second_copy", "staff.path")
OPTIONAL: Final = ("journal.second_copy",)

AGREED: Final = ("decks", "seats", "currency")
"""The keys of a table whose usual values are offered together."""

OF_DEVICES: Final = ("port", "protocol", "line", "active_low")

LINE_PORTS: Final = tuple(f"devices.{part.value}.port" for part in PartKind if part.is_line)
"""The ports of parts on the computer's own lines: a step back from their line takes the whole part back."""

HIRED: Final = "staff.hired."
"""Before a role's name: stands for the person of that role among the answers that can be taken back."""

STANDS: Final[dict[Machine, tuple[Device, ...]]] = {
    machine: tuple(row.device for row in KINDS.values() if machine in row.stands_at) for machine in Machine
}
"""The devices that may stand at a table, by its machine. A shuffler or shoe table requires the first device."""


def question_key(key: str) -> str:
    """Returns the catalogue key of the question for `key`. All devices share their questions, and so do all people."""
    parts = key.split(".")
    return f"commission.{parts[0]}.{parts[-1]}"


class StepBack(Exception):  # noqa: N818 (the name says what is asked for)
    """Raised if the person takes the last answer back.

    The caller then calls `Course.back` and `Course.run` again.
    """


class Guide(People, Protocol):
    """The user interface of a commissioning. The interface asks the technician, shows the findings, and adds people to
    the staff file.
    """

    def begins(self, file: Path, *, goes_on: bool) -> None:
        """Called before the first question. `file`: the file that stores the answers. `goes_on`: True if the file has
        answers of an earlier run.
        """

    def says(self, key: str, usual: str) -> str:
        """Returns the typed answer to the question for `key`, or `usual` if nothing was typed."""

    def takes(self, key: str, usual: str) -> str:
        """Returns the answer like `says`, but may leave the question out: no person could know a better one than
        `usual`.
        """

    def agrees(self, values: Mapping[str, str], /) -> bool:
        """Asks if all these usual values are right, by the name of their key. False: each is asked by itself."""

    def has(self, name: str, finds: Callable[[], bool], /) -> bool:
        """Asks if the table has the device or part `name`. `finds`: true if the computer finds it by itself, so that
        the question may be left out.
        """

    def is_told(self, findings: Sequence[Finding]) -> None: ...

    def is_corrected(self, problems: Sequence[Problem]) -> None: ...

    def is_refused(self, refused: StaffRefused) -> None: ...

    def hires(self, config: Config, role: Role) -> None:
        """Puts a person with `role` into the staff file. Raises StaffRefused."""

    # `says`, `sees`, `agrees`, `has` and `hires` raise StepBack where a guide lets people go back.


@dataclass
class Course:
    """The run of the questions. `closed`: returns a context that keeps the table closed during a device's test.
    `trials`: the last test of each device or part.
    """

    draft: Draft
    host: Host
    guide: Guide
    closed: Callable[[Config], AbstractContextManager[None]]
    trials: dict[str, Trial] = field(default_factory=dict)
    _left_out: set[str] = field(default_factory=set)
    _absent: set[str] = field(default_factory=set)
    _tried_with: dict[str, dict[str, object]] = field(default_factory=dict)
    _taken_back: set[str] = field(default_factory=set)
    _answered: list[str] = field(default_factory=list)
    _usual: Usual = field(init=False)

    def __post_init__(self) -> None:
        self._usual = Usual(self.draft, self.host)
        self._answered = [key for key in self.draft.answered() if _is_asked(key)]

    def back(self) -> None:
        """Takes back the last answer, even one of an earlier run, or the last person of this run. Does nothing without
        either. Raises OSError, StaffRefused.
        """
        if not self._answered:
            return
        key = self._answered.pop()
        self._left_out.discard(key)
        self._taken_back |= {key} - {*LINE_PORTS}
        if key.startswith(HIRED):
            change_staff(self.draft.config().staff, partial(_without, role=Role(key.removeprefix(HIRED))))
            return
        if key in self._absent:
            self._absent.discard(key)
        elif self.draft.get(key) is not None:
            self.draft.take_back(key)
        if key.endswith(".port"):
            self._usual.takes_back(key.removesuffix(".port"))

    @property
    def may_go_back(self) -> bool:
        return bool(self._answered)

    def run(self) -> list[Finding]:
        """Asks every question, checks the answers and writes the configuration. Returns the findings that remain.

        Raises StepBack, ConfigRefused, OSError.
        """
        self.guide.begins(self.draft.begun or self.draft.draft, goes_on=self.draft.begun is not None)
        for key in ("table.language", "table.id", "table.profile"):
            self._ask(key)
        self._agree()
        for key in (*(f"table.{name}" for name in TABLE), *JOURNAL):
            self._ask(key)
        for device in STANDS[self._usual.machine()]:
            self._device(device)
        for part in PartKind:
            self._part(part)
        self._section(JOURNAL, lambda: self._of(MEDIUM_CHECKS))
        self._people()
        self.draft.finish()
        found = list(examine(replace(self.host, config=self.draft.path)))
        tried = [one for trial in self.trials.values() for one in trial.findings if one.grade is Grade.CRITICAL]
        return [*tried, *found]

    # ---- sections

    def _agree(self) -> None:
        """Takes the usual values of AGREED if the person agrees to all of them at once. Asks nothing once a value of
        them is answered.
        """
        keys = [f"table.{name}" for name in AGREED if not self._usual.is_sure(f"table.{name}")]
        if any(self.draft.get(key) is not None or key in self._taken_back for key in keys):
            return
        values = {key: self._usual.value(key) for key in keys}
        if not self.guide.agrees({key.removeprefix("table."): _typed(value) for key, value in values.items()}):
            self._taken_back |= {*keys}
            return
        for key, value in values.items():
            if value is not None:
                self.draft.put(key, value)
                self._is_answered(key)

    def _section(self, keys: Sequence[str], check: Callable[[], Iterable[Finding]], more: Sequence[str] = ()) -> None:
        """Asks the keys, and asks them again until `check` finds nothing critical or the person goes on in spite of the
        findings. `more`: keys to ask only in a repetition.
        """
        is_again = False
        while True:
            for key in (*keys, *(more if is_again else ())):
                self._ask(key, anew=is_again)
            found = [one for one in check() if one.grade is Grade.CRITICAL]
            if not found:
                return
            self.guide.is_told(found)
            if not self.guide.sees("again"):
                return
            is_again = True

    def _device(self, device: Device) -> None:
        section = f"devices.{device.value}"
        if not (self._must_stand(device) or self._stands(section)):
            return
        keys = (f"{section}.port", f"{section}.protocol")
        self._section(keys, lambda: self._tried(device, section))

    def _part(self, part: PartKind) -> None:
        section = f"devices.{part.value}"
        if not self._stands(section):
            return
        lines = (f"{section}.line",) if part.is_line else ()
        more = (f"{section}.active_low",) if part.is_line else ()
        self._section((f"{section}.port", *lines), lambda: self._tried(part, section), more)

    def _people(self) -> None:
        config = self.draft.config()
        for role in NEEDED:
            while role not in self._roles(config):
                try:
                    self.guide.hires(config, role)
                    self._is_answered(f"{HIRED}{role.value}")
                except StaffRefused as refused:
                    self.guide.is_refused(refused)
                    if not self.guide.sees("again"):
                        return
        self._section((), lambda: self._of(PEOPLE_CHECKS))

    # ---- one question

    def _ask(self, key: str, *, anew: bool = False) -> None:
        """Asks for a key until its answer is valid. Skips a key with a valid answer, unless `anew` is true.

        A wrong answer is not offered again, except a port's, which may become right when the device is plugged in.
        """
        if key in self._left_out and not anew:
            return
        may_be_sure = not anew and key not in self._taken_back
        while True:
            before = self.draft.get(key)
            if before is not None and not anew:
                problems = self.draft.problems(key)
                if not problems:
                    return
                self.guide.is_corrected(problems)
                may_be_sure = False
                if not key.endswith(".port"):
                    before = None
            usual = self._usual.value(key) if before is None else before
            is_sure = may_be_sure and before is None and self._usual.is_sure(key)
            text = (self.guide.takes if is_sure else self.guide.says)(key, _typed(usual)).strip()
            anew = False
            if (text or key in OPTIONAL) and not (is_sure and key not in LINE_PORTS):
                self._is_answered(key)
            if text:
                self.draft.put(key, read_answer(key, text))
            elif key in OPTIONAL:
                if self.draft.get(key) is not None:
                    self.draft.take_back(key)
                self._left_out.add(key)
                return

    def _is_answered(self, key: str) -> None:
        self._answered = [*(one for one in self._answered if one != key), key]

    # ---- checks

    def _tried(self, kind: Device | PartKind, section: str) -> Iterator[Finding]:
        """Tests the device and yields the findings; if the doctor finds a critical fault of its port, only the doctor's
        findings. Skips a device that has passed with the same answers in this run.
        """
        if self._tried_with.get(section) == self.draft.answers(section):
            return
        found = [one for one in self._of(DEVICE_CHECKS) if dict(one.values).get("device") == kind.value]
        if any(one.grade is Grade.CRITICAL for one in found):
            yield from found
            return
        config = self.draft.config()
        with self.closed(config):
            trial = try_it(config, kind, self.guide)
        self._keep(kind, section, trial)
        if not trial.findings:
            self._tried_with[section] = self.draft.answers(section)
        yield from trial.findings

    def _keep(self, kind: Device | PartKind, section: str, trial: Trial) -> None:
        self.trials[kind.value] = trial
        serial = trial.heard.get("serial_number")
        if serial is not None and self.draft.get(f"{section}.serial_number") is None:
            self.draft.put(f"{section}.serial_number", serial)

    def _of(self, checks: Sequence[Check]) -> Iterator[Finding]:
        config = self.draft.config()
        for check in checks:
            yield from check(self.host, config)

    def _stands(self, section: str) -> bool:
        if section in self._absent:
            return False
        if self.draft.has_section(section):
            return True
        stands = self.guide.has(section.removeprefix("devices."), lambda: self._usual.finds(section))
        if not stands:
            self._absent.add(section)
            self._is_answered(section)
        return stands

    def _must_stand(self, device: Device) -> bool:
        machine = self._usual.machine()
        return machine in {Machine.SHUFFLER, Machine.SHOE} and STANDS[machine][0] is device

    def _roles(self, config: Config) -> set[Role]:
        if not config.staff.exists():
            return set()
        return {one.role for one in load_staff(config.staff).people}


def _without(book: StaffBook, role: Role) -> StaffBook:
    """Returns the book without the people of a role. They leave no trace, since no session has been opened."""
    return replace(book, people=tuple(one for one in book.people if one.role is not role))


def _is_asked(key: str) -> bool:
    section, _, name = key.rpartition(".")
    return key in OPTIONAL or (section == "table" and name in TABLE) or (section != "table" and name in OF_DEVICES)


def _typed(answer: object) -> str:
    """Returns the answer as a person would type it."""
    match answer:
        case None:
            return ""
        case bool():
            return "true" if answer else "false"
        case _:
            return str(answer)
