"""The site of all texts: each text has a reader, every link leads somewhere, and a reader needs no network."""

import json
import re
import sys
from pathlib import Path

import pytest

from tests.frame.test_tree import tracked

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/docs"))

from site_of_texts import made, relinked, sections

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
FORMS = (".github/ISSUE_TEMPLATE/", ".github/PULL_REQUEST_TEMPLATE")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("docs")
    assert made(ROOT, out) == []
    return out


def test_each_text_has_one_reader() -> None:
    listed = [name for texts in sections().values() for name in texts]
    names = (path.relative_to(ROOT).as_posix() for path in tracked())
    texts = [name for name in names if name.endswith(".md") and not name.startswith(FORMS)]
    assert sorted(listed) == sorted(texts)


def test_every_page_is_found_by_its_words_and_loads_nothing_from_a_network(site: Path) -> None:
    pages = [page.relative_to(site).as_posix() for page in site.rglob("*.html")]
    listed = [name for texts in sections().values() for name in texts]
    assert len(pages) == len(listed) + len(("404", "search"))
    loaded = re.compile(r"(?:src|<link[^>]*href)=[\"'](?:https?:)?//[^\"']*")
    assert [found for page in pages for found in loaded.findall((site / page).read_text())] == []
    index = json.loads((site / "search/search_index.json").read_text())
    assert {"controller/journal/FORMAT.html", ".github/WORDS.html"} <= {one["location"] for one in index["docs"]}


def test_a_link_to_code_is_its_path_and_a_block_of_code_stays() -> None:
    text = "See [the table](a.md#x), [this](../core/b.py), [`c.py`](c.py).\n```\n[no](b.py)\n```\n"
    expected = "See [the table](a.md#x), this (`core/b.py`), `c.py`.\n```\n[no](b.py)\n```\n"
    assert relinked(text, "folder/page.md", {"folder/a.md"}) == expected


def test_each_block_of_code_is_one(site: Path) -> None:
    """A named block, as a frame of the protocol, is a block, and what stands between two is none."""
    found = {page.relative_to(site).as_posix(): page.read_text().count("```") for page in site.rglob("*.html")}
    assert {page: marks for page, marks in found.items() if marks} == {}
