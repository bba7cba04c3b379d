"""`-n N`: every test once, in several processes; a dead process is reported with its test, and the others go on."""

import pytest

from tests.drawn import TREE

pytestmark = pytest.mark.waits

TESTS = """
import os, pathlib, pytest

@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    yield tmp_path_factory.mktemp("begun")
    pathlib.Path("ended", str(os.getpid())).touch()

@pytest.mark.parametrize("case", range(40))
def test_one(case, begun, tmp_path):
    pathlib.Path("done", f"{case}-{os.getpid()}").touch()
    if str(case) in os.environ.get("DIES", ""):
        os._exit(7)
    assert str(case) not in os.environ.get("FAILS", ""), "it is wrong"
    print("said by", case)
"""


@pytest.fixture
def tree(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    monkeypatch.setenv("PYTHONPATH", str(TREE))
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")  # neither a browser nor hypothesis
    pytester.makepyfile(TESTS)
    for name in ("done", "ended"):
        pytester.mkdir(name)
    return pytester


def run(tree: pytest.Pytester, *words: str) -> pytest.RunResult:
    return tree.runpytest_subprocess("-p", "tests.forked", *words)


def done(tree: pytest.Pytester) -> list[int]:
    return sorted(int(path.name.partition("-")[0]) for path in (tree.path / "done").iterdir())


def test_each_test_is_done_once_and_what_a_module_begins_is_ended(tree: pytest.Pytester) -> None:
    run(tree, "-n", "3").assert_outcomes(passed=40)
    assert done(tree) == list(range(40))
    processes = {path.name.partition("-")[2] for path in (tree.path / "done").iterdir()}
    assert {path.name for path in (tree.path / "ended").iterdir()} == processes


def test_a_failure_is_told_as_ever(tree: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAILS", "17")
    result = run(tree, "-n", "2")
    result.assert_outcomes(passed=37, failed=3)  # 1, 7 and 17
    result.stdout.fnmatch_lines(["*test_one?17?*", "*it is wrong*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED
    assert done(tree) == list(range(40))


def test_after_the_first_failure_none_is_begun_where_that_is_asked_for(
    tree: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FAILS", " ".join(map(str, range(40))))
    assert run(tree, "-n", "1", "-x").ret == pytest.ExitCode.TESTS_FAILED
    assert len(done(tree)) < 40


@pytest.mark.parametrize("processes", ["1", "2"])
def test_a_process_that_dies_is_told_with_its_test_and_the_others_are_done(
    tree: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, processes: str
) -> None:
    """A dead process's present test fails, and another or a new process does the next test that it had taken."""
    monkeypatch.setenv("DIES", "30 8")  # also 0 and 3, which are parts of these words
    result = run(tree, "-n", processes)
    result.assert_outcomes(passed=36, failed=4)
    assert done(tree) == list(range(40))
    result.stdout.fnmatch_lines(["*its process has ended with 7*"])
    assert result.ret == pytest.ExitCode.TESTS_FAILED


def test_a_process_that_dies_before_its_first_test_ends_the_run(
    tree: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that dies before its first test ends the run, as a new one would die, too."""
    tree.makeconftest("import os\nos.register_at_fork(after_in_child=lambda: os._exit(7))")
    result = run(tree, "-n", "2")
    result.stdout.fnmatch_lines(["*ended with 7 before its first test*"])
    assert result.ret == pytest.ExitCode.INTERNAL_ERROR
    assert done(tree) == []


LEAVES = """
import os, subprocess, threading, time

def test_thread():
    threading.Thread(target=time.sleep, args=(2,), daemon=True).start()

def test_process():
    subprocess.Popen(["sleep", "2"])

def test_descriptor():
    os.open("/dev/null", os.O_RDONLY)

def test_nothing():
    pass
"""


@pytest.mark.parametrize("processes", ["1", "2"])
def test_what_a_test_leaves_is_found_in_each_process(tree: pytest.Pytester, processes: str) -> None:
    tree.makepyfile(test_leaves=LEAVES)
    result = run(tree, "-n", processes, "-p", "tests.left", "test_leaves.py")
    result.assert_outcomes(passed=4, errors=3)
    result.stdout.fnmatch_lines_random(
        ["*threads left running*", "*processes left running*", "*descriptors left open*"]
    )
