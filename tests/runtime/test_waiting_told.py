"""A second person reads the values of an act before agreeing to it."""

import pytest

from controller.catalogue import Language
from controller.screen.log_entries import values_told


@pytest.mark.parametrize(
    ("act", "values", "told"),
    [
        ("rule-on-spin", {"outcome": "number-stands", "number": "27"}, "number 27"),
        ("make-ruling", {"hold": "H3", "outcome": "round-void"}, "H3"),
        ("raise-jackpot", {"amount": "5.00"}, "amount: 5.00"),
        ("turn-card", {"salt": "00ff"}, ""),
    ],
)
def test_the_values_of_an_act_that_waits_are_told(act: str, values: dict[str, str], told: str) -> None:
    text = values_told(act, values, Language.EN)
    assert told in text
    assert bool(told) is bool(text)
