"""`make check` runs the tests that are near a change, and ends in time."""

import pytest

from tests.drawn import TREE
from tests.touched import FIRST, batches, importers, in_order, touched

NEAR = {
    "controller/core/custody/round.py": {"tests.core.test_machines": 1},
    "controller/catalogue/zh-Hant.toml": {"tests.catalogue.test_catalogue_complete": 1},
    "tests/scenarios/jackpot.txt": {
        "tests.scenario.test_written_scenarios": 0,
        "tests.oracles.test_pools_of_scenarios": 0,
    },
    "controller/games/roulette.py": {"controller.runtime.game": 1, "tests.runtime.test_kept_journals": 3},
    "tests/journal/forms.py": {"tests.journal.test_forms": 1},
    "tests/panel/conftest.py": {"tests.panel.test_grid": 1},
    "tests/core/test_pool.py": {"tests.core.test_pool": 0},
    "CHANGELOG.md": {"tests.frame.test_versions_page": 0},
}


def test_what_imports_a_change_is_touched_and_says_how_near_it_is() -> None:
    imports = importers()
    for changed, tests in NEAR.items():
        away = touched([TREE / changed], imports)
        assert {name: away.get(name) for name in tests} == tests, changed
    in_the_root = touched([TREE / "CHANGELOG.md"], imports)
    assert "tests.deb.test_upgrade" not in in_the_root, "the name of the tree's own folder is no folder's name"
    assert "tests.protocols.test_cammegh" not in touched([TREE / "controller/panel/app.py"], imports)


def test_what_says_that_a_new_act_lacks_something_comes_first_and_packages_never() -> None:
    away = {"tests/core/test_jams.py": 1, "tests/deb/test_package.py": 0, "tests/catalogue/test_words.py": 3}
    assert in_order(away) == ["tests/catalogue/test_words.py", "tests/core/test_jams.py"]


@pytest.mark.waits
@pytest.mark.parametrize(("until", "passed"), [("1e9", 40), ("0", 1)])
def test_when_the_time_is_over_no_test_begins(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, until: str, passed: int
) -> None:
    """When the time is over no test begins, except those that the processes have already taken."""
    pytester.makepyfile(
        run=f"import sys, pytest; from tests.touched import Limit\n"
        f"limit = Limit({until})\n"
        f"code = pytest.main(['-p', 'tests.forked', '-n', '1'], plugins=[limit])\n"
        f"sys.exit(limit.session.testsfailed * 100 + 10 * limit.is_over + code)",
        test_them="import pytest\n@pytest.mark.parametrize('case', range(40))\ndef test_one(case): pass",
    )
    monkeypatch.setenv("PYTHONPATH", str(TREE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    result = pytester.runpython("run.py")
    done = result.parseoutcomes()["passed"]
    assert done == passed if until == "1e9" else passed <= done < 40
    assert result.ret == (0 if until == "1e9" else 12)


@pytest.mark.waits
@pytest.mark.parametrize(("until", "imported"), [("1e9", 20), ("0", FIRST)])
def test_files_are_imported_as_the_time_allows(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, until: str, imported: int
) -> None:
    for number in range(20):
        text = f"open('imported_{number}', 'w').close()\ndef test_one(): pass"
        pytester.makepyfile(**{f"test_{number}": text})
    names = [f"test_{number}.py" for number in range(20)]
    pytester.makepyfile(
        run=f"import sys\nfrom tests.touched import Limit, tried\nsys.exit(tried({names}, Limit({until})))"
    )
    monkeypatch.setenv("PYTHONPATH", str(TREE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTEST_ADDOPTS", "-p tests.forked")
    result = pytester.runpython("run.py")
    assert result.ret == 0, result.outlines
    assert len(list(pytester.path.glob("imported_*"))) == imported
    assert (f"begun: {FIRST} of the 20 test files that the change touches" in result.outlines) is (until == "0")


def test_each_batch_has_twice_as_many_files() -> None:
    assert [len(batch) for batch in batches([str(number) for number in range(3 * FIRST + 1)])] == [FIRST, 2 * FIRST, 1]
