"""`sabot-sim demo` at tables without a shuffler: the shoe is filled, played, gathered, mixed and filled again."""

from pathlib import Path

import pytest

from tests.demo.evenings import run_demo
from tests.night import IS_NIGHT

pytestmark = pytest.mark.waits


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
@pytest.mark.parametrize(
    ("words", "misread"),
    [(("--profile", "pt-shoe", "--seed", "9"), 1), (("--profile", "br", "--shoe", "angel-eye", "--seed", "7"), 1)],
)
def test_a_shoe_is_played_and_mixed_anew(tmp_path: Path, words: tuple[str, ...], misread: int) -> None:
    """All players leave in mid-shoe (Portugal spreads the cards, pt.bj.12); in Brazil it is played on."""
    table = tmp_path / "table"
    code, made = run_demo("--rounds", "3", *words, "--state-dir", str(table))
    assert (code, made["violations"]) == (0, [])
    is_spread = "pt-shoe" in words
    assert made["cards_loaded"] == (624 if is_spread else 312)
    assert made["burned"] == (2 if is_spread else 5)
    physical = made["physical"]
    assert isinstance(physical, dict)
    assert (physical["total"], physical["drawn"]) == (312, made["cards_drawn"])
    assert physical["faults"]["Misread"] == misread
    assert "[devices.shuffler]" not in (table / "table.toml").read_text("utf-8")


@pytest.mark.skipif(not IS_NIGHT, reason="the worlds of hands play the same people every day")
def test_bets_and_decisions_are_played() -> None:
    """At a table that follows hands book, journal and pool agree after doubled, separated and won hands."""
    for more in (("--tracks", "hands"), ("--jackpot", "manual"), ("--jackpot", "automatic", "--display", "alpha")):
        code, document = run_demo("--json", "--profile", "pt-shoe", *more, "--rounds", "4", "--faults", "")
        assert (code, document["violations"], document["rounds"]) == (0, [], 4)
