"""The list of the tests that cost much, with their seconds of processor: costs.txt, from which drawn.py composes a day.

`pytest --costs FILE` tries all cases of its tests, whatever the day's draw. It adds a line to FILE for each test that
costs at least COSTLY_FROM_S, its child processes included. The set-up and the end of a folder's fixtures count for the
first and the last test with them. A test without a line, such as a renamed one, is drawn with the others of its folder.
"""

import os
from collections.abc import Generator, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.left import children

FILE: Final = Path(__file__).with_name("costs.txt")
COSTLY_FROM_S: Final = 2.0


@cache
def costs() -> dict[str, float]:
    """The seconds of processor of each costly test, by its node id."""
    rows = [line.partition(" ") for line in FILE.read_text("utf-8").splitlines()]
    return {name: float(seconds) for seconds, _, name in rows}


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=Path, help="tries all cases, and adds to this file those that cost much")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measures a test with its fixtures, where that was asked for."""
    file: Path | None = item.config.getoption("--costs")
    if file is None:
        return (yield)
    before_s = _spent_s()
    result = yield
    if (seconds := _spent_s() - before_s) >= COSTLY_FROM_S:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(f"{seconds:.1f} {item.nodeid}\n")
    return result


def _spent_s() -> float:
    """The seconds of processor so far, of this process and of all below it."""
    return sum(_ticks(number) for number in _with_those_below("self")) / os.sysconf("SC_CLK_TCK")


def _ticks(number: str) -> int:
    """The ticks of processor of this process and of its children that it has waited for; 0 if it has ended."""
    with suppress(FileNotFoundError, ProcessLookupError):
        return sum(map(int, Path(f"/proc/{number}/stat").read_text("utf-8").rpartition(")")[2].split()[11:15]))
    return 0


def _with_those_below(number: str) -> Iterator[str]:
    yield number
    for child in children(number):
        yield from _with_those_below(child)
