"""The section `[jackpot]` of a file: its values, and each value that is refused, by its clause or by our rule."""

import pytest
from config_file import ConfigFile

from controller.config import read_config, setup
from controller.core.jackpot_rules import AS_THE_TEXT_HAS_IT, Marking

JACKPOT = """\
[jackpot]
marking = "manual"
bet = "1.00"
rate = "80.5"
start = 10000
prizes = ["1 6-7-8-suited 200.00", "2 7-7-7 12.5%", "3 7-7-7-suited rest"]
communication = "SRIJ 2026/7"

[journal]"""


@pytest.fixture
def jackpot(file: ConfigFile) -> ConfigFile:
    return file.replace("[journal]", JACKPOT).replace("simulated = true", 'simulated = true\ntracks = "hands"')


def test_what_is_approved(jackpot: ConfigFile) -> None:
    jackpot.path.write_text(jackpot.text, "utf-8")
    found = setup(read_config(jackpot.path))
    rules = found.jackpot
    assert rules is not None
    assert (rules.marking, rules.bet, rules.rate_ppm, rules.start) == (Marking.MANUAL, 100, 805_000, 1_000_000)
    assert (rules.reset, rules.limit, rules.reserve_ppm, rules.by_hand_from) == (1_000_000, 0, 0, 0)
    assert [(str(one.combination), one.cents, one.part_ppm, one.is_largest) for one in rules.prizes] == [
        ("6-7-8-suited", 20_000, 0, False),
        ("7-7-7", 0, 125_000, False),
        ("7-7-7-suited", 0, 0, True),
    ]
    assert rules.conditions == AS_THE_TEXT_HAS_IT


def test_a_table_without_one(file: ConfigFile) -> None:
    assert file.problems() == {}
    assert setup(read_config(file.path)).jackpot is None


@pytest.mark.parametrize(
    ("old", "new", "key", "clause"),
    [
        ('"1.00"', "1.00", "jackpot.bet", ""),
        ('"1.00"', '"1.005"', "jackpot.bet", ""),
        ('"1.00"', '"-1.00"', "jackpot.bet", ""),
        ('"1.00"', "9999999999", "jackpot.bet", ""),
        ('"1.00"', "301", "jackpot.bet", ""),
        ('"80.5"', '"80.123456"', "jackpot.rate", ""),
        ('"80.5"', "80.5", "jackpot.rate", ""),
        ('"80.5"', '"0"', "jackpot.rate", ""),
        ('"80.5"', '"100.0001"', "jackpot.rate", ""),
        ("10000\n", '"9999.99"\n', "jackpot.start", "pt.bj.44"),
        ("10000\n", "-1\n", "jackpot.start", "pt.bj.44"),
        ("10000\n", "1" + 18 * "0" + "\n", "jackpot.start", ""),
        ("10000\n", "10000\nreset = 9000\n", "jackpot.reset", "pt.bj.44"),
        ("10000\n", '10000\nlimit = "9999.99"\n', "jackpot.limit", ""),
        ("10000\n", "10000\npay_by_hand_from = 0\n", "jackpot.pay_by_hand_from", ""),
        ("2 7-7-7 ", "4 7-7-7 ", "jackpot.prizes", ""),
        ("12.5%", "rest", "jackpot.prizes", "pt.bj.50a"),
        ("12.5%", "12.123456%", "jackpot.prizes", ""),
        ("12.5%", "0%", "jackpot.prizes", ""),
        ("200.00", "10000.01", "jackpot.prizes", ""),
        ("6-7-8-suited", "6-7-8-9-10", "jackpot.prizes", "pt.bj.42"),
        ('tracks = "hands"', 'tracks = "cards"', "table.tracks", ""),
    ],
)
def test_what_is_refused(jackpot: ConfigFile, old: str, new: str, key: str, clause: str) -> None:
    found = jackpot.replace(old, new).problems()
    assert key in found
    assert found[key].clause == clause


def test_slots_that_tell_are_of_automatic_marking(jackpot: ConfigFile) -> None:
    jackpot.replace(
        "[jackpot]", '[devices.jackpot_slots]\nport = "socket://127.0.0.1:4001"\nprotocol = "tdp"\n\n[jackpot]'
    )
    found = jackpot.problems()
    assert {key: one.clause for key, one in found.items()} == {"jackpot.marking": "pt.bj.41a"}
    assert jackpot.replace("manual", "automatic").problems() == {}
    assert setup(read_config(jackpot.path)).has_slots
