"""Every written expectation is met in every profile of its law. The tests notice each changed figure and rule."""

from collections.abc import Iterator
from enum import Enum
from typing import Final

import pytest

from controller.config.notice_clauses import clauses_behind
from controller.config.profile import CARD_PROFILES
from controller.config.profile_file import law
from controller.core.engine.replacing import replace
from controller.core.games.blackjack.money import Payment, rule_of
from controller.core.games.blackjack.table import TABLE
from controller.core.hand_rules import NOTHING, HandFigures, Rate
from controller.core.house.rule import ActGuard
from tests.money import expected_alternatives as other
from tests.money import expected_decisions as decisions
from tests.money import expected_money as paid
from tests.money.kit import RULES, Row, Rules

each_profile = pytest.mark.parametrize("profile", CARD_PROFILES)


def check(table: list[Row], profile: str) -> None:
    found = [row for row in table if row.is_for(profile)]
    assert [row.ask(RULES[profile]) for row in found] == [row.expected for row in found]


@each_profile
def test_what_hands_count(profile: str) -> None:
    """XP-01, PY-10: pt.bj.1a pt.bj.20b pt.bj.32 house.2 house.11b house.13 mo.10.1 mo.10.6b br.pairs.6b br.values.2."""
    check(decisions.VALUES, profile)


@each_profile
def test_who_may_draw(profile: str) -> None:
    """PY-05, PY-08, DM-17.

    pt.bj.18a pt.bj.18b pt.bj.22a pt.bj.26c pt.bj.29b house.1 house.9a house.11a house.12 mo.6.2 mo.6.4.1 mo.6.4.2
    mo.6.4.3 br.double.1 br.ex.5 br.pairs.6a br.play.4 br.play.6.
    """
    check(decisions.DRAWING, profile)


@each_profile
def test_who_may_stand(profile: str) -> None:
    """DM-15, DM-16.

    pt.bj.18a pt.bj.22a pt.bj.26b pt.bj.29b house.1 house.9b house.12 mo.6.2 mo.17.1 br.double.1 br.play.6.
    """
    check(decisions.STANDING, profile)


@each_profile
def test_who_may_double(profile: str) -> None:
    """PY-08, PY-09, PY-12.

    pt.bj.18a pt.bj.18b pt.bj.26c pt.bj.29a pt.bj.31 house.9a house.11a house.12 mo.6.4.1 mo.6.4.3 mo.17.1
    br.double.1 br.double.2 br.ex.5 br.pairs.6a br.play.4.
    """
    check(decisions.DOUBLING, profile)


@each_profile
def test_who_may_separate_a_pair(profile: str) -> None:
    """PY-04, PY-33, XP-09.

    pt.bj.22a pt.bj.26a pt.bj.27 house.10a mo.16.1 mo.16.3 mo.16.5 br.pairs.1 br.pairs.4 br.pairs.5.
    """
    check(decisions.SPLITTING, profile)


@each_profile
def test_who_may_give_up(profile: str) -> None:
    """PY-20, XP-12: pt.bj.36a pt.bj.36b house.16a house.16b mo.18.1 mo.18.2."""
    check(decisions.SURRENDERING, profile)


@each_profile
def test_who_may_take_even_money(profile: str) -> None:
    """PY-18, PY-19: pt.bj.34 mo.10.3."""
    check(decisions.EVEN_MONEY, profile)


@each_profile
def test_who_may_insure_and_how_much(profile: str) -> None:
    """PY-15, PY-17, PY-31, XP-07, XP-08.

    pt.bj.15c pt.bj.33a pt.bj.33b house.15a mo.12.1 br.ins.1 br.ins.2 br.ins.3 br.players.2.
    """
    check(decisions.INSURING, profile)


@each_profile
def test_who_may_claim_five_cards(profile: str) -> None:
    """PY-29: mo.19.1 mo.19.2."""
    check(decisions.FIVE_CARDS, profile)


@each_profile
def test_what_is_due_at_once(profile: str) -> None:
    """DM-14, PY-22, PY-28, PY-34: pt.bj.21b pt.bj.35 house.1 mo.7.2 mo.15 br.play.6."""
    check(decisions.AT_ONCE, profile)


@each_profile
def test_when_the_bank_draws(profile: str) -> None:
    """DM-03, DM-04, DM-06, DM-12, BR-03.

    pt.bj.6a2 pt.bj.19a pt.bj.19c pt.bj.22b mo.6.1a br.ex.12b br.play.8a br.staff.2.
    """
    check(decisions.BANK, profile)


@each_profile
def test_who_wins_and_what_is_paid(profile: str) -> None:
    """XP-02, PY-02, PY-03.

    pt.bj.1b pt.bj.20a pt.bj.21a pt.bj.22a pt.bj.23 pt.bj.24a pt.bj.25 pt.bj.33c pt.bj.34 pt.bj.35 pt.bj.36a house.1
    house.15b house.16a house.17 house.18 house.19 mo.7.2 mo.9 mo.10.2 mo.10.3 mo.10.4 mo.10.5 mo.10.6a mo.11.1
    mo.11.2 mo.12.2 mo.12.3 mo.15 mo.18.1 mo.19.1 br.ins.4 br.ins.5 br.play.2 br.play.5 br.play.6 br.play.7
    br.play.8b br.play.8c br.play.9.
    """
    check(paid.RESULTS, profile)


@each_profile
def test_what_no_chip_can_pay_is_flagged_and_nothing_is_rounded(profile: str) -> None:
    """PY-01, PY-20: pt.bj.21a pt.bj.36a house.16a house.17 mo.10.2 mo.18.1 mo.19.1 br.play.7."""
    check(paid.FLAGS, profile)


@each_profile
def test_side_bets(profile: str) -> None:
    """SB-01 to SB-10.

    mo.13 mo.13.1 mo.13.1.1 mo.13.1.2 mo.13.2 mo.13.2.1 mo.13.2.2 mo.14.1 mo.14.2 mo.14.2.1 mo.14.2.2 mo.14.2.3
    mo.14.2.4 mo.14.3.
    """
    check(paid.SIDE_BETS, profile)


@each_profile
def test_who_may_bet_and_who_decides(profile: str) -> None:
    """PY-25, PY-26, XP-06, XT-02.

    pt.bj.14 pt.bj.15a pt.bj.15b pt.bj.16a pt.bj.16b pt.bj.16c house.5 house.6a house.6b house.7a house.7b mo.3.3
    mo.20.1.1 br.bets.1 br.bets.2 br.players.2 br.players.4b br.players.6.
    """
    check(paid.BETS, profile)


@each_profile
def test_what_a_house_may_choose_instead(profile: str) -> None:
    """PY-09, PY-33, SB-02, SB-08, SB-10, XT-02.

    pt.bj.21a pt.bj.27 pt.bj.31 pt.bj.35 mo.3.2 mo.6.1a mo.9 mo.10.7 mo.12.2 mo.13.1.2 mo.13.2 mo.14.3 mo.16.3
    mo.16.5 mo.17.2 mo.20.1.2 mo.20.1.3 br.double.2 br.pairs.4.
    """
    check(other.ALTERNATIVES, profile)


TABLES: Final = [
    table
    for module in (decisions, paid, other)
    for name, table in vars(module).items()
    if name.isupper() and isinstance(table, list)
]


def test_no_table_is_forgotten() -> None:
    assert len(TABLES) == 16


def is_noticed(rules: Rules, profile: str) -> bool:
    """True where a row of this profile's law fails under these rules."""
    return any(not row.holds(rules) for table in TABLES for row in table if row.is_for(profile))


def changed(value: object) -> Iterator[object]:
    """Yields wrong values for a figure: its opposite, one more or less, every word of its kind, or nothing."""
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1, 0)
        case Rate():
            yield from (Rate(value.pays + 1, value.of), Rate(value.pays, value.of + 1), NOTHING)
        case Enum():
            yield from type(value)


WITHOUT_A_PRIZE: Final = frozenset({"special_prize_of_doubled"})
"""The figures without any effect where the special prize pays nothing."""


def mutants(figures: HandFigures) -> Iterator[tuple[str, HandFigures]]:
    idle = WITHOUT_A_PRIZE if figures.special_prize_pays.is_none else frozenset()
    for name in (name for name in figures.__struct_fields__ if name not in idle):
        value = getattr(figures, name)
        for mistake in changed(value):
            both_none = isinstance(value, Rate) and isinstance(mistake, Rate) and value.is_none and mistake.is_none
            if mistake != value and not both_none:
                yield f"{name} = {mistake}", replace(figures, **{name: mistake})


@each_profile
def test_every_figure_changed_is_noticed(profile: str) -> None:
    rules = RULES[profile]
    found = {name: is_noticed(replace(rules, figures=figures), profile) for name, figures in mutants(rules.figures)}
    assert len(found) > 70
    assert [name for name, noticed in found.items() if not noticed] == []


ONE_OF_EACH_LAW: Final = ("pt-csm", "house", "mo-shoe", "br")
ANSWERED: Final = tuple(
    dict.fromkeys(
        guard.name
        for rule in TABLE.acts
        for guard in rule.guards
        if isinstance(guard, ActGuard) and guard.answered is not None
    )
)
SAID: Final = (*ANSWERED, *map(rule_of, Payment))


@pytest.mark.parametrize("profile", ONE_OF_EACH_LAW)
def test_every_clause_changed_is_noticed(profile: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refusal and an amount name their clause: another clause in any row of the profile is noticed."""
    survivors = []
    for rule in (rule for rule in SAID if clauses_behind(profile, rule)):
        with monkeypatch.context() as patch:
            patch.setitem(law(profile).rules, rule, ("another",))
            if not is_noticed(RULES[profile], profile):
                survivors.append(rule)
    assert survivors == []
