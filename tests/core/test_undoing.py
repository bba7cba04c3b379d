"""Each act names its way back, and a slip of the finger can be undone."""

from collections.abc import Mapping
from typing import Any, Final

import pytest

from controller.config.profile import PROFILES
from controller.core.house.correcting import CorrectEntry
from controller.core.house.rule import ActRule
from controller.core.house.undoing import Way
from controller.runtime.game import game_of

ERRORS: Final = {
    *("place-bet", "place-side-bet", "place-jackpot-bet", "stand", "split-pair", "double-down", "insure"),
    *("take-even-money", "surrender", "report-damaged-card", "confirm-settled", "collect-hand"),
    *("place-chips", "place-value-chips", "remove-bet", "announce-number", "declare-null-spin", "pay-prizes"),
}
"""Acts that a finger does at the wrong seat, with the wrong amount or too early."""


def rows(profile: str) -> Mapping[str, ActRule[Any, Any]]:
    return game_of(profile).registry.act_named


@pytest.mark.parametrize("profile", PROFILES)
def test_an_act_is_undone_by_acts_that_its_table_has(profile: str) -> None:
    known = rows(profile)
    for rule in known.values():
        undone = rule.undone
        assert bool(undone.by) is (undone.way is Way.ACT), rule.name
        assert (undone.reason is not None) is (undone.way is Way.NEVER), rule.name
        assert not undone.by or known.keys() & set(undone.by), rule.name


@pytest.mark.parametrize("profile", PROFILES)
def test_what_a_finger_does_by_mistake_has_a_way_back(profile: str) -> None:
    known = rows(profile)
    for name in ERRORS & known.keys():
        assert known[name].undone.way is not Way.NEVER, name
    assert len(ERRORS & known.keys()) >= 6


OF_THE_WHOLE_PACK: Final = frozenset({"gather-cards", "spread-cards", "replace-deck"})
"""Final acts, after which minutes of mixing follow."""


@pytest.mark.parametrize("profile", PROFILES)
def test_a_pack_is_taken_apart_by_no_short_tap(profile: str) -> None:
    known = rows(profile)
    for name in OF_THE_WHOLE_PACK & known.keys():
        assert (known[name].undone.way, known[name].hold_ms > 0) == (Way.NEVER, True), name


ENTERED_AGAIN: Final = {
    ("report-damaged-card", "card"): "the report is taken back, and the right card reported",
    ("replace-card", "replacement"): "the replacement is taken back, and the right card named",
    ("insure", "accepted"): "an insurance that the bank refuses is taken back",
    ("launch-ball", "clockwise"): "the launch is taken back, and entered again",
    ("pay-prizes", "group"): "groups are paid in one order: the payment is taken back",
}


@pytest.mark.parametrize("profile", PROFILES)
def test_each_value_of_an_entry_can_be_put_right(profile: str) -> None:
    known = rows(profile)
    corrected = {
        name for rule in known.values() if issubclass(rule.act, CorrectEntry) for name in rule.act.__struct_fields__
    }
    lacks = {
        (rule.name, name)
        for rule in known.values()
        if rule.undone.way is Way.ENTRY
        for name in set(rule.act.__struct_fields__) - corrected
    }
    assert lacks <= ENTERED_AGAIN.keys()
