"""The results of a practice: kept whole, shown beside the last one, refused before the practice where they are none."""

import sys
from pathlib import Path

import pytest

from simulators.cli import main
from simulators.demo.talk import Talk
from simulators.demo.train import Refusal, Result, tell

REFUSED = Refusal("take-bets", "seats_exist", "pt.bj.2", "There is no seat 9.", "Name a seat of this table.")
NOW = Result("deal", 10, 42.5, 60, 3.3, {"wrong-seat": 2}, [REFUSED])
BEFORE = Result("deal", 8, 55.0, 50, 10.0, {"too-early": 5}, [])


def test_a_file_that_is_none_is_refused_before_anybody_practises(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "results.json").write_text('[{"drill": "deal"')
    assert main(["train", "--state-dir", str(tmp_path)]) == 2
    assert "results.json is no file of results" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def test_the_page_shows_the_last_result_and_each_refusal_with_clause_and_remedy(
    capsys: pytest.CaptureFixture[str],
) -> None:
    tell(Talk(sys.stdout, {"LANG": "en_GB.UTF-8"}), NOW, BEFORE)
    shown = capsys.readouterr().out
    assert "Rounds 10, 42.5 seconds each; 60 acts, 3.3 refused in a hundred." in shown
    assert "Last time: rounds 8, 55.0 seconds each; 50 acts, 10.0 refused in a hundred." in shown
    assert "Name a seat of this table. (pt.bj.2)" in shown
