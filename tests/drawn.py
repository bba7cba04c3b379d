"""Long lists of cases: `make night` tries all; by day a random share is tried, another with each commit.

A test with such a list has the mark `drawn(by_day)`, or `drawn(by_day, always=(...))` where cases of that name are
tried each day: those that failed once. Tests with `of="name"` are one list together. The run ends with a line for each
list and with the command that repeats it. A long list that one test goes through is `every(cases, nth)`: by day each
Nth.

With `--sample`, as in `make test`, the tests of a folder that wait (mark `waits`) or compute for more than a second
(mark `slow`) are a list, too: they take most of the time, and a quarter of them is tried. The mark `daily` is for those
that are tried each day.

Each day costs about the same. A list is cut into as many parts as cases are drawn, one of each, since neighbours cost
alike. The costly ones of the tests that wait or are slow (costs.py) are one list for all folders: after the other
lists, as many are drawn as fit into the day's seconds of processor.
"""

import os
import random
import subprocess
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from typing import Final, TypeVar

import pytest

from tests.costs import costs
from tests.night import IS_NIGHT

TREE: Final = Path(__file__).parent.parent
MARK: Final = "drawn(by_day, always=(), of=''): of its cases so many are tried by day, drawn from the commit's digest"
NO_COMMIT: Final = "0"  # for a tree without a checkout


SAMPLED: Final = 0.25
"""The share of the tests that wait or are slow, of each folder, with `--sample`."""

COSTLY_S: Final = 60.0
"""The seconds of processor of a day's costly tests with `--sample`, those of the lists among them."""


T = TypeVar("T")


@cache
def digest() -> str:
    """The first 12 digits of the commit's hash, or the value of SABOT_DRAW, which repeats an earlier draw."""
    if drawn := os.environ.get("SABOT_DRAW"):
        return drawn
    asked = ("git", "-C", str(TREE), "rev-parse", "--short=12", "HEAD")
    try:
        return subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip() or NO_COMMIT
    except FileNotFoundError:
        return NO_COMMIT


def share(names: Sequence[str], by_day: int, drawn: str) -> set[str]:
    """At most `by_day` of the names: one of each part of the list, chosen at random with `drawn` as the seed."""
    chosen, parts = random.Random(drawn), min(by_day, len(names))  # noqa: S311
    ends = [len(names) * part // parts for part in range(parts + 1)] if parts else []
    return {names[chosen.randrange(begin, end)] for begin, end in pairwise(ends)}


def fitting(seconds: Mapping[str, float], most_s: float, drawn: str) -> set[str]:
    """The names whose seconds still fit into `most_s`, taken in a random order with `drawn` as the seed."""
    chosen, left_s = set[str](), most_s
    for name in random.Random(drawn).sample(sorted(seconds), len(seconds)):  # noqa: S311
        if seconds[name] <= left_s:
            chosen.add(name)
            left_s -= seconds[name]
    return chosen


def every(cases: Sequence[T], nth: int) -> Sequence[T]:
    """Each Nth case by day, from a start that the commit's digest chooses; all cases by night."""
    return cases if IS_NIGHT else cases[begins_at(nth) :: nth]


def begins_at(nth: int) -> int:
    """The index of the first tried case: by day random below `nth`, by night 0. Prints by day how to repeat the run."""
    if IS_NIGHT:
        return 0
    print(f"every {nth}. case, drawn by {digest()}: SABOT_DRAW={digest()} repeats it, SABOT_NIGHT=1 tries all")
    return random.Random(digest()).randrange(nth)  # noqa: S311


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", action="store_true", help="by day: of the tests that wait or are slow, a drawn share")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARK)
    config.addinivalue_line("markers", "daily: it waits or is slow, and `--sample` does not leave it out")
    config.stash[SHARES] = []


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselects by day the cases that were not drawn. A list no longer than its share is kept whole."""
    if IS_NIGHT or config.getoption("--costs"):
        return
    left_out, commit, spent_s = set[str](), digest(), 0.0
    for test, cases, mark in _lists(items):
        always = [case for case in cases if any(f"[{name}]" in case for name in mark.kwargs.get("always", ()))]
        others = [case for case in cases if case not in always]
        drawn = share(others, mark.args[0], f"{commit} {test}")
        left_out |= set(others) - drawn
        spent_s += sum(costs().get(name, 0.0) for name in (*always, *drawn))
        if len(drawn) < len(others):
            config.stash[SHARES].append(f"{len(always) + len(drawn)} of {len(cases)} cases of {test}")
    if config.getoption("--sample"):
        of_folders = _long(items)
        costly = {name: costs()[name] for names in of_folders.values() for name in names if name in costs()}
        fits = fitting(costly, COSTLY_S - spent_s, commit)
        left_out |= set(costly) - fits
        config.stash[SHARES].append(f"{len(fits)} of {len(costly)} costly tests, {spent_s:.0f} s of others before them")
        for folder, listed in of_folders.items():
            names = [name for name in listed if name not in costly]
            drawn = share(names, ceil(len(names) * SAMPLED), f"{commit} {folder}")
            left_out |= set(names) - drawn
            config.stash[SHARES].append(f"{len(drawn)} of {len(names)} other tests of {folder} that wait or are slow")
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in left_out])
    items[:] = [item for item in items if item.nodeid not in left_out]


SHARES: Final = pytest.StashKey[list[str]]()


def _lists(items: Sequence[pytest.Item]) -> Iterator[tuple[str, list[str], pytest.Mark]]:
    """Yields for each list of cases its name, the node ids of its cases, and its mark."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    marks = {}
    for item in items:
        if (mark := item.get_closest_marker("drawn")) is not None:
            test = mark.kwargs.get("of") or item.nodeid.partition("[")[0]
            cases[test].append(item.nodeid)
            marks[test] = mark
    for test, names in cases.items():
        yield test, names, marks[test]


def _long(items: Sequence[pytest.Item]) -> dict[str, list[str]]:
    """By folder the node ids of the tests that wait or are slow and are neither of another list nor tried each day."""
    names: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        marks = {mark.name for mark in item.iter_markers()}
        if marks & {"waits", "slow"} and not marks & {"drawn", "daily"}:
            names[item.nodeid.partition("::")[0].rpartition("/")[0]].append(item.nodeid)
    return names


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if shares := config.stash[SHARES]:
        terminalreporter.section(f"drawn by {digest()}: SABOT_DRAW={digest()} repeats it, SABOT_NIGHT=1 tries all")
        for line in shares:
            terminalreporter.write_line(line)
