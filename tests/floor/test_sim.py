"""`sabot-sim floor`: the floor has every entry of every simulated table once, and the page shows all tables."""

import json
import os
import subprocess
import sys
import urllib.request

import pytest

from simulators.floor import postgres as private
from simulators.floor.command import USUAL_RATE
from tests.floor.test_traps import WITHIN_S
from tests.night import IS_NIGHT
from tests.waiting import wait_for

pytestmark = pytest.mark.waits

COMMAND = (sys.executable, "-c", "import sys; from simulators.cli import main; sys.exit(main())", "floor")
TABLES = 6 if IS_NIGHT else 2


def test_tables_that_play_are_on_the_page_and_nothing_is_missing_at_the_end() -> None:
    words = [*COMMAND, "--tables", str(TABLES), "--rate", "40", "--json"]
    environment = os.environ | {"LANG": "en_GB.UTF-8"}
    with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment) as child:
        try:
            _shows_its_tables(child)
            child.terminate()
            stdout, stderr = child.communicate(timeout=2 * WITHIN_S)
        finally:
            child.kill()  # a failed test ends here, too
    assert (child.returncode, stderr) == (0, "")
    report = json.loads(stdout)
    assert (report["tables"], report["wrong"], report["troubles"]) == (TABLES, [], [])
    assert report["entries"] >= TABLES
    assert report["contributions"] >= report["hits"] > 0
    assert report["contributions"] >= TABLES * report["least_contributions"]
    assert 0 < report["p50_ms"] <= report["p99_ms"]


def _shows_its_tables(child: subprocess.Popen[str]) -> None:
    assert child.stderr is not None
    line = child.stderr.readline()
    assert line.startswith("page: http://127.0.0.1:")
    page = line.split()[1]
    wait_for(
        lambda: _page(page).count('<li class="') == TABLES and "BJ-0001" in _page(f"{page}jackpots"),
        within_s=2 * WITHIN_S,
    )


def test_without_postgresql_it_says_in_one_line_how_it_is_installed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from simulators.cli import main

    monkeypatch.setenv("LANG", "en_GB.UTF-8")
    monkeypatch.setattr(private, "BINARIES", private.BINARIES / "none")
    assert main(["floor", "--tables", "1"]) == 2
    assert capsys.readouterr().err == (
        "sabot-sim floor: PostgreSQL is not installed; on Debian: sudo apt install postgresql\n"
    )
    with pytest.raises(private.PostgresMissing, match="sudo apt install postgresql"):
        private.PrivatePostgres()


@pytest.mark.parametrize(
    "options", [("--tables", "0"), ("--tables", "2001"), ("--processes", "0"), ("--look", "0"), ("--rate", "0")]
)
def test_what_is_no_room_is_refused(options: tuple[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    from simulators.cli import main

    assert main(["floor", *options]) == 2
    assert capsys.readouterr().err.startswith("sabot-sim floor: ")
    assert USUAL_RATE > 0


def _page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:  # noqa: S310
        return str(answer.read().decode())
