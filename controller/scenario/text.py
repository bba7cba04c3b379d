"""Reads scenarios from a text. Reports each mistake with its line and the most similar known word."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum, unique
from typing import Final, TypeAlias

from msgspec import structs

from controller.config.profile import PROFILES
from controller.protocol.check import Problem
from controller.runtime.act_values import parse_values
from controller.scenario.people import PEOPLE
from controller.scenario.settings import form_of
from controller.scenario.slots import THINGS, Kind, Slot, misfit
from controller.scenario.tongue import ENGLISH, FIRST_WORDS, Tongue, tongue_of
from controller.scenario.words import Vocabulary, vocabulary_of

LONGEST_LINES: Final = 20_000


@unique
class Part(StrEnum):
    """The parts of a scenario. Each part has words of its own."""

    HEAD = "scenario"
    GIVEN = "given"
    WHEN = "when"
    THEN = "then"


@dataclass(frozen=True, slots=True)
class Mistake:
    """A mistake in one line of a text. `what`: the end of a message key under `scenario.mistake`. `values`: the values
    in the message. `problem`: the fault in a value of an act; None for any other mistake.
    """

    line: int
    what: str
    values: tuple[tuple[str, str], ...] = ()
    problem: Problem | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of `given`, `when` or `then`.

    `person`: the name of the person who acts; None for a line without an act.
    """

    number: int
    part: Part
    word: str
    rest: tuple[str, ...]
    person: str | None = None


@dataclass(slots=True)
class Scenario:
    """One scenario as its text gives it. `line`: the number of its first line. `clauses`, `rules`: the clauses and
    rules that its head names.
    """

    line: int
    id: str
    title: str
    profile: str = "pt-csm"
    tongue: Tongue = ENGLISH
    rules: list[str] = field(default_factory=list)
    clauses: list[str] = field(default_factory=list)
    settings: list[tuple[str, str]] = field(default_factory=list)
    prizes: list[str] = field(default_factory=list)
    lines: list[Line] = field(default_factory=list)


_HEAD: Final = ("rules", "clauses", "profile", "set", "prize")
_PARTS: Final = ("given", "when", "then")
_LINE_END: Final = re.compile(r"\r\n|\r|\n")
_NUMBER: Final = re.compile(r"[HD]?[0-9]+")
Slots: TypeAlias = tuple[Slot, ...]
_RULES: Final = (Slot(Kind.RULE, 1, 99),)
_CLAUSES: Final = (Slot(Kind.CLAUSE, 1, 99),)
_PRIZE: Final = (Slot(Kind.NUMBER), Slot(Kind.COMBINATION), Slot(Kind.PAYS))


class _Reading:
    """Reads a text line by line, and collects the scenarios and the mistakes in it."""

    def __init__(self) -> None:
        self.scenarios: list[Scenario] = []
        self.mistakes: list[Mistake] = []
        self.part = Part.HEAD
        self.tongue = ENGLISH  # the file's language, from its first scenario
        self._has_profile = False  # of the present scenario
        self._has_fact = False  # of the present scenario; an unreadable fact counts

    @property
    def known(self) -> Vocabulary:
        """Returns the words that the game of the present scenario has."""
        return vocabulary_of(self.scenarios[-1].profile)

    def wrong(self, number: int, what: str, **values: str) -> None:
        said = tuple((name, self.tongue.said(text)) for name, text in values.items())
        self.mistakes.append(Mistake(number, what, said))

    def line(self, number: int, text: str) -> None:
        words = text.split("#")[0].split()
        if not words:
            return
        if not self.scenarios:
            self.tongue = tongue_of(words[0]) or self.tongue
        if tongue_of(words[0]) is self.tongue:
            self._begin(number, words[1:])
        elif stranger := self.tongue.stranger(" ".join(words)):
            values = (("word", stranger), ("near", self.tongue.said(stranger)))
            self.mistakes.append(Mistake(number, "unknown", values))
        else:
            self._words(number, self.tongue.read(" ".join(words)).split())

    def _words(self, number: int, words: Sequence[str]) -> None:
        """Reads one line, given as its words in English. `number`: the number of the line."""
        if not self.scenarios:
            self._before_any(number, words[0])
        elif words[0] in _PARTS:
            self.part = Part(words[0])
            self._statement(number, words[1:])
        elif self.part is Part.HEAD:
            self._head(number, words[0], words[1:])
        else:
            self._statement(number, words)

    def ended(self) -> None:
        """Ends the last scenario, and reports a mistake if it has no fact in `then`."""
        if self.scenarios and not self._has_fact:
            self.wrong(self.scenarios[-1].line, "no-then")

    def _before_any(self, number: int, word: str) -> None:
        """Reports a line that stands before the first scenario. Reports a misspelt word `scenario` each time, but any
        other such line only once.
        """
        if self.tongue.near(word, FIRST_WORDS):
            self._unknown(number, word, FIRST_WORDS)
        elif not any(one.what == "no-head" for one in self.mistakes):
            self.wrong(number, "no-head", word=word)

    def _begin(self, number: int, words: Sequence[str]) -> None:
        self.ended()
        self.part, self._has_profile, self._has_fact = Part.HEAD, False, False
        if not words:
            self.wrong(number, "scenario-id")
        for other in (one for one in self.scenarios if words and one.id == words[0]):
            self.wrong(number, "scenario-again", id=other.id, first=str(other.line))
        self.scenarios.append(Scenario(number, next(iter(words), "?"), " ".join(words[1:]), tongue=self.tongue))

    def _head(self, number: int, word: str, rest: Sequence[str]) -> None:
        scenario = self.scenarios[-1]
        match word:
            case "rules":
                scenario.rules += rest
                self._fits(number, word, _RULES, rest)
            case "clauses":
                scenario.clauses += rest
                self._fits(number, word, _CLAUSES, rest)
            case "profile":
                self._profile(number, scenario, " ".join(rest))
            case "set" if self._fits(number, word, (Slot(Kind.PARAMETER), Slot(Kind.VALUE)), rest):
                self._setting(number, scenario, rest[0], rest[1])
            case "prize" if self._fits(number, word, _PRIZE, rest):
                scenario.prizes.append(" ".join(rest))
            case "set" | "prize":
                pass  # the mistake is reported already
            case _ if word in self.known.steps or word in self.known.facts:
                part = "given, when" if word in self.known.steps else "then"
                self.wrong(number, "other-part", word=word, part=part, near="-")
            case _:
                self._unknown(number, word, (*_HEAD, *_PARTS, "scenario"))

    def _profile(self, number: int, scenario: Scenario, name: str) -> None:
        if self._has_profile:
            self.wrong(number, "twice", word="profile")
        elif name not in PROFILES:
            self._unknown(number, name, PROFILES)
        else:
            scenario.profile, self._has_profile = name, True

    def _setting(self, number: int, scenario: Scenario, name: str, value: str) -> None:
        form = form_of(name)
        if any(known == name for known, _value in scenario.settings):
            self.wrong(number, "twice", word=f"set {name}")
        elif not form.thing.fits(value):
            self._form(number, f"set {name}", form.shown, value, form.thing.words)
        else:
            scenario.settings.append((name, value))

    def _statement(self, number: int, words: Sequence[str]) -> None:
        if not words:
            return
        self._has_fact |= self.part is Part.THEN
        if words[0].endswith(":"):
            self._act(number, words[0][:-1], words[1:])
            return
        table, other = self._tables()
        word, rest = words[0], tuple(words[1:])
        if word not in table and (word in other or word in _HEAD):
            part = "scenario" if word in _HEAD else "given, when" if self.part is Part.THEN else "then"
            begun = [said for one in table if (said := self.tongue.said(one)).startswith(self.tongue.said(word))]
            self.wrong(number, "other-part", word=word, part=part, near=", ".join(begun) or "-")
        elif word not in table:
            people = () if self.part is Part.THEN else tuple(f"{person}:" for person in PEOPLE)
            self._unknown(number, word, (*people, *table, *_PARTS, *_HEAD, "scenario"), "-".join((word, *rest[:1])))
        elif self._fits(number, word, table[word], rest):
            self.scenarios[-1].lines.append(Line(number, self.part, word, rest))

    def _tables(self) -> tuple[dict[str, Slots], dict[str, Slots]]:
        """Returns two tables of words with their slots: that of the present part of the scenario, then the other one.
        `given` and `when` have the table of steps; `then` has the table of facts.
        """
        steps = {word: step.slots for word, step in self.known.steps.items()}
        facts = {word: fact.slots for word, fact in self.known.facts.items()}
        return (facts, steps) if self.part is Part.THEN else (steps, facts)

    def _fits(self, number: int, word: str, slots: Slots, rest: Sequence[str]) -> bool:
        found = misfit(slots, rest)
        if found is not None:
            self._form(
                number, word, " ".join(slot.shown for slot in slots) or "-", found.word, found.known, found.joined
            )
        return found is None

    def _form(self, number: int, word: str, takes: str, given: str, known: Sequence[str], joined: str = "") -> None:
        if given:
            meant = joined if joined in known else self.tongue.near(given, known)
            self.wrong(number, "form", word=word, takes=takes, given=given, near=meant or "-")
        else:
            self.wrong(number, "form-nothing", word=word, takes=takes)

    def _act(self, number: int, person: str, words: Sequence[str]) -> None:
        if self.part is Part.THEN:
            self.wrong(number, "act-in-then")
        elif person not in PEOPLE:
            self._unknown(number, person, tuple(PEOPLE))
        elif not words or words[0] not in self.known.acts:
            self._unknown(number, " ".join(words[:1]), tuple(self.known.acts))
        elif not all("=" in word for word in words[1:]):
            self.wrong(number, "values", word=words[0], takes="NAME=VALUE")
        else:
            self._values(number, words[0], words[1:])
            self.scenarios[-1].lines.append(Line(number, self.part, words[0], tuple(words[1:]), person))

    def _values(self, number: int, act: str, words: Sequence[str]) -> None:
        """Reports mistakes in the values of an act: a value with a wrong form, or one given twice. The value for a hold
        or a duty may be its kind instead of its number.
        """
        given = dict(word.split("=", 1) for word in words)
        for name in (name for name in given if sum(word.startswith(f"{name}=") for word in words) > 1):
            self.wrong(number, "twice", word=f"{name}=")
        for name in _BY_KIND.keys() & given.keys():
            given[name] = self._numbered(number, act, name, given[name])
        problems = parse_values(self.known.acts[act], given)
        for problem in problems if isinstance(problems, list) else ():
            said = problem.given or problem.name
            meant = self.tongue.near(said, problem.known.split(", ")) or "-"
            values = (("act", self.tongue.said(act)), ("near", meant))
            self.mistakes.append(Mistake(number, "value", values, self._in_own_words(problem)))

    def _in_own_words(self, problem: Problem) -> Problem:
        """Returns the problem with its words translated into the language of the file."""
        said = self.tongue.said
        return structs.replace(problem, name=said(problem.name), given=said(problem.given), known=said(problem.known))

    def _numbered(self, number: int, act: str, name: str, text: str) -> str:
        """Returns `text` if it is a number, otherwise "1", so that the other values of the act can still be checked.

        Reports a mistake if `text` is neither a number nor a kind of hold or duty.
        """
        thing = THINGS[_BY_KIND[name]]
        if _NUMBER.fullmatch(text):
            return text
        if not thing.fits(text):
            self._form(number, f"{act} {name}=", _BY_KIND[name].value, text, thing.words)
        return "1"

    def _unknown(self, number: int, word: str, known: Sequence[str], joined: str = "") -> None:
        """Reports the unknown word `word`. `joined`: this word and the next one with a hyphen, in case the hyphen was
        forgotten.
        """
        meant = joined if joined in known else self.tongue.near(word, known)
        self.wrong(number, "unknown", word=word or "-", near=meant or "-")


_BY_KIND: Final = {"hold": Kind.HOLD, "duty": Kind.DUTY}


def read_scenarios(text: str) -> tuple[list[Scenario], list[Mistake]]:
    """Returns every scenario of a text, and every mistake in it."""
    reading = _Reading()
    lines = _LINE_END.split(text)
    for number, line in enumerate(lines[:LONGEST_LINES], 1):
        reading.line(number, line)
    if len(lines) > LONGEST_LINES:  # the last scenario may go on beyond the limit, so its end is not checked
        reading.wrong(LONGEST_LINES, "too-long", lines=str(LONGEST_LINES))
    else:
        reading.ended()
    if not reading.scenarios and not reading.mistakes:
        reading.wrong(1, "no-scenario")
    return reading.scenarios, reading.mistakes
