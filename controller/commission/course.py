"""The questions of a commissioning in order, and the check of each answer. The doctor makes the findings.

The questions of a section are repeated until its checks find nothing critical, or until the person goes on in spite of
the findings. Answers of an earlier run are checked and not asked again.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Final, Protocol

from controller.commission.draft import Answer, Draft, read_answer
from controller.config import Config, PartKind, Problem
from controller.config.profile_file import law
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
from controller.doctor.plugged import port_of
from controller.staff import StaffBook, StaffRefused, change_staff, load_staff
from drivers.port_list import found_ports

TABLE: Final = ("language", "id", "profile", "decks", "seats", "minimum_bet", "maximum_bet", "currency")
JOURNAL: Final = ("journal.path", "journal.second_copy", "staff.path")
OPTIONAL: Final = ("journal.second_copy",)

OF_DEVICES: Final = ("port", "protocol", "line", "active_low")

HIRED: Final = "staff.hired."
"""Before a role's name: stands for the person of that role among the answers that can be taken back."""

USUAL: Final[dict[str, Answer]] = {
    "table.seats": 7,
    "table.currency": "EUR",
    "table.language": "pt",
    "journal.path": "/var/lib/sabot/journal",
    "journal.second_copy": "",
    "staff.path": "/var/lib/sabot/staff.toml",
    **{f"devices.{device.value}.port": f"/dev/sabot/{device.value.replace('_', '-')}" for device in Device},
    **{f"devices.{part.value}.port": "/dev/sabot/gpio" for part in PartKind if part.is_line},
    "devices.badge_reader.port": "/dev/sabot/badge-reader",
    **{f"devices.{device.value}.protocol": "tdp" for device in Device},
    **{f"devices.{part.value}.active_low": False for part in PartKind if part.is_line},
    "devices.lamp.line": 17,
    "devices.buzzer.line": 18,
    "devices.key_switch.line": 27,
}
"""The values that a question offers; "" for an answer that may be left out."""

DECKS: Final = {Machine.SHUFFLER: 6, Machine.SHOE: 6, Machine.BOX: 1, Machine.NONE: 0}

STANDS: Final[dict[Machine, tuple[Device, ...]]] = {
    machine: tuple(row.device for row in KINDS.values() if machine in row.stands_at) for machine in Machine
}
"""The devices that may stand at a table, by its machine. A shuffler or shoe table requires the first device."""


_STABLE: Final = Path("/dev/sabot")
"""The directory where udev's rules put stable port names."""


_SECTIONS: Final = {f"devices.{device.value}": device for device in Device}


def question_key(key: str) -> str:
    """Returns the catalogue key of the question for `key`. All devices share their questions, and so do all people."""
    parts = key.split(".")
    return f"commission.{parts[0]}.{parts[-1]}"


def port_names() -> list[str]:
    """Returns the stable names of this computer's ports; those that udev's rules give come first."""
    named = [name for port in found_ports() for name in (port.by_path, port.by_id) if name]
    return [*map(str, sorted(_STABLE.glob("*"))), *named]


class StepBack(Exception):  # noqa: N818 (the name says what is asked for)
    """Raised if the person takes the last answer back.

    The caller then calls `Course.back` and `Course.run` again.
    """


class Guide(People, Protocol):
    """The user interface of a commissioning: it asks the technician, shows the findings, and adds people to the staff
    file.
    """

    def begins(self, file: Path, *, goes_on: bool) -> None:
        """Called before the first question. `file`: the file that stores the answers. `goes_on`: True if the file has
        answers of an earlier run.
        """

    def says(self, key: str, usual: str) -> str:
        """Returns the typed answer to the question for `key`, or `usual` if nothing was typed."""

    def is_told(self, findings: Sequence[Finding]) -> None: ...

    def is_corrected(self, problems: Sequence[Problem]) -> None: ...

    def is_refused(self, refused: StaffRefused) -> None: ...

    def hires(self, config: Config, role: Role) -> None:
        """Puts a person with `role` into the staff file. Raises StaffRefused."""

    # `says`, `sees` and `hires` raise StepBack where a guide lets people go back.


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
    _answered: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._answered = [key for key in self.draft.answered() if _is_asked(key)]

    def back(self) -> None:
        """Takes back the last answer, even one of an earlier run, or the last person of this run. Does nothing without
        either. Raises OSError, StaffRefused.
        """
        if not self._answered:
            return
        key = self._answered.pop()
        self._left_out.discard(key)
        if key.startswith(HIRED):
            change_staff(self.draft.config().staff, partial(_without, role=Role(key.removeprefix(HIRED))))
            return
        if key in self._absent:
            self._absent.discard(key)
        elif self.draft.get(key) is not None:
            self.draft.take_back(key)

    @property
    def may_go_back(self) -> bool:
        return bool(self._answered)

    def run(self) -> list[Finding]:
        """Asks every question, checks the answers and writes the configuration. Returns the findings that remain.

        Raises StepBack, ConfigRefused, OSError.
        """
        self.guide.begins(self.draft.begun or self.draft.draft, goes_on=self.draft.begun is not None)
        for name in TABLE:
            self._ask(f"table.{name}")
        for key in JOURNAL:
            self._ask(key)
        for device in STANDS[self._machine()]:
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
        while True:
            before = self.draft.get(key)
            if before is not None and not anew:
                problems = self.draft.problems(key)
                if not problems:
                    return
                self.guide.is_corrected(problems)
                if not key.endswith(".port"):
                    before = None
            usual = self._usual(key) if before is None else before
            text = self.guide.says(key, _typed(usual)).strip()
            anew = False
            if text or key in OPTIONAL:
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

    def _usual(self, key: str) -> Answer | None:
        if key == "table.decks":
            return DECKS[self._machine()]
        usual = USUAL.get(key)
        section, _, name = key.rpartition(".")
        if name == "port" and section in _SECTIONS and not Path(str(usual)).exists():
            return self._port_of(_SECTIONS[section]) or usual
        return usual

    def _port_of(self, device: Device) -> str | None:
        """Returns the free port at which the device answers. None if it answers at no port."""
        sections = (f"devices.{one.value}.port" for one in (*Device, *PartKind))
        used = {self.draft.get(key) for key in sections}
        free = [name for name in port_names() if name not in used and not name.startswith(f"{_STABLE}/gpio")]
        simulated = self.draft.get("table.simulated") is True
        deals = self._machine() is not Machine.SHUFFLER
        return port_of(device, free, simulated=simulated, deals=deals)

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
        stands = self.draft.has_section(section) or self.guide.sees(f"has-{section.removeprefix('devices.')}")
        if not stands:
            self._absent.add(section)
            self._is_answered(section)
        return stands

    def _must_stand(self, device: Device) -> bool:
        machine = self._machine()
        return machine in {Machine.SHUFFLER, Machine.SHOE} and STANDS[machine][0] is device

    def _machine(self) -> Machine:
        return law(str(self.draft.get("table.profile"))).procedure.machine

    def _roles(self, config: Config) -> set[Role]:
        if not config.staff.exists():
            return set()
        return {one.role for one in load_staff(config.staff).people}


def _without(book: StaffBook, role: Role) -> StaffBook:
    """Returns the book without the people of a role. They leave no trace, since no session has been opened."""
    return replace(book, people=tuple(one for one in book.people if one.role is not role))


def _is_asked(key: str) -> bool:
    section, _, name = key.rpartition(".")
    return key in JOURNAL or (section == "table" and name in TABLE) or (section != "table" and name in OF_DEVICES)


def _typed(answer: object) -> str:
    """Returns the answer as a person would type it."""
    match answer:
        case None:
            return ""
        case bool():
            return "true" if answer else "false"
        case _:
            return str(answer)
