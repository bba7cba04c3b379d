"""The page of versions names each format as the program writes it. A released version leaves a shelf of its data."""

import re
import sys
from importlib import metadata
from pathlib import Path

import pytest

from controller.backup import sealed_stream
from controller.journal import lines, proof, removed
from controller.machine.support import SUPPORTED_UNTIL
from firmware_protocols.tdp.conform.duties import TEXT_VERSION
from tests.runtime.keep import KEPT
from tests.runtime.shelf import SHELF

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

from build import debian_version

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / ".github/VERSIONS.md").read_text("utf-8")
VERSION = metadata.version("sabot")


@pytest.mark.parametrize(
    "name",
    [
        lines.FORMAT_NAME,
        removed.FORMAT_NAME,
        proof.FIRST_LINE.decode().strip(),
        sealed_stream.MAGIC.decode().strip(),
        f"TDP {TEXT_VERSION}",
    ],
)
def test_a_format_is_promised_by_the_name_that_is_written(name: str) -> None:
    assert name in PAGE, "a format with another name is another promise"


def test_the_changelog_begins_with_this_version() -> None:
    first = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE)
    assert first is not None
    assert first[1] == VERSION


def test_a_version_that_is_mended_has_left_its_shelf() -> None:
    assert not SUPPORTED_UNTIL or (KEPT / VERSION / SHELF).is_file(), "python -m tests.runtime.keep"


def test_a_release_candidate_sorts_before_its_release() -> None:
    assert [debian_version(one) for one in ("1.0.0rc1", "1.0.0", "0.1.0")] == ["1.0.0~rc1", "1.0.0", "0.1.0"]
