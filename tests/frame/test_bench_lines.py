"""Each row of a bench is one line, for people and for programs."""

from tests.bench.report import document, head, line, misses
from tests.bench.rows import Goal, Row, Spread

ROW = Row(
    "G1", "a card", Spread(2.7, 2.6, 2.9), {"sabot": Spread(952.0, 900.0, 990.0)}, "us", Goal(1.6), "typical 2.06"
)


def test_a_row_says_what_was_measured_and_whether_its_goal_is_met() -> None:
    assert line(ROW) == "G1      2.70 [2.60-2.90]        <= 1.6              MISSED  a card: sabot 952 us; typical 2.06"
    assert head().split("  ")[0] == "row"
    assert "\n" not in line(ROW)


def test_a_program_reads_the_same() -> None:
    assert document(ROW) | {"measured": None} == {
        "id": "G1",
        "what": "a card",
        "figure": {"median": 2.7, "min": 2.6, "max": 2.9},
        "measured": None,
        "unit": "us",
        "goal": "<= 1.6",
        "gates": True,
        "met": False,
        "note": "typical 2.06",
    }
    assert misses([ROW]) == [ROW]
