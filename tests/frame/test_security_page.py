"""SECURITY.md: each test that it names exists."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAMED = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_test_that_the_page_names_exists() -> None:
    rows = [line for line in (ROOT / "controller/SECURITY.md").read_text().splitlines() if line.startswith("| ")][1:]
    assert rows
    for row in rows:
        for file, name in NAMED.findall(row):
            assert f"\ndef {name}(" in (ROOT / file).read_text(), f"{file}::{name}"
