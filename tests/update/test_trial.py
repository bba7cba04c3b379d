"""The verdict on a root's first start."""

import pytest

from controller.protocol.status import Status
from controller.update.trial import WITHIN_S, Verdict, is_on_trial, judged

CLOSED, OPEN = Status(session="closed"), Status(session="in-play")


@pytest.mark.parametrize(
    ("passed_s", "status", "verdict"),
    [
        (0.0, None, Verdict.WAITS),
        (299.9, OPEN, Verdict.WAITS),
        (0.0, CLOSED, Verdict.GOOD),
        (299.9, CLOSED, Verdict.GOOD),
        (WITHIN_S, CLOSED, Verdict.FAILED),
        (WITHIN_S, None, Verdict.FAILED),
    ],
)
def test_a_closed_table_within_five_minutes_is_good(passed_s: float, status: Status | None, verdict: Verdict) -> None:
    assert judged(passed_s, status) is verdict


def test_the_boot_loaders_word_is_a_word_of_its_own() -> None:
    assert is_on_trial("root=x sabot.trial quiet")
    assert not is_on_trial("root=x sabot.trial=0 nosabot.trial quiet")
