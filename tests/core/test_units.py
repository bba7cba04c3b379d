"""Amounts as text: the core and the protocol write the same text, also of an amount below zero."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.core import money
from controller.protocol import amount


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "0.00"), (5, "0.05"), (1250, "12.50"), (-5, "-0.05"), (-50, "-0.50"), (-100, "-1.00"), (-1250, "-12.50")],
)
def test_an_amount_is_written_with_its_sign(cents: int, text: str) -> None:
    assert amount.units(cents) == text


@given(st.integers())
def test_both_write_the_same_and_it_reads_back(cents: int) -> None:
    assert amount.units(cents) == money.units(cents)
    assert money.cents_of(amount.units(abs(cents))) == abs(cents)
