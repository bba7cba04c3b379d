"""The trial that finds each mutant: one is remembered in mutants.table, and any other will do.

`python -m tests.scenario.finders` (or `make mutants`) writes the table. A finder that still works stays. For another
mutant the finders of its neighbours are tried, then every trial, the quickest first. Without a table all are searched
anew. The exit code is 1 if no trial finds a mutant and survivors.toml does not have it.
"""

import sys
import time
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Final

from tests.scenario.field_mutants import field_mutants, forget
from tests.scenario.mutants import Changed, Mutant, mutants
from tests.scenario.trials import Kind, Trial, run_by, trials

TABLE: Final = Path(__file__).with_name("mutants.table")
SURVIVORS: Final = Path(__file__).with_name("survivors.toml")
_BETWEEN: Final = " <- "


@cache
def every_mutant() -> dict[str, Mutant]:
    """Returns the mutants of rows and of fields, by name."""
    return {one.name: one for one in (*mutants(), *field_mutants())}


@cache
def remembered() -> dict[str, str]:
    """Returns the finder of each mutant by the last written table."""
    rows = TABLE.read_text().splitlines() if TABLE.exists() else []
    return dict(row.split(_BETWEEN) for row in rows if _BETWEEN in row)


@cache
def known_survivors() -> dict[str, str]:
    """Returns the mutants that no trial can find, each with the reason."""
    return tomllib.loads(SURVIVORS.read_text("utf-8"))


def is_found(mutant: Mutant) -> bool:
    """True where a trial finds the mutant; the remembered trial and those of its neighbours are tried first."""
    return _first_that_finds(mutant, chain(_remembered_near(mutant), _naming(mutant), trials())) is not None


def _first_that_finds(mutant: Mutant, names: Iterable[str]) -> str | None:
    asked = (trials()[name] for name in names if name in trials())
    return next((one.name for one in asked if _may_find(mutant, one) and _finds(one, mutant)), None)


def _remembered_near(mutant: Mutant) -> Iterator[str]:
    """Yields the mutant's own finder, and then the finders of its neighbours, which usually find new mutants, too."""
    if mutant.name in remembered():
        yield remembered()[mutant.name]
    yield from dict.fromkeys(by for name, by in remembered().items() if _about(name) == _about(mutant.name))


def _naming(mutant: Mutant) -> Iterator[str]:
    """Yields the trials that name the act of the mutant's row: those of a new act usually find it, before all others
    have been run.
    """
    act = f"act:{_about(mutant.name)}"
    yield from (name for name, one in trials().items() if act in one.rules)


def _about(name: str) -> str:
    """The row or function of a mutant."""
    return name.split(":")[0]


def finder(mutant: Mutant) -> str | None:
    """Returns the name of a trial that finds the mutant; None where no trial does.

    Tries the remembered trials first, then those that name its act, then the quickest.
    """
    return _first_that_finds(mutant, chain(_remembered_near(mutant), _naming(mutant), _quickest_first(mutant)))


def _finds(trial: Trial, mutant: Mutant) -> bool:
    assert _is_well(trial.name), f"{trial.name} fails while nothing is changed"
    with mutant.applied():
        return trial.fails()


@cache
def _is_well(name: str) -> bool:
    return not trials()[name].fails()


def _may_find(mutant: Mutant, trial: Trial) -> bool:
    return not mutant.rules or bool(mutant.rules & trial.rules)


def _quickest_first(mutant: Mutant) -> Iterator[str]:
    """Yields the names of the trials that run the changed code, the quickest first."""
    seen = _looks()
    running = (name for name, (_took_s, codes) in seen.items() if not mutant.runs or mutant.runs & codes)
    yield from sorted(running, key=lambda name: seen[name][0])


@cache
def _looks() -> dict[str, tuple[float, frozenset[object]]]:
    """Runs each trial once; returns its duration and the code that it runs."""
    return {one.name: _look(one) for one in trials().values()}


def _look(trial: Trial) -> tuple[float, frozenset[object]]:
    began_s = time.process_time()
    assert not trial.fails(), trial.name
    took_s = time.process_time() - began_s
    forget()  # a cached one would not run again
    return took_s, frozenset(run_by(trial))


def _found(name: str) -> tuple[str, str | None]:
    return name, finder(every_mutant()[name])


def main() -> int:
    """Writes the table of finders. Returns 1 where a mutant survives that is not listed as a survivor."""
    with ProcessPoolExecutor() as pool:
        found = dict(pool.map(_found, every_mutant(), chunksize=16))
    rows = [f"{name}{_BETWEEN}{by}" for name, by in found.items() if by]
    TABLE.write_text("\n".join([*_head(found), *rows, ""]), "utf-8")
    alive = {name for name, by in found.items() if by is None}
    wrong = [*sorted(alive - known_survivors().keys()), *sorted(known_survivors().keys() - alive)]
    print(f"{len(found)} mutants, {len(alive)} found by no trial; not as survivors.toml says:", *wrong, sep="\n  ")
    return 1 if wrong else 0


def _head(found: dict[str, str | None]) -> Iterator[str]:
    """The number of places and mutants of each kind of change, and of the finds by each kind of trial."""
    yield "# Generated (make mutants): each mutant, and a trial that finds it."
    yield "#"
    yield _counts("found by:", "places", "mutants", *Kind, "none")
    for changed in Changed:
        by = {name: found[name] for name, one in every_mutant().items() if one.changed is changed}
        kinds = Counter(trials()[one].kind if one else None for one in by.values())
        places = {_about(name) for name in by}
        yield _counts(changed, len(places), len(by), *(kinds[kind] for kind in (*Kind, None)))
    yield "#"


def _counts(what: str, *columns: object) -> str:
    return f"# {what:26}" + "".join(f"{column!s:>18}" for column in columns)


if __name__ == "__main__":
    sys.exit(main())
