"""The package's contents in a bare Debian without network: everything that runs, and nothing else."""

import gzip
import json
import re
import sys
from pathlib import Path

import pytest
from machine import Chroot
from packages import Packages
from table import TABLE

pytestmark = pytest.mark.waits

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "systemd/debian"))
from contents import BUNDLED  # noqa: E402


@pytest.fixture
def installed(chroot: Chroot, packages: Packages) -> Chroot:
    chroot.run("dpkg", "-i", chroot.put(packages.sabot), chroot.put(packages.sim))
    return chroot


def test_it_names_its_version_and_commit(installed: Chroot, packages: Packages) -> None:
    assert re.fullmatch(rf"sabot \S+ \({packages.commit}\)\n", installed.run("sabot", "--version").stdout)
    assert "worlds" in installed.run("sabot-sim", "--help").stdout


def test_it_carries_exactly_the_locked_run_time_packages(installed: Chroot) -> None:
    from build import locked, run_time_packages

    site = next(installed.tree.glob("usr/lib/sabot/*/lib/python3.*/site-packages"))
    found = {path.name.removesuffix(".dist-info").replace("_", "-") for path in site.glob("*.dist-info")}
    wanted = {re.split(r"[ \\]", block)[0].replace("==", "-") for block in locked(run_time_packages())}
    assert {name for name in found if not name.startswith("sabot-")} == wanted
    assert not [
        name for name in ("pip", "pytest", "mypy", "hypothesis", "ruff", "setuptools") if (site / name).exists()
    ]


def test_its_bill_lists_what_is_installed_and_nothing_else(installed: Chroot) -> None:
    site = next(installed.tree.glob("usr/lib/sabot/*/lib/python3.*/site-packages"))
    found = {path.name.removesuffix(".dist-info").replace("_", "-").lower() for path in site.glob("*.dist-info")}
    bill = json.loads((installed.tree / "usr/share/doc/sabot/sbom.cdx.json").read_text())
    libraries = {f"{one['name'].replace('_', '-').lower()}-{one['version']}" for one in bill["components"]}
    assert {name for name in found if not name.startswith("sabot-")} <= libraries
    assert len(libraries) == len(bill["components"]) == len(found) - 1 + len(BUNDLED)


def test_it_is_small_whole_and_compiled(installed: Chroot) -> None:
    home = next(path for path in (installed.tree / "usr/lib/sabot").iterdir() if not path.is_symlink())
    assert sum(path.lstat().st_size for path in home.rglob("*")) < 60_000_000
    assert installed.run("dpkg", "--verify", "sabot", "sabot-sim").stdout == ""
    sources = [path for path in home.rglob("*.py") if path.stat().st_size]
    assert [path for path in sources if not list((path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"))] == []
    before = {path: path.stat().st_mtime_ns for path in home.rglob("*.pyc")}
    installed.run("sabot", "profile", "show", "pt-csm")
    assert {path: path.stat().st_mtime_ns for path in home.rglob("*.pyc")} == before  # no file was written again


def test_user_directories_and_units_stand(installed: Chroot) -> None:
    assert "sabot:" in (installed.tree / "etc/passwd").read_text()
    modes = installed.run("stat", "-c", "%U %G %a", "/etc/sabot", "/var/lib/sabot").stdout.splitlines()
    assert modes == ["root sabot 750", "sabot sabot 700"]
    assert installed.run("systemctl", "is-enabled", "sabot.service").stdout.strip() == "enabled"
    assert installed.run("systemd-analyze", "verify", "--man=no", "sabot.service").stderr == ""
    exposure = installed.run("systemd-analyze", "security", "--offline=true", "sabot.service").stdout
    assert float(re.findall(r"Overall exposure level for sabot.service: ([0-9.]+)", exposure)[0]) < 1.0


def test_the_pages_are_there_without_a_network(installed: Chroot) -> None:
    folder = installed.tree / "usr/share/doc/sabot"
    links = {(page, link) for page in folder.rglob("*.md") for link in re.findall(r"\]\(([^):]+)\)", page.read_text())}
    assert {(page.name, link) for page, link in links if not (page.parent / link).exists()} == set()
    assert {page.name for page, _link in links} >= {"README.md", "README.pt.md", "AUDIT.md", "AUDIT.pt.md"}


def test_manual_pages_and_completion_stand(installed: Chroot) -> None:
    for place in ("man/man1/sabot.1.gz", "man/pt/man1/sabot.1.gz", "man/man1/sabot-sim.1.gz"):
        assert b"sabot" in gzip.decompress((installed.tree / "usr/share" / place).read_bytes())
    complete = (
        "source /usr/share/bash-completion/completions/sabot; "
        "COMP_WORDS=(sabot journal ver); COMP_CWORD=2; _sabot; echo ${COMPREPLY[@]}; "
        "COMP_WORDS=(sabot status --w); COMP_CWORD=2; _sabot; echo ${COMPREPLY[@]}"
    )
    assert installed.run("bash", "-c", complete).stdout.split() == ["verify", "--watch"]


def test_a_changed_file_of_the_program_is_found(installed: Chroot) -> None:
    (installed.tree / "etc/sabot/table.toml").write_text(TABLE)
    found = installed.run("sabot", "doctor", "--json", check=False).stdout
    assert '"staff-missing"' in found
    assert "program-changed" not in found
    module = next(installed.tree.glob("usr/lib/sabot/*/lib/python3.*/site-packages/controller/screen/status.py"))
    with module.open("a") as file:
        file.write("# changed\n")
    assert "program-changed" in installed.run("sabot", "doctor", "--json", check=False).stdout


def test_removal_keeps_configuration_and_journal_and_purge_the_journal(installed: Chroot) -> None:
    (installed.tree / "etc/sabot/table.toml").write_text("# mine\n")
    (installed.tree / "var/lib/sabot/journal.key").write_text("key")
    installed.run("dpkg", "--remove", "sabot-sim", "sabot")
    assert not (installed.tree / "usr/lib/sabot").exists()
    assert not (installed.tree / "usr/bin/sabot").exists()
    assert (installed.tree / "etc/sabot/table.toml").exists()
    told = installed.run("dpkg", "--purge", "sabot").stderr
    assert "/var/lib/sabot" in told
    assert not (installed.tree / "etc/sabot").exists()
    assert (installed.tree / "var/lib/sabot/journal.key").read_text() == "key"
