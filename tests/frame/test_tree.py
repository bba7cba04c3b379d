"""The tree itself: its permitted files, the first lines of each file, the unit's permissions."""

import ast
import configparser
import re
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
PACKAGES = ("controller", "drivers", "firmware_protocols", "simulators")
TOP_LEVEL = {
    ".ci", ".gitattributes", ".github", ".gitignore", ".pre-commit-config.yaml",
    "CHANGELOG.md", "LICENSE", "Makefile", "README.md", "controller", "drivers",
    "firmware_protocols", "pyproject.toml", "requirements.lock", "simulators", "systemd", "tests",
}  # fmt: skip


def tracked() -> list[Path]:
    names = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [ROOT / name for name in names.splitlines()]


def test_nothing_else_stands_at_the_top() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in tracked()} == TOP_LEVEL


def test_no_file_names_a_registry_or_a_path_of_a_machine() -> None:
    hosts = "|".join(("py" + r"pi\.org", "python" + "hosted", "npm" + r"js\.", r"deb\." + r"debian\.org"))
    paths = "|".join(("/ro" + "ot/", "/wo" + "rk/", "/ho" + r"me/[a-z]"))
    unwanted = re.compile(f"{hosts}|{paths}")
    found = [f"{path.relative_to(ROOT)}: {match.group()}" for path in tracked() for match in _matches(unwanted, path)]
    assert not found


def _matches(pattern: re.Pattern[str], path: Path) -> list[re.Match[str]]:
    try:
        return list(pattern.finditer(path.read_text()))
    except UnicodeDecodeError:
        return []


def sources() -> list[Path]:
    return [path for path in tracked() if path.suffix == ".py"]


def test_every_file_says_what_belongs_in_it() -> None:
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in sources()}
    others = {name: text for name, text in texts.items() if text.strip() and not text.startswith('"""')}
    assert not [name for name, text in others.items() if ast.get_docstring(ast.parse(text)) is None]


def test_a_file_that_starts_threads_makes_its_decoders_before_them() -> None:
    """Two threads that decode a type of msgspec for the first time, at once, end the process (segmentation fault)."""
    starts = re.compile(r"\bThread\(|ThreadingMixIn|ThreadingHTTPServer")
    looks = re.compile(r"\.decode\([^)\n]*type=|msgspec\.convert\(")
    texts = {str(path.relative_to(ROOT)): path.read_text() for path in sources() if "tests" not in path.parts}
    assert [name for name, text in texts.items() if starts.search(text) and looks.search(text)] == []


def test_files_of_the_product_stay_readable() -> None:
    """No file of the product has more than a few hundred lines."""
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text().splitlines())
        for path in sources()
        if path.relative_to(ROOT).parts[0] in PACKAGES
    }
    assert not {name: n for name, n in lengths.items() if n > 400}, "at most 400 lines: divide it by its subjects"


CATCHES_EVERYTHING = {ROOT / "simulators/world/play.py"}
"""A simulated world turns any error of the program into a finding about the program."""


def test_no_broad_except_and_nothing_unfinished() -> None:
    unfinished = re.compile("TO" + "DO|FIX" + "ME|NotImplemented" + "Error")
    perhaps_broad = re.compile(r"\bexcept\s*:|\bexcept\b[^:]*\bException\b")
    for path in sources():
        text = path.read_text()
        assert not unfinished.search(text), path
        if perhaps_broad.search(text) and path not in CATCHES_EVERYTHING:
            caught = [node.type for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ExceptHandler)]
            assert not [path for names in caught if names is None or "'Exception'" in ast.dump(names)]


def test_the_lock_pins_every_package_with_hashes() -> None:
    blocks = re.split(r"\n(?=[a-z])", (ROOT / "requirements.lock").read_text())
    packages = [block for block in blocks if not block.startswith("#")]
    assert len(packages) > 20
    assert all("==" in block and "--hash=sha256:" in block for block in packages)


HARDENED = {
    "NoNewPrivileges": "yes",
    "PrivateNetwork": "yes",
    "RestrictAddressFamilies": "AF_UNIX",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "DevicePolicy": "closed",
    "CapabilityBoundingSet": "",
    "MemoryDenyWriteExecute": "yes",
    "Type": "notify",
    "User": "sabot",
}


@pytest.mark.parametrize(("key", "value"), HARDENED.items())
def test_the_unit_gives_least_privilege(key: str, value: str) -> None:
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / "systemd/sabot.service")
    assert unit["Service"][key] == value


def test_the_make_targets_stand() -> None:
    makefile = (ROOT / "Makefile").read_text()
    assert {"run", "test", "install", "lint"} <= set(re.findall(r"^([a-z]+):", makefile, re.MULTILINE))
