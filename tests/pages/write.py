"""Writes the generated pages and the list of tests by clause: `python -m tests.pages.write` (or `make pages`)."""

import json
import re
from collections import Counter
from pathlib import Path

from controller.catalogue import Language, sentence
from controller.clauses.register import Clause, Outside, Status, documents, register
from tests.bench.figures import figures_page
from tests.pages.acts import acts_page, acts_page_in_portuguese
from tests.pages.diagrams import diagrams_page
from tests.pages.faults import faults_page
from tests.pages.kinds import kinds_page
from tests.pages.named import named_clauses
from tests.pages.second import second_page
from tests.pages.touches import touches_page
from tests.pages.undone import undone_page
from tests.scenario.shown import refresh, shows

ROOT = Path(__file__).parents[2]
TESTS_FILE = ROOT / "controller/clauses/tests.toml"
CLAUSES_PAGE = ROOT / "controller/clauses/CLAUSES.md"
DIAGRAMS_PAGE = ROOT / "controller/core/DIAGRAMS.md"
SECOND_PAGE = ROOT / "controller/core/SECOND.md"
UNDONE_PAGE = ROOT / "controller/core/UNDONE.md"
FIGURES_PAGE = ROOT / "tests/bench/FIGURES.md"
TOUCHES_PAGE = ROOT / "tests/panel/TOUCHES.md"
KINDS_PAGE = ROOT / "controller/journal/KINDS.md"
ACTS_PAGE = ROOT / "controller/scenario/ACTS.md"
ACTS_PAGE_IN_PORTUGUESE = ROOT / "controller/scenario/ACTS.pt.md"
FAULTS_PAGES = {
    Language.EN: ROOT / "controller/catalogue/FAULTS.md",
    Language.PT: ROOT / "controller/catalogue/FAULTS.pt.md",
}


def tests_file() -> str:
    """The list of tests by clause in the installed program's form."""
    lines = [
        "# Generated (make pages): the tests that name each clause, and whether they fail when its rules are changed."
    ]
    for table, is_shown in (("shows", True), ("mentions", False)):
        lines += ["", f"[{table}]"]
        for clause, tests in named_clauses().items():
            if listed := [test for test in tests if shows(clause, test) is is_shown]:
                lines += [f'"{clause}" = [', *(f"    {json.dumps(test)}," for test in listed), "]"]
    return "\n".join(lines) + "\n"


def clauses_page() -> str:
    """Every clause with its text, its rules, and links to its tests, by document and area."""
    clauses = register()
    lines = [
        "# Clauses",
        "",
        "Generated from the program's own rows and tests (`make pages`). `sabot clauses` lists the same;",
        "`sabot clauses pt.bj.17a` prints one with the document's own words and every test. A test shows a clause",
        "where it fails when a rule of that clause is taken away or turned round; what only names it mentions it.",
        "Outside is what is not the controller's matter, with the reason.",
        "",
    ]
    lines += ["| document | " + " | ".join(Status) + " |", "|---|" + "---|" * len(Status)]
    for profile in dict.fromkeys(one.profile for one in clauses):
        counts = Counter(one.status for one in clauses if one.profile == profile)
        lines.append(f"| {profile} | " + " | ".join(str(counts[status]) for status in Status) + " |")
    for profile in dict.fromkeys(one.profile for one in clauses):
        lines += ["", f"## {profile}", "", documents()[profile].title]
        lines += _section(profile, [one for one in clauses if one.profile == profile])
    return "\n".join(lines) + "\n"


_LINKED = 4
"""The tests of a clause with links; of the others only the number is given."""


def _linked(tests: tuple[str, ...]) -> str:
    links = []
    for test in tests[:_LINKED]:
        path, _, name = test.partition("::")
        if written := re.fullmatch(r"test_scenario\[(\w+?)-(.+)\]", name):
            path, name = f"tests/scenarios/{written[1]}.txt", written[2]
        links.append(f"[{name.removeprefix('test_').replace('_', ' ')}](../../{path})")
    more = len(tests) - len(links)
    return ", ".join(links + ([f"and {more} more"] if more > 0 else [])) or "-"


def _section(profile: str, clauses: list[Clause]) -> list[str]:
    lines: list[str] = []
    for area in dict.fromkeys(one.area for one in clauses):
        lines += [
            "",
            f"### {profile}: {area.replace('_', ' ')}",
            "",
            "| clause | what it says | status | rules | shown by | mentioned by |",
            "|---|---|---|---|---|---|",
        ]
        for one in (one for one in clauses if one.area == area):
            rules = " ".join(f"`{rule}`" for rule in one.rules) or "-"
            text = one.text.replace("|", "/")
            status = one.status.value if one.outside is None else f"outside: {_why(one.outside)}"
            if one.unseen is not None:
                status += "; " + sentence("cli.clauses.unseen", {"part": one.unseen[0]}, Language.EN)
            shown, mentioned = _linked(one.tests), _linked(one.mentions)
            lines.append(f"| {one.id} | {text} | {status} | {rules} | {shown} | {mentioned} |")
    return lines


def _why(outside: Outside) -> str:
    return sentence(f"clause-outside.{outside}", {}, Language.EN)


def main() -> None:
    refresh()
    TESTS_FILE.write_text(tests_file(), "utf-8")
    CLAUSES_PAGE.write_text(clauses_page(), "utf-8")
    DIAGRAMS_PAGE.write_text(diagrams_page(), "utf-8")
    SECOND_PAGE.write_text(second_page(), "utf-8")
    UNDONE_PAGE.write_text(undone_page(), "utf-8")
    FIGURES_PAGE.write_text(figures_page(), "utf-8")
    TOUCHES_PAGE.write_text(touches_page(), "utf-8")
    KINDS_PAGE.write_text(kinds_page(), "utf-8")
    ACTS_PAGE.write_text(acts_page(), "utf-8")
    ACTS_PAGE_IN_PORTUGUESE.write_text(acts_page_in_portuguese(), "utf-8")
    for language, page in FAULTS_PAGES.items():
        page.write_text(faults_page(language), "utf-8")


if __name__ == "__main__":
    main()
