"""`make check`: runs the tests of a change for half a minute, beginning with those that the fewest imports connect to
it.

A change is the difference from the last commit or, without a difference, that commit itself. `python -m tests.touched
REV` takes the difference from another commit. A file that is no module touches the tests beside it and those that name
it; if there is no test beside it, those that name its folder. pytest imports each file that it is given: so it gets few
at first, and twice as many each time.
"""

import ast
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import grimp
import pytest

ROOT: Final = Path(__file__).parents[1]
ROOTS: Final = ("controller", "drivers", "firmware_protocols", "simulators", "tests")
WITHIN_S: Final = 27.0
"""Seconds from the program's start, after which no further test begins."""

FIRST: Final = 8
"""The number of files that are tried first. The import of all files takes longer than the half minute."""

AT_ONCE: Final = (
    "tests/catalogue/",
    "tests/core/test_registry",
    "tests/scenario/test_format",
    "tests/scenario/test_portuguese",
)
"""The tests that say what a new act, guard or sentence lacks; they begin before the nearer ones."""

LEFT_OUT: Final = "tests/deb/"  # they need root, and a package

_GOES_ON: Final = (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)  # the second: all tests of these begin first

ALONE: Final = {"tests.conftest", "tests.touched"}
"""Modules whose imports do not count: every test depends on the first, and the second is this program."""

Imports = Mapping[str, set[str]]

_LOADED: Final = re.compile(r'"((?:controller|simulators)(?:\.[a-z_]+)+)"')
"""Matches the quoted name of a module that the program loads by name, like a game's."""


def changed_since(revision: str | None) -> list[Path]:
    """The files that differ from `revision` (else: the last commit), and new files; if none, those of that commit."""
    found = [*_git("diff", "--name-only", revision or "HEAD"), *_git("ls-files", "--others", "--exclude-standard")]
    return [ROOT / name for name in (found or _git("diff", "--name-only", "HEAD~1", "HEAD"))]


def _git(*words: str) -> list[str]:
    return subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def importers() -> Imports:
    """The modules that import each module. A test file outside a package has its path, with dots, as its name."""
    graph = grimp.build_graph(*ROOTS, cache_dir=str(ROOT / ".import_linter_cache"))
    found = {module: set(graph.find_modules_that_directly_import(module)) for module in graph.modules}
    found |= {module_of(path): set() for path in (ROOT / "tests").rglob("*.py") if module_of(path) not in found}
    for path in (path for root in ROOTS for path in (ROOT / root).rglob("*.py")):
        for name in _LOADED.findall(path.read_text("utf-8")):
            if name in found:
                found[name].add(module_of(path))
    for path in (ROOT / "tests").rglob("*.py"):
        if module_of(path) not in graph.modules:
            for one in _asked_by(path):
                found.setdefault(one, set()).add(module_of(path))
        if path.name == "conftest.py" and path.parent.name != "tests":
            found[module_of(path)] |= {module_of(test) for test in path.parent.rglob("test_*.py")}
    return found


def module_of(path: Path) -> str:
    name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
    return name.removesuffix(".__init__")


def _asked_by(path: Path) -> Iterator[str]:
    """Yields the imported names of the file at `path` that may be modules; a file beside it under its full name."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        else:
            continue
        for name in names:
            beside = path.with_name(f"{name}.py")
            yield module_of(beside) if beside.is_file() else name


def touched(changed: Iterable[Path], imports: Imports) -> dict[str, int]:
    """The number of import steps from the change to each module that depends on it; 0 for a changed module."""
    away = {module: 0 for path in changed for module in _modules_with(path)}
    at = list(away)
    for module in at:
        for other in sorted(imports.get(module, set()) - ALONE):
            if other not in away:
                away[other] = away[module] + 1
                at.append(other)
    return away


def _modules_with(path: Path) -> Iterator[str]:
    if path.suffix == ".py":
        yield module_of(path)
        return
    beside = list(path.parent.glob("*.py"))
    named = path.name if beside or path.parent == ROOT else f'"{path.parent.name}"'
    yield from map(module_of, beside)
    yield from (module_of(one) for root in ROOTS for one in (ROOT / root).rglob("*.py") if named in one.read_text())


class Limit:
    """A pytest plugin that stops the run after the first test that ends later than `until_s`."""

    def __init__(self, until_s: float) -> None:
        self._until_s = until_s
        self.is_over = False

    def pytest_sessionstart(self, session: pytest.Session) -> None:
        self.session = session

    def is_past(self) -> bool:
        return time.monotonic() > self._until_s

    def pytest_runtest_logfinish(self) -> None:
        if not self.is_over and self.is_past():
            self.is_over = True
            self.session.shouldstop = "the time is over; `make test` tries the others"


def main() -> int:
    began_s = time.monotonic()
    changed = changed_since(sys.argv[1] if len(sys.argv) > 1 else None)
    away = touched(changed, importers())
    tests = {module: path for path in (ROOT / "tests").rglob("test_*.py") if (module := module_of(path)) in away}
    if not tests:
        print("no test imports what has changed")
        return 0
    nearest = in_order({str(path.relative_to(ROOT)): away[module] for module, path in tests.items()})
    return tried(nearest, Limit(began_s + WITHIN_S))


def in_order(away: Mapping[str, int]) -> list[str]:
    """The test files in the order in which they are tried. `away`: the import steps from the change to each file."""
    tried = (file for file in away if not file.startswith(LEFT_OUT))
    return sorted(tried, key=lambda file: (not file.startswith(AT_ONCE), away[file]))


def batches(files: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yields the files in order: FIRST of them, and each time twice as many as before."""
    at, size = 0, FIRST
    while at < len(files):
        yield files[at : at + size]
        at, size = at + size, 2 * size


def tried(files: Sequence[str], limit: Limit) -> int:
    """Runs the tests of these files in order until the limit or a failure; returns the exit code, 0 at the limit."""
    begun = 0
    for batch in batches(files):
        begun += len(batch)
        code = pytest.main(["-q", "-m", "not first", "-n", str(os.cpu_count()), *batch], plugins=[limit])
        if code not in _GOES_ON and not limit.is_over:
            return int(code)
        if limit.is_over or limit.is_past():
            print(f"begun: {begun} of the {len(files)} test files that the change touches")
            return int(bool(limit.session.testsfailed))
    return int(pytest.ExitCode.OK)


if __name__ == "__main__":
    sys.exit(main())
