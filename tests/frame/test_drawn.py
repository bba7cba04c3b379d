"""The draw of `make test` from a long list: equal for equal commits, complete over many days, reported at the end."""

import re

import pytest

from tests.costs import costs
from tests.drawn import COSTLY_S, TREE, fitting, share

pytestmark = pytest.mark.waits

PLUGINS = ("-p", "tests.costs", "-p", "tests.drawn")
NAMES = [str(number) for number in range(40)]

LISTS = """
import pytest

@pytest.mark.drawn(2, always=("7",))
@pytest.mark.parametrize("case", range(9))
def test_long(case): pass

@pytest.mark.drawn(1, of="evenings")
def test_one(): pass

@pytest.mark.drawn(1, of="evenings")
def test_another(): pass

def test_short(): pass
"""

WAITING = """
import pytest

@pytest.mark.waits
@pytest.mark.parametrize("case", range(9))
def test_process(case): pass

@pytest.mark.slow
@pytest.mark.parametrize("case", range(3))
def test_computes(case): pass

@pytest.mark.waits
@pytest.mark.daily
def test_each_day(): pass

def test_sum(): pass
"""


def test_a_commit_draws_the_same_and_others_draw_all_in_time() -> None:
    assert share(NAMES, 5, "aa") == share(NAMES, 5, "aa")
    assert {len(share(NAMES, 5, f"{commit}")) for commit in range(9)} == {5}
    assert set().union(*(share(NAMES, 5, f"{commit}") for commit in range(99))) == set(NAMES)
    assert share(NAMES, 50, "aa") == set(NAMES)


def test_one_of_each_part_of_a_list_is_drawn() -> None:
    for commit in range(9):
        assert sorted(int(name) // 8 for name in share(NAMES, 5, f"{commit}")) == [0, 1, 2, 3, 4]
    assert share([], 5, "aa") == set()


def test_the_costly_ones_of_a_day_cost_alike_and_each_has_its_day() -> None:
    seconds = {name: 2.0 + int(name) % 5 for name in NAMES}
    days = [fitting(seconds, 40.0, f"{commit}") for commit in range(99)]
    assert all(38.0 <= sum(seconds[name] for name in day) <= 40.0 for day in days)
    assert set().union(*days) == set(NAMES)
    assert fitting(seconds, -3.0, "aa") == set()


def test_each_costly_test_is_one_and_fits_into_a_day() -> None:
    for name, seconds in costs().items():
        file, test = name.partition("[")[0].split("::")[:2]
        assert re.search(rf"\b{test}\b", (TREE / file).read_text()), name
        assert seconds <= COSTLY_S / 2, name


def test_costly_tests_are_measured_drawn_or_not(lists: pytest.Pytester) -> None:
    lists.makeconftest("import tests.costs\n\ntests.costs.COSTLY_FROM_S = 0.0\n")
    lists.runpytest_subprocess(*PLUGINS, "--costs", "found").assert_outcomes(passed=12)
    seconds, names = zip(*(line.split(" ") for line in (lists.path / "found").read_text().splitlines()), strict=True)
    assert len(set(names)) == 12
    assert all(0 <= float(one) < 60 for one in seconds)


@pytest.fixture
def lists(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("SABOT_DRAW", "cafe")
    monkeypatch.setenv("PYTHONPATH", str(TREE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(LISTS)
    return pytester


def test_by_day_a_share_is_tried_and_said(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_NIGHT", "0")
    result = lists.runpytest_subprocess(*PLUGINS, "-v")
    result.assert_outcomes(passed=5, deselected=7)  # 7, two others, one evening, the short one
    result.stdout.fnmatch_lines(["*::test_long[[]7] PASSED*", "*drawn by cafe: SABOT_DRAW=cafe repeats it*"])
    result.stdout.fnmatch_lines(["3 of 9 cases of *test_long", "1 of 2 cases of evenings"])


def test_by_night_and_by_name_nothing_is_left_out(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_NIGHT", "1")
    lists.runpytest_subprocess(*PLUGINS).assert_outcomes(passed=12)
    monkeypatch.setenv("SABOT_NIGHT", "0")
    path = next(lists.path.glob("test_*.py")).name
    for number in (0, 8):
        lists.runpytest_subprocess(*PLUGINS, f"{path}::test_long[{number}]").assert_outcomes(passed=1)


def test_a_sample_leaves_out_some_that_wait_or_compute(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    lists.makepyfile(test_waiting=WAITING)
    lists.makeini("[pytest]\nmarkers =\n    waits\n    slow")
    monkeypatch.setenv("SABOT_NIGHT", "0")
    result = lists.runpytest_subprocess(*PLUGINS, "--sample", "test_waiting.py")
    result.assert_outcomes(passed=5, deselected=9)  # 3 of 12, the daily one, the sum
    result.stdout.fnmatch_lines(["3 of 12 other tests of * that wait or are slow"])
    lists.runpytest_subprocess(*PLUGINS, "test_waiting.py").assert_outcomes(passed=14)
    monkeypatch.setenv("SABOT_NIGHT", "1")
    lists.runpytest_subprocess(*PLUGINS, "--sample", "test_waiting.py").assert_outcomes(passed=14)
