"""The generated pages are in step with their sources, and the register is true."""

import json
import re
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from controller.clauses.register import How, Status, named_by_tests, register, rules_by_clause, texts
from controller.config.profile import PROFILES
from controller.config.profile_file import law
from controller.core.games.blackjack.table import TABLE
from controller.core.games.roulette.table import ROULETTE
from controller.scenario.tongue import FIRST_WORDS
from tests.bench.figures import figures_page
from tests.pages import write
from tests.pages.acts import acts_page, acts_page_in_portuguese
from tests.pages.diagrams import diagrams_page
from tests.pages.faults import faults_page
from tests.pages.kinds import kinds_page
from tests.pages.named import named_clauses
from tests.pages.second import second_page
from tests.pages.touches import touches_page
from tests.pages.undone import undone_page
from tests.scenario.shown import digest, kept, pairs

SABOT = Path(sys.executable).parent / "sabot"
IN_STEP = "run make pages and commit what it writes"


@pytest.mark.parametrize(
    ("path", "made"),
    [
        (write.TESTS_FILE, write.tests_file),
        (write.CLAUSES_PAGE, write.clauses_page),
        (write.DIAGRAMS_PAGE, diagrams_page),
        (write.SECOND_PAGE, second_page),
        (write.UNDONE_PAGE, undone_page),
        (write.FIGURES_PAGE, figures_page),
        (write.TOUCHES_PAGE, touches_page),
        (write.KINDS_PAGE, kinds_page),
        (write.ACTS_PAGE, acts_page),
        (write.ACTS_PAGE_IN_PORTUGUESE, acts_page_in_portuguese),
        *((page, partial(faults_page, language)) for language, page in write.FAULTS_PAGES.items()),
    ],
    ids=lambda one: one.name if isinstance(one, Path) else "",
)
def test_generated_files_are_in_step(path: Path, made: object) -> None:
    assert callable(made)
    assert path.read_text("utf-8") == made(), IN_STEP


def test_the_page_says_of_every_kind_of_entry_what_it_is() -> None:
    rows = [line.split(" | ") for line in kinds_page().splitlines() if line.startswith("| `")]
    named = {row[0][3:-1]: row[-1] for row in rows}
    names = {name for game in (TABLE, ROULETTE) for name in (*game.act_named, *game.fact_named)}
    assert names <= named.keys()
    assert [name for name, what in named.items() if len(what.split()) < 3] == []


def test_no_row_and_no_test_names_a_clause_that_there_is_not() -> None:
    known = texts().keys()
    assert sorted(rules_by_clause().keys() - known - {""}) == []
    assert sorted(named_clauses().keys() - known) == []


def test_every_clause_that_a_profile_names_is_one() -> None:
    for profile in map(law, PROFILES):
        named = {clause for one in (*profile.parameters, *profile.limits) for clause in one.clauses}
        assert sorted(named - texts().keys()) == []
        own = {"house": ("house", "pt"), "pt-roulette": ("pt",)}.get(profile.name, (profile.jurisdiction,))
        assert {clause.split(".")[0] for clause in named} <= set(own)


def test_a_status_agrees_with_what_the_clause_asks_for() -> None:
    """Only a clause that demands nothing stands without a row."""
    for one in register():
        if one.status is not Status.MISSING:
            assert one.status is Status.OUTSIDE or one.status.value.startswith(one.how.value.removesuffix("e")[:6])
        assert (one.status in {Status.CONTEXT, Status.OUTSIDE}) == (one.how is How.CONTEXT)
        assert (one.status is Status.OUTSIDE) == (one.outside is not None)
        assert one.rules or one.status in {Status.MISSING, Status.CONTEXT, Status.OUTSIDE}


def test_nothing_is_missing_and_every_clause_is_shown() -> None:
    """By a test that fails when a rule of the clause is removed or reversed."""
    assert [one.id for one in register() if one.status is Status.MISSING] == []
    assert [one.id for one in register() if one.how is not How.CONTEXT and not one.tests] == []


def test_every_test_that_names_a_clause_was_asked_whether_it_shows_it() -> None:
    """The generated table has the answer for the present text of each test and of each rule."""
    stale = [pair for pair in pairs() if kept().get(pair, ("",))[0] != digest(*pair)]
    assert stale == [], IN_STEP


def test_some_clauses_by_hand() -> None:
    found = {one.id: one for one in register()}
    assert len(found) == 379
    packets = found["pt.bj.54b"]
    assert packets.status is Status.ENFORCED
    assert {"guard:packets_are_enough", "parameter:min_packets"} <= set(packets.rules)
    assert any("OP-04" in test for test in packets.tests)
    assert any("RD-02" in test for test in packets.mentions)
    assert found["pt.bj.42"].status is Status.COMPUTED
    assert found["pt.bj.8b"].status is Status.ENFORCED
    assert any("SH-01" in test for test in found["pt.bj.8b"].tests)
    assert found["pt.bj.23"].status is Status.COMPUTED
    assert found["pt.bj.18a"].status is Status.ENFORCED
    assert {"parameter:stand_from", "guard:total_suffices_to_stand"} <= set(found["pt.bj.18a"].rules)


def test_the_tests_of_the_register_exist() -> None:
    scenarios = " ".join(path.read_text("utf-8") for path in Path(__file__).parents[1].glob("scenarios/*.txt"))
    named = named_by_tests()
    for test in {test for tests in (*named.shows.values(), *named.mentions.values()) for test in tests}:
        if "[" in test:
            name = re.split("-", test.split("[")[1][:-1], maxsplit=1)[1]
            assert any(f"{first} {name} " in scenarios for first in FIRST_WORDS)
        else:
            assert (Path(__file__).parents[2] / test.split("::")[0]).exists()


def test_a_diagram_has_every_row_and_no_name_that_mermaid_cannot_read() -> None:
    page = diagrams_page()
    arrows = [line for line in page.splitlines() if " --> " in line]
    assert "  in_play --> closing: closing_indicated" in arrows
    assert not any("-" in line.replace(" --> ", " ").replace("[*]", "") for line in arrows)


@pytest.mark.waits
def test_the_command_prints_the_contract() -> None:
    done = subprocess.run(
        [SABOT, "clauses", "--profile", "pt-csm", "--json"], capture_output=True, text=True, timeout=30
    )
    rows = json.loads(done.stdout)
    assert list(rows[0]) == ["id", "profile", "how", "status", "rules", "tests", "mentions", "outside", "unseen"]
    assert {row["profile"] for row in rows} == {"pt"}
    assert {row["status"] for row in rows} <= {status.value for status in Status}
    assert len(rows) == 124
