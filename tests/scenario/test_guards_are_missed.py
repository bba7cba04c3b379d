"""A test that names a clause fails if any of the guards that refuse acts for the clause is removed."""

import pytest

from controller.clauses.register import texts
from tests.scenario.shown import guards_not_missed

CLAUSES = [name for name, one in texts().items() if one.outside is None]


@pytest.mark.drawn(2)
@pytest.mark.parametrize("part", range(8))
def test_each_guard_of_a_clause_is_missed_by_a_test_that_names_it(part: int) -> None:
    found = {clause: guards_not_missed(clause) for clause in CLAUSES[part::8]}
    assert {clause: rules for clause, rules in found.items() if rules} == {}
