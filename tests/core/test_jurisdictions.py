"""A table shows the clauses of its own law, for existing rules; and the holders of each post."""

import pytest

from controller.clauses.register import names_of_rules, texts
from controller.config.profile import CARD_PROFILES, PROFILES
from controller.config.profile_file import law
from controller.core.house.people import roles_in, supervises
from controller.core.words import Role
from tests.core.states_by_hand import with_profile

KNOWN = texts()


def _own(profile: str) -> tuple[str, ...]:
    """Returns the documents of this profile's law; the leaflet of a house is completed by Portugal's law."""
    return ("house", "pt") if profile == "house" else (law(profile).jurisdiction,)


@pytest.mark.parametrize("profile", PROFILES)
def test_no_rule_cites_the_clause_of_another_jurisdiction(profile: str) -> None:
    cited = [(rule, clause) for rule, clauses in law(profile).rules.items() for clause in clauses]
    assert [one for one in cited if KNOWN[one[1]].profile not in _own(profile)] == []


@pytest.mark.parametrize("profile", PROFILES)
def test_every_rule_with_a_clause_is_one_of_the_tables(profile: str) -> None:
    assert sorted(law(profile).rules.keys() - set(names_of_rules())) == []


@pytest.mark.parametrize("profile", CARD_PROFILES)
def test_every_profile_has_somebody_with_the_supervisors_powers(profile: str) -> None:
    """br.staff.3: in Brazil, and at a Portuguese table without shuffler, the table inspector has these powers."""
    setup = with_profile(profile)
    assert supervises(setup, Role.CHIEF_SUPERVISOR)
    assert supervises(setup, Role.TABLE_INSPECTOR) == (profile in {"br", "pt-shoe"})
    assert not supervises(setup, Role.DEALER)
    assert roles_in(setup, (Role.DEALER,)) == (Role.DEALER,)
    assert roles_in(setup, (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR)).count(Role.TABLE_INSPECTOR) == 1
