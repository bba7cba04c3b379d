"""The tests that show each clause: they name the clause, and fail if one of its rules is removed or reversed.

The answers are kept in shown.table, under a digest of the test's own text and of the present changes. `make pages` asks
for the missing answers, and for all answers about a clause that no test shows; `make night` asks for all again. A
scenario must fail by a fact or an act of its own, not by a shorthand that gets stuck; a test function must fail by an
assertion. A test of the whole program is not asked.
"""

import ast
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Final

from controller.scenario.play import Failure, play
from controller.scenario.text import Part, Scenario
from tests.pages.named import named_clauses
from tests.scenario.field_mutants import forget
from tests.scenario.rule_mutants import Applied, of_clause, of_each_guard
from tests.scenario.test_written_scenarios import FILES, scenarios
from tests.scenario.trials import cases_in, in_time

ROOT: Final = Path(__file__).parents[2]
TABLE: Final = Path(__file__).with_name("shown.table")
_NONE: Final = "-"
_ASKED: Final = ("tests/core/", "tests/money/", "tests/roulette/test_payments.py")


def pairs() -> Iterator[tuple[str, str]]:
    """Yields each clause with each test that names it."""
    return ((clause, test) for clause, tests in named_clauses().items() for test in tests)


@cache
def kept() -> dict[tuple[str, str], tuple[str, str]]:
    """Returns by clause and test the kept digest of the question, and the change that the test finds."""
    rows = (row.split(" ", 3) for row in TABLE.read_text("utf-8").splitlines() if row[:1] not in {"", "#"})
    return {(clause, test): (digest, change) for clause, test, digest, change in rows}


def shows(clause: str, test: str) -> bool:
    """True where the test was seen to fail, by the table."""
    return kept().get((clause, test), ("", _NONE))[1] != _NONE


def digest(clause: str, test: str) -> str:
    """Returns the digest of everything on which an answer depends, except the program itself."""
    asked = [text_of(test), *_changes(clause)] if _is_asked(test) else []
    return sha256("\n".join(asked).encode()).hexdigest()[:10]


@cache
def _changes(clause: str) -> dict[str, Applied]:
    return of_clause(clause)


def found(clause: str, test: str, first: str = "") -> str:
    """Returns the name of a change that the test finds, or the word for none; `first` is tried before the others."""
    if not _is_asked(test):
        return _NONE
    changes = _changes(clause)
    names = sorted(changes, key=lambda name: name != first)
    return next((name for name in names if _fails_with(test, changes[name])), _NONE)


def guards_not_missed(clause: str) -> list[str]:
    """Returns the guards that refuse for this clause and whose removal makes no test fail that names the clause."""
    tests = [test for test in named_clauses().get(clause, ()) if _is_asked(test)]
    return [rule for rule, changes in of_each_guard(clause).items() if not _is_missed(rule, changes.values(), tests)]


def _is_missed(rule: str, changes: Iterable[Applied], tests: list[str]) -> bool:
    """True where one of the tests fails under one of the changes; tests that name the guard are tried first."""
    asked = sorted(tests, key=lambda test: rule not in text_of(test))
    return any(_fails_with(test, applied) for test in asked for applied in changes)


def _is_asked(test: str) -> bool:
    return "[" in test or test.startswith(_ASKED)


def _fails_with(test: str, applied: Applied) -> bool:
    with applied():
        forget()
        try:
            return _runs()[test]()
        finally:
            forget()


# --- the tests


@cache
def _written() -> dict[str, Scenario]:
    at = "tests/scenario/test_written_scenarios.py::test_scenario"
    return {f"{at}[{path.stem}-{one.id}]": one for path in FILES for one in scenarios(path)}


@cache
def _runs() -> dict[str, Callable[[], bool]]:
    """Returns each test as a function that runs the test and returns True where it fails now."""
    runs: dict[str, Callable[[], bool]] = {name: _of_scenario(one) for name, one in _written().items()}
    for file in sorted({test.split("::")[0] for _clause, test in pairs() if test.startswith(_ASKED)}):
        cases: dict[str, list[Callable[[], None]]] = {}
        for name, run in cases_in(ROOT / file):
            cases.setdefault(f"{file}::{name.split('[')[0]}", []).append(run)
        runs |= {test: _of_cases(each) for test, each in cases.items()}
    return {test: runs.get(test, bool) for _clause, test in pairs()}


def _of_scenario(scenario: Scenario) -> Callable[[], bool]:
    parts = {line.number: line.part for line in scenario.lines}

    def fails() -> bool:
        try:
            with in_time():
                failures = play(scenario).failures
        except (*_STUCK, TimeoutError):
            return False
        return any(_is_of_its_own(failure, parts.get(failure.line)) for failure in failures)

    return fails


_STUCK: Final = (AssertionError, ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)


def _is_of_its_own(failure: Failure, part: Part | None) -> bool:
    if failure.what == "failed.refused":
        return part is Part.WHEN
    return failure.what == "failed.otherwise" or (
        part is Part.WHEN and failure.what.startswith("stopped.") and failure.what != "stopped.refused-inside"
    )


def _of_cases(cases: list[Callable[[], None]]) -> Callable[[], bool]:
    def fails() -> bool:
        for case in cases:
            try:
                with in_time():
                    case()
            except AssertionError:
                return True
            except (*_STUCK, TimeoutError):
                continue
        return False

    return fails


@cache
def text_of(test: str) -> str:
    """Returns the test's own lines."""
    file, _, name = test.partition("::")
    if "[" in name:
        return _lines_of_scenarios()[test]
    return _functions_in(ROOT / file)[name]


@cache
def _lines_of_scenarios() -> dict[str, str]:
    """The lines of each written scenario, from its head to the next."""
    lines: dict[str, str] = {}
    for path in FILES:
        heads = {one.line: one.id for one in scenarios(path)}
        text, now = path.read_text("utf-8").splitlines(), ""
        for number, line in enumerate(text, 1):
            if number in heads:
                now = f"tests/scenario/test_written_scenarios.py::test_scenario[{path.stem}-{heads[number]}]"
            if now and (said := re.sub(r"(^|\s)#.*", "", line).strip()):
                lines[now] = lines.get(now, "") + said + "\n"
    return lines


@cache
def _functions_in(path: Path) -> dict[str, str]:
    tree = ast.parse(path.read_text("utf-8"))
    return {one.name: ast.unparse(one) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef)}


# --- the table


def asked_anew(*, everything: bool = False) -> str:
    """Returns the table, after asking the missing answers; `everything`: after asking all answers."""
    rows = ["# Generated (make pages): clause, test that names it, digest, and the change of its rules that it finds."]
    shown = {clause for clause, test in pairs() if shows(clause, test)}
    for clause, test in pairs():
        now, (then, change) = digest(clause, test), kept().get((clause, test), ("", _NONE))
        if everything or now != then or clause not in shown:
            change = found(clause, test, change)
        rows.append(f"{clause} {test} {now} {change}")
    return "\n".join(rows) + "\n"


def refresh(*, everything: bool = False) -> None:
    """Writes the table with the missing answers asked; `everything`: with all answers asked."""
    TABLE.write_text(asked_anew(everything=everything), "utf-8")
    kept.cache_clear()


def main() -> int:
    """Asks all answers anew and writes the table. Returns 1 where a test shows less than the table had."""
    before = [pair for pair in pairs() if shows(*pair)]
    refresh(everything=True)
    lost = [" ".join(pair) for pair in before if not shows(*pair)]
    print(f"{len(lost)} clauses are no longer shown by a test that showed them:", *lost, sep="\n  ")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
