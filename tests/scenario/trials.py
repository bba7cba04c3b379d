"""The trials against a mutant in this process: written scenarios, rows that are asked by hand, tests of the core.

A rule selects the trials: a trial names the rules that it shows (a scenario in its line `rules`), and the code that it
runs is traced.
"""

import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum, unique
from functools import cache, partial
from importlib import import_module
from inspect import isfunction, signature, unwrap
from itertools import product
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Final

import pytest

from controller.core.games.blackjack.table import NAMES
from controller.core.games.roulette.table import ROULETTE
from controller.scenario.play import play
from controller.scenario.text import Scenario
from tests.core import conftest
from tests.core.holds_out_of_reach import HOLD_CASES
from tests.core.rows_out_of_reach import CASES
from tests.core.table import CoreTable
from tests.scenario.test_written_scenarios import FILES, scenarios

_NAMES: Final = NAMES | {rule.act: rule.name for rule in ROULETTE.acts}
LONGEST_S: Final = 20
"""Seconds: a mutant may keep a trial in an endless loop."""


@unique
class Kind(StrEnum):
    """The kind of a trial, at any place."""

    SCENARIO = "scenario"
    BY_HAND = "row by hand"
    CORE = "test of the core"


@dataclass(frozen=True, slots=True)
class Trial:
    """One test: its name, the rules that it names, and the function that returns True where it fails now."""

    kind: Kind
    name: str
    rules: frozenset[str]
    fails: Callable[[], bool]


@cache
def trials() -> dict[str, Trial]:
    """Every trial by its name."""
    return {one.name: one for one in (*_by_hand(), *_written(), *_of_the_core())}


def _by_hand() -> Iterator[Trial]:
    asked: Counter[str] = Counter()
    for case in (*CASES, *HOLD_CASES):
        act = _NAMES[type(case.act)]
        name = f"{act} {case.guard or 'allowed'}"
        asked[name] += 1
        held = (f"hold:{hold.kind}" for hold in case.state.house.holds)
        rules = frozenset({f"act:{act}", f"guard:{case.guard}", *held})
        yield Trial(Kind.BY_HAND, f"{name} {asked[name]}", rules, partial(_fails, case.fails))


def _written() -> Iterator[Trial]:
    for path in FILES:
        for one in scenarios(path):
            name, fails = f"{path.stem}-{one.id}", partial(_fails, partial(_is_untrue, one))
            yield Trial(Kind.SCENARIO, name, frozenset(one.rules), fails)


def _is_untrue(scenario: Scenario) -> bool:
    return play(scenario).failure is not None


def _of_the_core() -> Iterator[Trial]:
    """Yields each case of the core's test functions that need no fixture, or only a table.

    Two files of tests of the money are included.
    """
    tests = Path(__file__).parents[1]
    for path in (
        *sorted((tests / "core").glob("test_*.py")),
        *(tests / "money" / f"test_{name}.py" for name in ("expectations", "readings")),
    ):
        for name, run in cases_in(path):
            yield Trial(Kind.CORE, f"{path.stem}.{name}", frozenset(), partial(_fails, run))


def cases_in(path: Path) -> Iterator[tuple[str, Callable[[], None]]]:
    """Yields name and function of each case of each test function that needs at most a table."""
    module = vars(import_module(f"tests.{path.parent.name}.{path.stem}"))
    table: Callable[[], CoreTable] = unwrap(module.get("table", conftest.table))
    for name, test in module.items():
        if name.startswith("test_") and isfunction(test):
            for case, values in _cases(test):
                asked = signature(test).parameters.keys() - values.keys()
                if asked <= {"table"}:
                    yield f"{name}{case}", partial(_on, table if asked else None, test, values)


_PARAM: Final = type(pytest.param())  # pytest has no public name for it


def _cases(test: FunctionType) -> Iterator[tuple[str, dict[str, object]]]:
    """Yields the cases of a test, each with its name and values."""
    marks = [mark.args for mark in getattr(test, "pytestmark", ()) if mark.name == "parametrize"]
    for at, case in enumerate(product(*(values for _names, values in marks))):
        chosen: dict[str, object] = {}
        for (names, _values), given in zip(marks, case, strict=True):
            chosen |= _named((names,), (given,)) if isinstance(names, str) else _named(names, given)
        yield f"[{at}]" if marks else "", chosen


def _named(names: Sequence[str], given: Sequence[object]) -> dict[str, object]:
    """Returns the names with the values of a case, which may have an identifier besides (`pytest.param`)."""
    case = given[0] if len(given) == 1 else given
    return dict(zip(names, case.values if isinstance(case, _PARAM) else given, strict=True))


def _on(table: Callable[[], CoreTable] | None, test: Callable[..., None], values: dict[str, object]) -> None:
    test(**values if table is None else {"table": table()} | values)


_BROKEN: Final = (
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    NameError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""The errors of code that should never have run so."""


def _fails(trial: Callable[[], bool | None]) -> bool:
    try:
        with in_time():
            return bool(trial())
    except (*_BROKEN, TimeoutError):
        return True


@contextmanager
def in_time() -> Iterator[None]:
    """Raises TimeoutError in a context that takes longer than LONGEST_S."""

    def over(_signal: int, _frame: FrameType | None) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, over)
    signal.alarm(LONGEST_S)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run_by(trial: Trial) -> frozenset[CodeType]:
    """Runs the trial, and returns the code of the functions that ran."""
    seen: set[CodeType] = set()

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(look)
    try:
        trial.fails()
    finally:
        sys.setprofile(None)
    return frozenset(seen)
