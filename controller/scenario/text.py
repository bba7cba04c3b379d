"""Reads the text of scenarios into values; what cannot be read is said with its line and the nearest word."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Final

from controller.act_values import parse_values
from controller.config.problems import near
from controller.config.profile import PROFILES
from controller.core.acts import ACTS
from controller.scenario.facts import FACTS
from controller.scenario.people import PEOPLE
from controller.scenario.slots import FITS, Kind, Slot, fit
from controller.scenario.steps import STEPS

LONGEST_LINES: Final = 20_000


@unique
class Part(StrEnum):
    """Where in a scenario a line stands."""

    HEAD = "scenario"
    GIVEN = "given"
    WHEN = "when"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A line that cannot be read: a message key under `scenario.mistake` with its values."""

    line: int
    what: str
    values: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of `given`, `when` or `then`; `person` where it is somebody's act."""

    number: int
    part: Part
    word: str
    rest: tuple[str, ...]
    person: str | None = None


@dataclass(slots=True)
class Scenario:
    """One scenario as written."""

    line: int
    id: str
    title: str
    profile: str = "pt-csm"
    clauses: list[str] = field(default_factory=list)
    settings: list[tuple[str, str]] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


_HEAD: Final = ("clauses", "profile", "set")
_PARTS: Final = ("given", "when", "then")


class _Reading:
    """What has been read so far."""

    def __init__(self) -> None:
        self.scenarios: list[Scenario] = []
        self.mistakes: list[Mistake] = []
        self.part = Part.HEAD

    def wrong(self, number: int, what: str, **values: str) -> None:
        self.mistakes.append(Mistake(number, what, tuple(values.items())))

    def line(self, number: int, text: str) -> None:
        words = text.split("#")[0].split()
        if not words:
            return
        if words[0] == "scenario":
            self._begin(number, words[1:])
        elif not self.scenarios:
            self.wrong(number, "no-scenario")
        elif words[0] in _PARTS:
            self.part = Part(words[0])
            self._statement(number, words[1:])
        elif self.part is Part.HEAD:
            self._head(number, words[0], words[1:])
        else:
            self._statement(number, words)

    def _begin(self, number: int, words: Sequence[str]) -> None:
        self.part = Part.HEAD
        if not words or any(one.id == words[0] for one in self.scenarios):
            self.wrong(number, "scenario-id")
        self.scenarios.append(Scenario(number, next(iter(words), "?"), " ".join(words[1:])))

    def _head(self, number: int, word: str, rest: Sequence[str]) -> None:
        scenario = self.scenarios[-1]
        match word:
            case "clauses":
                scenario.clauses += rest
                if not all(FITS[Kind.CLAUSE](one) for one in rest):
                    self.wrong(number, "form", word=word, takes=Slot(Kind.CLAUSE, 1, 99).shown)
            case "profile" if len(rest) == 1 and rest[0] in PROFILES:
                scenario.profile = rest[0]
            case "profile":
                self.wrong(number, "unknown", word=" ".join(rest), near=near(" ".join(rest), PROFILES) or "-")
            case "set" if fit((Slot(Kind.PARAMETER), Slot(Kind.VALUE)), rest):
                scenario.settings.append((rest[0], rest[1]))
            case "set":
                self.wrong(number, "form", word=word, takes="PARAMETER VALUE")
            case _:
                self._unknown(number, word, (*_HEAD, *_PARTS, "scenario"))

    def _statement(self, number: int, words: Sequence[str]) -> None:
        if not words:
            return
        if words[0].endswith(":"):
            self._act(number, words[0][:-1], words[1:])
            return
        table = FACTS if self.part is Part.THEN else STEPS
        word, rest = words[0], tuple(words[1:])
        if word not in table:
            self._unknown(number, word, (*table, *_PARTS, *_HEAD))
        elif not fit(table[word].slots, rest):
            takes = " ".join(slot.shown for slot in table[word].slots)
            self.wrong(number, "form", word=word, takes=takes or "-")
        else:
            self.scenarios[-1].lines.append(Line(number, self.part, word, rest))

    def _act(self, number: int, person: str, words: Sequence[str]) -> None:
        if self.part is Part.THEN:
            self.wrong(number, "act-in-then")
        elif person not in PEOPLE:
            self._unknown(number, person, tuple(PEOPLE))
        elif not words or words[0] not in ACTS:
            self._unknown(number, " ".join(words[:1]), tuple(ACTS))
        elif not all("=" in word for word in words[1:]):
            self.wrong(number, "values", word=words[0], takes="NAME=VALUE")
        else:
            self._values(number, words[0], words[1:])
            self.scenarios[-1].lines.append(Line(number, self.part, words[0], tuple(words[1:]), person))

    def _values(self, number: int, act: str, words: Sequence[str]) -> None:
        """The values' own form; a hold or a duty may stand by its kind."""
        given = dict(word.split("=", 1) for word in words)
        plain = {
            name: "1" if name in {"hold", "duty"} and FITS[_BY_KIND[name]](text) else text
            for name, text in given.items()
        }
        problems = parse_values(ACTS[act], plain)
        for problem in problems if isinstance(problems, list) else ():
            self.wrong(number, "value", name=problem.name, act=act, given=problem.given or "-")

    def _unknown(self, number: int, word: str, known: Sequence[str]) -> None:
        self.wrong(number, "unknown", word=word, near=near(word, known) or "-")


_BY_KIND: Final = {"hold": Kind.HOLD, "duty": Kind.DUTY}


def read_scenarios(text: str) -> tuple[list[Scenario], list[Mistake]]:
    """Every scenario of a text, and every mistake in it."""
    reading = _Reading()
    for number, line in enumerate(text.splitlines()[:LONGEST_LINES], 1):
        reading.line(number, line)
    if not reading.scenarios:
        reading.wrong(1, "no-scenario")
    return reading.scenarios, reading.mistakes
