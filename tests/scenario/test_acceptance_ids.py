"""The acceptance scenarios of the procedure are in tests/scenarios by number; the others are listed with reasons.

A letter after the number is a part of the same scenario.
"""

import pytest

from tests.scenario.test_written_scenarios import FILES, scenarios

_NUMBERS = {
    "OP": (1, 2, 4, 5, 6, 8, 9, 11, 13, 14, 15, 17, 18),
    "BU": (1, 2, 4, 5, 6, 8, 10, 11),
    "RD": (1, 2, 3, 4, 5),
    "DM": (1, 3, 4, 6, 7, 9, 11, 12, 14, 15, 16, 17, 18, 20, 21, 23),
    "PY": (1, 2, 3, 4, 5, 8, 9, 10, 12, 14, 15, 16, 17, 18, 19, 20, 22, 23, 25, 26, 28, 29, 31, 33, 34, 35),
    "SB": (1, 3, 6, 7, 8, 9, 10, 11),
    "BR": (1, 2, 3),
    "SH": (1, 4, 5, 6, 9, 10, 11, 12),
    "JM": (1, 3, 5, 6, 8, 9, 10, 12, 13, 14),
    "DC": (1, 2, 3, 5),
    "RC": (1, 2, 4, 7, 8),
    "CL": (1, 2, 3, 4, 6, 8),
    "XT": (2, 3, 4, 6, 7, 9, 11),
    "XP": (1, 2, 5, 6, 7, 8, 9, 10, 11, 12, 13),
    "RL": (1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 12, 13, 15, 17, 18, 19, 20, 23, 24, 25, 26, 27),
}
_STAND = [f"{family}-{number:02d}" for family, numbers in _NUMBERS.items() for number in numbers]

OUT = {}
"""Scenarios of the jackpot, each with its needs."""


@pytest.fixture(scope="module")
def written() -> list[str]:
    return [one.id for path in FILES for one in scenarios(path)]


@pytest.mark.parametrize("wanted", _STAND)
def test_it_stands(wanted: str, written: list[str]) -> None:
    assert [one for one in written if one == wanted or (one[:-1] == wanted and one[-1].islower())]


def test_what_is_out_is_not_in(written: list[str]) -> None:
    assert not OUT.keys() & {*written, *_STAND}
