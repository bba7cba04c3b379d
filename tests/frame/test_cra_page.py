"""The documents for a buyer: CRA.md against Annex I and the tree, the bill of materials, the support month."""

import json
import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "systemd/debian"))

from build import FLOOR_NEEDS, locked, run_time_packages  # noqa: E402
from contents import BUNDLED, of_package, supported_until  # noqa: E402

PAGES = ("controller/CRA.md", ".github/SECURITY.md", ".github/REPORTS.md")
ANNEX = ["I.1", *(f"I.2.{letter}" for letter in "abcdefghijklm"), *(f"II.{number}" for number in range(1, 9))]
OF_A_PAGE = {"I.1", "II.5", "II.6"}
"""The lines of Annexes I and II that a text alone meets; each other met line has a test that can fail."""

KINDS = {"met", "parameter", "not met"}
_TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")
_LINK = re.compile(r"\]\(([^)#:]+)\)")


def rows() -> list[list[str]]:
    lines = (ROOT / "controller/CRA.md").read_text("utf-8").splitlines()
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| I")]


def test_each_requirement_of_the_annex_stands_once_and_in_one_of_three_ways() -> None:
    assert [row[0].split()[0] for row in rows()] == ANNEX
    assert {row[1] for row in rows()} == KINDS
    assert all(len(row) == 4 and all(row) for row in rows())


def test_each_names_a_test_or_a_page_that_is_there() -> None:
    for row in rows():
        tests = _TEST.findall(row[3])
        pages = [ROOT / "controller" / page for page in _LINK.findall(row[3])]
        assert tests or pages, row[0]
        for file, name in tests:
            assert f"\ndef {name}(" in (ROOT / file).read_text("utf-8"), f"{row[0]}: {file}::{name}"
        assert all(page.is_file() for page in pages), row[0]
        assert row[1] != "met" or tests or row[0].split()[0] in OF_A_PAGE, row[0]


def test_of_what_is_a_parameter_the_key_or_the_unit_is_named_and_there() -> None:
    from controller.config.keys import KEYS

    keys = {f"[{key.section}] {key.name}" for key in KEYS} | {f"[{key.section}]" for key in KEYS}
    units = {path.name for path in (ROOT / "systemd").glob("*.service")}
    for row in rows():
        if row[1] == "parameter":
            named = set(re.findall(r"`([^`]+)`", row[2]))
            assert named, row[0]
            assert named <= keys | units, row[0]


@pytest.mark.parametrize("page", PAGES)
def test_each_link_of_the_pack_leads_to_a_page(page: str) -> None:
    links = _LINK.findall((ROOT / page).read_text("utf-8"))
    assert links
    assert [link for link in links if not ((ROOT / page).parent / link).is_file()] == []


def test_the_support_month_of_this_version_is_named() -> None:
    page = (ROOT / ".github/SECURITY.md").read_text("utf-8")
    assert re.fullmatch(r"unreleased|20\d\d-(0[1-9]|1[0-2])", supported_until(page, metadata.version("sabot")))
    with pytest.raises(KeyError):
        supported_until(page, "0.0.9")


def staged(stage: Path, names: set[str]) -> None:
    """Stages the installed files of these packages from this environment."""
    site = stage / "usr/lib/sabot/1/lib/python3.11/site-packages"
    for name in ("sabot", *names):
        found = metadata.distribution(name).read_text("METADATA") or metadata.distribution(name).read_text("PKG-INFO")
        place = site / f"{name.replace('-', '_')}-{metadata.version(name)}.dist-info"
        place.mkdir(parents=True)
        (place / "METADATA").write_text(found or "")


@pytest.mark.parametrize("needs", [(), FLOOR_NEEDS])
def test_the_bill_lists_what_a_package_carries_at_the_locked_version(needs: tuple[str, ...], tmp_path: Path) -> None:
    names = run_time_packages(*needs)
    staged(tmp_path, names)
    for file in BUNDLED if not needs else ():
        (tmp_path / "usr/lib/sabot/1" / file).write_bytes(b"")
    text = of_package(tmp_path, "sabot", "0.1.0+1~deb12", 1_700_000_000, "2031-12")
    assert text == of_package(tmp_path, "sabot", "0.1.0+1~deb12", 1_700_000_000, "2031-12"), "the same bytes"
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert {"name": "sabot:supported-until", "value": "2031-12"} in bill["metadata"]["component"]["properties"]
    found = {one["purl"] for one in bill["components"]}
    assert len(found) == len(bill["components"])
    wanted = {re.split(r"[ \\]", block)[0].replace("==", "@") for block in locked(names)}
    of_python = {one.removeprefix("pkg:pypi/").replace("_", "-") for one in found if one.startswith("pkg:pypi/")}
    assert of_python == wanted
    assert len(found) - len(of_python) == (0 if needs else len(BUNDLED))


def test_whatever_others_made_and_lies_here_as_a_file_is_in_the_bill() -> None:
    static = [path.name for path in ROOT.glob("controller/**/static/*") if path.suffix in {".woff2", ".js"}]
    foreign = {re.sub("-700", "-400", name) for name in static if name.endswith((".woff2", ".min.js"))}
    assert foreign == set(BUNDLED)
