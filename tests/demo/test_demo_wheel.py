"""`sabot-sim demo` at a wheel: the real controller on a pseudo-terminal, its spins and its book."""

from pathlib import Path

import pytest

from tests.demo.evenings import run_demo

pytestmark = pytest.mark.waits


@pytest.mark.first
@pytest.mark.drawn(1, of="demo evenings")
def test_an_evening_at_a_wheel(tmp_path: Path) -> None:
    """The ball is launched once rightly and once in the wrong direction: both spins have the number of its pocket."""
    table = tmp_path / "table"
    code, made = run_demo("--profile", "pt-roulette", "--rounds", "2", "--seed", "3", "--state-dir", str(table))
    assert (code, made["violations"], made["rounds"]) == (0, [], 2)
    assert made["physical"] == {"spins": 2, "faults": {"BadSpin": 1}}
    assert made["numbers"] == [33, 20]
    assert 'protocol = "cammegh"' in (table / "table.toml").read_text("utf-8")
