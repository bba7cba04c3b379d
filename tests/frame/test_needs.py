"""The programs that `make deb-test` and `make image` need: each missing one is named with the command to install it."""

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "systemd/debian"))

import needs
from needs import PROGRAMS, REGISTER, found, missing


def everything(_program: str) -> bool:
    return True


def entry(work: Path, flags: str) -> Path:
    file = work / "qemu-aarch64"
    file.write_text(f"enabled\ninterpreter /usr/libexec/qemu\nflags: {flags}\n")
    return file


@pytest.mark.waits
def test_a_machine_without_any_is_told_the_line_to_type() -> None:
    asked = [sys.executable, needs.__file__, "deb-test", "--release", "trixie"]
    done = subprocess.run(asked, env={"PATH": ""}, capture_output=True, text=True)
    assert done.returncode == 1
    assert re.search(r"^  sudo apt install .*mmdebstrap .*prometheus .*systemd-container", done.stderr, re.MULTILINE)


@pytest.mark.parametrize("task", PROGRAMS)
def test_each_program_that_is_missing_is_in_the_line(task: str, tmp_path: Path) -> None:
    for lacking, package in PROGRAMS[task].items():
        first = next(missing(task, "amd64", which=lacking.__ne__, emulator=entry(tmp_path, "PF")))
        assert first == f"sudo apt install {package}"


@pytest.mark.parametrize("flags", ["", "P"])
def test_a_foreign_tree_needs_an_emulator_that_works_inside_it(flags: str, tmp_path: Path) -> None:
    foreign = {"x86_64": "arm64", "aarch64": "amd64"}[platform.machine()]
    emulator = entry(tmp_path, flags) if flags else tmp_path / "none"
    rest = ["sudo make deb-test"] if os.geteuid() else []
    assert list(missing("deb-test", foreign, which=everything, emulator=emulator)) == [*REGISTER, *rest]
    whole = entry(tmp_path, "PF")
    assert list(missing("deb-test", foreign, which=everything, emulator=whole)) == rest
    assert next(missing("deb-test", foreign, which="arch-test".__ne__, emulator=whole)) == "sudo apt install arch-test"


def test_a_file_is_found_by_its_path_and_a_program_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "kernel.img").touch()
    assert [found(str(tmp_path / name)) for name in ("kernel.img", "other.img")] == [True, False]
    assert [found("sh"), found("no-such-program")] == [True, False]
