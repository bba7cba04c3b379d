"""Differences that wait, and a further change of the amounts behind them."""

from controller.core.house.round_log import Difference
from controller.core.house.worked_out import differences_together


def test_differences_of_two_changes_add_up_for_each_hand_and_player() -> None:
    waiting = (Difference(1, 1, "+15.50"), Difference(1, 1, "-3.00", 2), Difference(2, 9, "+0.0050"))
    more = (Difference(1, 1, "-0.50"), Difference(1, 9, "-2.00"), Difference(2, 9, "+0.0050"))
    assert differences_together(waiting, more) == (
        Difference(1, 1, "+15.00"),
        Difference(1, 9, "-2.00"),
        Difference(1, 1, "-3.00", 2),
        Difference(2, 9, "+0.01"),
    )


def test_what_adds_up_to_nothing_is_no_difference() -> None:
    assert differences_together((Difference(1, 1, "+0.50"),), (Difference(1, 1, "-0.50"),)) == ()
