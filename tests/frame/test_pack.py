"""The pack for a buyer: each part is there, an image has its bill, and the procedure of reports can be followed."""

import json
import re
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path[:0] = [str(ROOT / "systemd/debian"), str(ROOT / "systemd/image")]

from build import documents  # noqa: E402
from card import Card  # noqa: E402
from contents import BUNDLED  # noqa: E402
from pages import completion  # noqa: E402
from sbom import sbom  # noqa: E402

from controller.config.keys import KEYS  # noqa: E402
from controller.config.profile import PROFILES  # noqa: E402
from controller.machine.support import SUPPORTED_UNTIL  # noqa: E402
from controller.runtime.game import game_of  # noqa: E402

REPORTS = (ROOT / ".github/REPORTS.md").read_text("utf-8")
PACK = (ROOT / "controller/CRA.md").read_text("utf-8").partition("## What the pack has")[2]
STATUS = """\
Package: tzdata
Status: install ok installed
Version: 2026a+1
Architecture: all
Maintainer: x
Description: x
"""


def test_each_part_of_the_pack_is_there_and_has_a_test() -> None:
    rows = [line.strip("|").split("|") for line in PACK.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == 9
    for part, _where, by in rows:
        tests = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", by)
        assert tests, part
        for file, name in tests:
            assert f"\ndef {name}(" in (ROOT / file).read_text("utf-8"), part
    for page in re.findall(r"\]\(([^)]+)\)", PACK):
        assert (ROOT / "controller" / page).is_file(), page


@pytest.mark.waits
def test_the_bill_of_an_image_has_debians_packages_and_ours_and_the_month(tmp_path: Path) -> None:
    card = Card(tmp_path, 1_700_000_000)
    database = card.root / "var/lib/dpkg"
    (database / "info").mkdir(parents=True)
    (database / "status").write_text(STATUS)
    site = card.root / "usr/lib/sabot/1/lib/python3.13/site-packages"
    (site / "msgspec-0.1.dist-info").mkdir(parents=True)
    (site / "msgspec-0.1.dist-info/METADATA").write_text("Name: msgspec\nVersion: 0.1\n")
    for file in BUNDLED:
        (site / file).write_bytes(b"")
    bill = json.loads(sbom(card, SUPPORTED_UNTIL))
    assert sbom(card, SUPPORTED_UNTIL) == sbom(card, SUPPORTED_UNTIL)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    whole = bill["metadata"]["component"]
    assert whole["properties"] == [{"name": "sabot:supported-until", "value": SUPPORTED_UNTIL}]
    assert {one["purl"] for one in bill["components"]} == {
        "pkg:deb/debian/tzdata@2026a%2B1?arch=all",
        "pkg:pypi/msgspec@0.1",
        *(parts[3] for parts in BUNDLED.values()),
    }


def test_what_the_procedure_tells_to_do_can_be_done() -> None:
    """The procedure names commands with options of ours, kinds of entries that a table writes, and known keys."""
    commands = re.findall(r"`(sabot [a-z-][^`]*)`", REPORTS)
    assert len(commands) > 5
    for command in commands:
        known = helped(command.split()[1:])
        assert set(re.findall(r"--[a-z-]+", command)) <= known, command
    kinds = {kind for profile in PROFILES for kind in game_of(profile).codec._names.values()}
    named = set(re.findall(r"`([a-z]+(?:-[a-z]+)+)`", REPORTS))
    assert {"pin-refused", "staff-changed"} <= named <= kinds, named - kinds
    keys = {f"[{key.section}] {key.name}" for key in KEYS}
    assert set(re.findall(r"`(\[[a-z]+\] [a-z_]+)", REPORTS)) <= keys
    assert {"24 hours", "72 hours"} <= set(re.findall(r"\b(?:24|72) hours", REPORTS))


def helped(words: list[str]) -> set[str]:
    """The options of this command of ours, as the completion of the shell knows them."""
    known = dict(re.findall(r'"(sabot[^"]*)"\) words="([^"]*)"', completion()))
    command = next(name for end in range(len(words), -1, -1) if (name := " ".join(["sabot", *words[:end]])) in known)
    return set(known[command].split()) | {"--version"}


def test_the_package_s_pages_lead_to_each_other() -> None:
    """The pages of the folders `image` and `monitoring` are tried on an installed package (tests/deb)."""
    pages = documents(ROOT)
    links = {link for text in pages.values() for link in re.findall(r"\]\(([^):#]+\.md)", text)}
    assert {link for link in links - pages.keys() if not link.startswith(("image/", "monitoring/"))} == set()
    assert {"AUDIT.md", "KINDS.md"} <= links
