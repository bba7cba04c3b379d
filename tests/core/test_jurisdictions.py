"""A table is told the clauses of its own law: each row's and guard's, in every profile; and who holds which post."""

import pytest

from controller.clauses.register import texts
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.house.hold_table import HOLD_RULES
from controller.core.house.people import roles_in, supervises
from controller.core.jurisdictions import clause_in
from controller.core.table import ACT_RULES, NAMES
from controller.core.words import Role
from tests.core.states_by_hand import with_profile

KNOWN = texts()


def _own(profile: str) -> tuple[str, ...]:
    """The documents of this profile's law; the leaflet of a house is filled up by Portugal's."""
    return ("house", "pt") if profile == "house" else (law(profile).jurisdiction,)


@pytest.mark.parametrize("profile", PROFILES)
def test_no_row_cites_the_clause_of_another_jurisdiction(profile: str) -> None:
    cited = [(NAMES[rule.act], clause_in(rule.clause, profile)) for rule in ACT_RULES]
    cited += [(guard.name, guard.clause_in(profile)) for rule in ACT_RULES for guard in rule.all_guards()]
    cited += [(rule.kind.value, clause_in(rule.clause, profile)) for rule in HOLD_RULES]
    foreign = [one for one in cited if one[1] and KNOWN[one[1]].profile not in _own(profile)]  # "": a rule of ours
    assert foreign == []


@pytest.mark.parametrize("profile", PROFILES)
def test_every_profile_has_somebody_with_the_supervisors_powers(profile: str) -> None:
    """br.staff.3: in Brazil, and at a Portuguese table without shuffler, the table inspector has them, too."""
    setup = with_profile(profile)
    assert supervises(setup, Role.CHIEF_SUPERVISOR)
    assert supervises(setup, Role.TABLE_INSPECTOR) == (profile in {"br", "pt-shoe"})
    assert not supervises(setup, Role.DEALER)
    assert roles_in(setup, (Role.DEALER,)) == (Role.DEALER,)
    assert roles_in(setup, (Role.TABLE_INSPECTOR, Role.CHIEF_SUPERVISOR)).count(Role.TABLE_INSPECTOR) == 1
