"""The digest that binds an open session to its rules covers their version and each value of the profile."""

from collections.abc import Iterator

import pytest
from msgspec import structs

from controller.config.profile import Parameter, Profile, Value
from controller.config.profile_file import law
from controller.core.rules_version import RULES_VERSION
from controller.daemon import rules
from controller.daemon.rules import rules_digest
from tests.world.golden import FIRST_VERSION, played_otherwise, refused, rules_kept


def test_another_version_is_another_digest(monkeypatch: pytest.MonkeyPatch) -> None:
    before = rules_digest(law("pt-csm"))
    assert rules_digest(law("pt-csm")) == before
    monkeypatch.setattr(rules, "RULES_VERSION", RULES_VERSION + 1)
    assert rules_digest(law("pt-csm")) != before


@pytest.mark.parametrize("name", ["join_ms", "back_colours", "blackjack_pays"])
def test_another_value_of_the_profile_is_another_digest(name: str) -> None:
    profile = law("pt-csm")
    assert rules_digest(structs.replace(profile, parameters=tuple(changed(profile, name)))) != rules_digest(profile)


def changed(profile: Profile, name: str) -> Iterator[Parameter]:
    """Yields the profile's parameters, with another value in the one of this name."""
    assert name in {row.name for row in profile.parameters}
    for row in profile.parameters:
        other: Value = row.value + 1 if isinstance(row.value, int) else "9:5"
        yield structs.replace(row, value=other) if row.name == name else row


WAS = ["br 0 aaaa bbbb cccc", "br 1 dddd eeee ffff", "story sag 3"]


def test_worlds_that_play_otherwise_want_another_version() -> None:
    now = ["br 0 aaaa bbbb 0000", "br 1 0000 eeee ffff", "story sag 4"]
    assert played_otherwise(WAS, now) == ["br 1"]
    assert refused(WAS, now, FIRST_VERSION) == ["br 1"]
    assert refused(["rules 7", *WAS], now, 7) == ["br 1"]
    assert refused(["rules 7", *WAS], now, 8) == []


def test_worlds_of_which_the_state_or_the_journal_alone_is_otherwise_are_kept() -> None:
    now = ["br 0 aaaa 0000 0000", "br 1 dddd eeee 0000", "mo-box 0 1111 2222 3333"]
    assert refused(WAS, now, FIRST_VERSION) == []


def test_the_golden_worlds_were_not_kept_under_a_later_version() -> None:
    assert rules_kept() <= RULES_VERSION
