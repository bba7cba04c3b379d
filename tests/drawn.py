"""Long lists of cases: by night all are tried, by day a share that the commit's digest draws, so that days add up.

A test with such a list has the mark `drawn(by_day)`, or `drawn(by_day, always=(...))` where cases of that name are
tried each day: those that failed once. Tests with `of="name"` are one list together. The run ends with a line for each
list and with the command that repeats it. A long list that one test goes through is `every(cases, nth)`: by day each
Nth.
"""

import os
import random
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final, TypeVar

import pytest

from tests.night import IS_NIGHT

TREE: Final = Path(__file__).parent.parent
MARK: Final = "drawn(by_day, always=(), of=''): of its cases so many are tried by day, drawn from the commit's digest"
NO_COMMIT: Final = "0"  # for a tree without a checkout


T = TypeVar("T")


@cache
def digest() -> str:
    """The first digits of the commit, or of SABOT_DRAW, which repeats another day."""
    if drawn := os.environ.get("SABOT_DRAW"):
        return drawn
    asked = ("git", "-C", str(TREE), "rev-parse", "--short=12", "HEAD")
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or NO_COMMIT
    except FileNotFoundError:
        return NO_COMMIT


def share(names: Sequence[str], by_day: int, drawn: str) -> set[str]:
    """`by_day` of the names, drawn by chance; another `drawn` draws other names from an equal list."""
    return set(random.Random(drawn).sample(names, min(by_day, len(names))))  # noqa: S311


def every(cases: Sequence[T], nth: int) -> Sequence[T]:
    """By day each Nth case, from one that the digest draws; by night all."""
    return cases if IS_NIGHT else cases[begins_at(nth) :: nth]


def begins_at(nth: int) -> int:
    """The first of each Nth case, by night the first of all. A failing test prints the command that repeats it."""
    if IS_NIGHT:
        return 0
    print(f"every {nth}. case, drawn by {digest()}: SABOT_DRAW={digest()} repeats it, SABOT_NIGHT=1 tries all")
    return random.Random(digest()).randrange(nth)  # noqa: S311


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)
    config.stash[SHARES] = []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leaves out by day the cases that the digest does not draw; a case that was named alone is tried."""
    if IS_NIGHT:
        return
    left_out, commit = set[str](), digest()
    for test, cases, mark in _lists(items):
        always = [case for case in cases if any(f"[{name}]" in case for name in mark.kwargs.get("always", ()))]
        others = [case for case in cases if case not in always]
        drawn = share(others, mark.args[0], f"{commit} {test}")
        left_out |= set(others) - drawn
        if len(drawn) < len(others):
            config.stash[SHARES].append(f"{len(always) + len(drawn)} of {len(cases)} cases of {test}")
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


SHARES: Final = pytest.StashKey[list[str]]()


def _lists(items: Sequence[pytest.Item]) -> Iterator[tuple[str, list[str], pytest.Mark]]:
    """Each test with the mark: its name, the names of its cases, the mark."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    marks = {}
    for item in items:
        if (mark := item.get_closest_marker("drawn")) is not None:
            test = mark.kwargs.get("of") or item.nodeid.partition("[")[0]
            cases[test].append(item.nodeid)
            marks[test] = mark
    for test, names in cases.items():
        yield test, names, marks[test]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if shares := config.stash[SHARES]:
        terminalreporter.section(f"drawn by {digest()}: SABOT_DRAW={digest()} repeats it, SABOT_NIGHT=1 tries all")
        for line in shares:
            terminalreporter.write_line(line)
