"""The draw of `make test` from a long list: equal for equal commits, complete over days, and reported at the end."""

import pytest

from tests.drawn import TREE, share

pytestmark = pytest.mark.waits

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


@pytest.fixture
def lists(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("SABOT_DRAW", "cafe")
    monkeypatch.setenv("PYTHONPATH", str(TREE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(LISTS)
    return pytester


def test_by_day_a_share_is_tried_and_said(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_NIGHT", "0")
    result = lists.runpytest_subprocess("-p", "tests.drawn", "-v")
    result.assert_outcomes(passed=5, deselected=7)  # 7, two others, one evening, the short one
    result.stdout.fnmatch_lines(["*::test_long[[]7] PASSED*", "*drawn by cafe: SABOT_DRAW=cafe repeats it*"])
    result.stdout.fnmatch_lines(["3 of 9 cases of *test_long", "1 of 2 cases of evenings"])


def test_by_night_and_by_name_nothing_is_left_out(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SABOT_NIGHT", "1")
    lists.runpytest_subprocess("-p", "tests.drawn").assert_outcomes(passed=12)
    monkeypatch.setenv("SABOT_NIGHT", "0")
    path = next(lists.path.glob("test_*.py")).name
    for number in (0, 8):
        lists.runpytest_subprocess("-p", "tests.drawn", f"{path}::test_long[{number}]").assert_outcomes(passed=1)


def test_a_sample_leaves_out_some_that_wait_or_compute(lists: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    lists.makepyfile(test_waiting=WAITING)
    lists.makeini("[pytest]\nmarkers =\n    waits\n    slow")
    monkeypatch.setenv("SABOT_NIGHT", "0")
    result = lists.runpytest_subprocess("-p", "tests.drawn", "--sample", "test_waiting.py")
    result.assert_outcomes(passed=5, deselected=9)  # 3 of 12, the daily one, the sum
    result.stdout.fnmatch_lines(["3 of 12 tests of * that wait or are slow"])
    lists.runpytest_subprocess("-p", "tests.drawn", "test_waiting.py").assert_outcomes(passed=14)
    monkeypatch.setenv("SABOT_NIGHT", "1")
    lists.runpytest_subprocess("-p", "tests.drawn", "--sample", "test_waiting.py").assert_outcomes(passed=14)
